# include.awk: puts excerpts, transcripts and figures into a handout, so that no text repeats by
# hand what a file of the kit says.
#
#     awk -v root=.. -v figures=DIR -f include.awk lab3.md
#
# A line of its own of one of these forms is replaced:
#
#     {{excerpt FILE TODO N}}          the comment of TODO N of a lab file
#     {{excerpt FILE /FROM/ /TO/}}     the lines of FILE from the first that matches FROM up to the
#                                      next that matches TO (both included; TO may be the same line)
#     {{listing FILE}}                 all of FILE
#     {{transcript NAME}}              handouts/transcripts/NAME.txt (its "#:" lines left out)
#     {{transcript NAME /FROM/ /TO/}}  a part of it: its first line, and the lines FROM to TO
#     {{figure NAME CAPTION}}          the SVG figure NAME with its caption
#     {{rubric LAB}}                   what the lab's lab.cfg gives points for, as two tables
#
# FILE is relative to the kit's top folder. Links to other handouts (lab3.md#ideas) become links to
# the built pages. Refuses, with the handout's line and exit status 1, what it cannot find.

function fail(message) {
    printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
    failed = 1
    exit 1
}

function blanks_in_front(line) {
    match(line, /^ */)
    return RLENGTH
}

# Prints lines[1..count] as a code block without their common indentation.
function print_block(count, language,    i, least, n, starred) {
    # Inside a comment of C every line begins with a star: leave it out.
    starred = 0
    for (i = 1; i <= count; i++)
        starred += (lines[i] ~ /^ \*( |$)/)
    for (i = 1; starred == count && i <= count; i++)
        sub(/^ \* ?/, "", lines[i])
    least = 1000
    for (i = 1; i <= count; i++)
        if (lines[i] != "" && (n = blanks_in_front(lines[i])) < least)
            least = n
    print "~~~~~~ {." language "}"
    for (i = 1; i <= count; i++)
        print substr(lines[i], least + 1)
    print "~~~~~~"
}

function language_of(file) {
    return file ~ /\.(cu|c|h)$/ ? "c" : "text"
}

# The text between the slashes of /FROM/ /TO/, into from and to.
function parse_patterns(text,    parts, n) {
    n = split(text, parts, "/")
    if (n != 5 || parts[1] != "" || parts[3] != " " || parts[5] != "")
        fail("expected /FROM/ /TO/, not " text)
    from = parts[2]
    to = parts[4]
}

# lines[] = the lines of path from `from` to `to`; returns how many.
function read_part(path, keep_first,    line, count, status, inside, skipped) {
    count = 0
    inside = skipped = 0
    while ((status = (getline line < path)) > 0) {
        if (line ~ /^#:/)
            continue
        if (keep_first && count == 0 && line !~ from) {
            lines[++count] = line
            continue
        }
        if (!inside && line !~ from) {
            skipped = 1
            continue
        }
        if (skipped && count > 0 && !inside)
            lines[++count] = "..."
        lines[++count] = line
        if ((inside || line ~ from) && line ~ to) {
            close(path)
            return count
        }
        inside = 1
    }
    close(path)
    if (status < 0)
        fail("cannot read " path)
    fail("no lines from /" from "/ to /" to "/ in " path)
}

# Prints the TODO in lines[1..count] as text that can be wrapped: its items a), b) ... as
# paragraphs.
function print_todo(count,    i, line) {
    print "~~~~~~ {=html}"
    print "<div class=\"todo\">"
    printf "<p>"
    for (i = 1; i <= count; i++) {
        line = lines[i]
        sub(/^ *\/\/ ?/, "", line)
        gsub(/&/, "\\&amp;", line)
        gsub(/</, "\\&lt;", line)
        gsub(/>/, "\\&gt;", line)
        sub(/^TODO [0-9]+:/, "<strong>&</strong>", line)
        if (line ~ /^ *[a-z]\) /) {
            printf "</p>\n<p class=\"item\">"
            sub(/^ +/, "", line)
        }
        print line
    }
    print "</p>"
    print "</div>"
    print "~~~~~~"
}

# lines[] = the comment of TODO number in path, up to the next TODO, blank line or code.
function read_todo(path, number,    line, count, status) {
    count = 0
    while ((status = (getline line < path)) > 0) {
        if (count == 0 && line !~ ("// TODO " number ":"))
            continue
        if (count > 0 && (line !~ /^ *\/\// || line ~ /\/\/ TODO/))
            break
        lines[++count] = line
    }
    close(path)
    if (status < 0)
        fail("cannot read " path)
    if (count == 0)
        fail("no TODO " number " in " path)
    if (lines[count] ~ /^ *\/\/$/)
        count--
    return count
}

function read_all(path,    line, count, status) {
    count = 0
    while ((status = (getline line < path)) > 0)
        if (line !~ /^#:/)
            lines[++count] = line
    close(path)
    if (status < 0)
        fail("cannot read " path)
    return count
}

function print_figure(name, caption,    path, line, status) {
    path = figures "/" name ".svg"
    print "~~~~~~ {=html}"
    print "<figure id=\"fig-" name "\">"
    while ((status = (getline line < path)) > 0)
        if (line !~ /^<\?xml/)
            print line
    close(path)
    if (status < 0)
        fail("cannot read " path ": is there a figure " name "?")
    print "<figcaption>" caption "</figcaption>"
    print "</figure>"
    print "~~~~~~"
}

# The next word, number, string or sign of the rubric in rubric_text; "" at its end. A string keeps
# its first quotation mark, so that it is no name.
function next_token(    length_) {
    sub(/^([ \t\n]|#[^\n]*\n)+/, "", rubric_text)
    if (rubric_text == "")
        return ""
    if (match(rubric_text, /^"[^"]*"/))
        length_ = RLENGTH - 1
    else if (match(rubric_text, /^[A-Za-z0-9_.-]+/))
        length_ = RLENGTH
    else
        length_ = RLENGTH = 1
    token = substr(rubric_text, 1, length_)
    rubric_text = substr(rubric_text, RLENGTH + 1)
    return token
}

function remember_limit(item,    text) {
    if (limit["value"] == "")
        return
    text = "`" limit["value"] "`"
    if (limit["at_least"] != "")
        text = text " at least " limit["at_least"] + 0
    if (limit["at_most"] != "")
        text = text (limit["at_least"] != "" ? ", " : " ") "at most " limit["at_most"] + 0
    if (limit["in"] != "")
        text = text " in " limit["in"]
    rubric[item, "limits"] = rubric[item, "limits"] (rubric[item, "limits"] == "" ? "" : "; ") text
    delete limit["value"]
    delete limit["at_least"]
    delete limit["at_most"]
    delete limit["in"]
}

# Reads a rubric: item numbers 1 to item_count, item_list[i] "cases" or "checks", rubric[i, NAME]
# the settings, sizes with blanks between the numbers, limits as text.
function read_rubric(path,    line, status, depth, list, name, was) {
    rubric_text = ""
    while ((status = (getline line < path)) > 0)
        rubric_text = rubric_text line "\n"
    close(path)
    if (status < 0)
        fail("cannot read " path)
    split("", rubric)
    split("", limit)
    item_count = depth = 0
    rubric_tile = 32
    list = name = was = ""
    while ((token = next_token()) != "") {
        if (token ~ /^[({[]$/) {
            if (depth == 0)
                list = name
            if (++depth == 2 && token == "{")
                item_list[++item_count] = list
        } else if (token ~ /^[])}]$/) {
            if (depth-- == 4)
                remember_limit(item_count)
        } else if (token == "=") {
            name = was
        } else if (token == ";") {
            name = ""
        } else if (token != ",") {
            was = token
            sub(/^"/, "", token)
            if (depth == 0 && name == "tile")
                rubric_tile = token
            else if (depth == 2 && name != "")
                rubric[item_count, name] = token
            else if (depth == 3 && name == "size")
                rubric[item_count, name] = rubric[item_count, name] " " token
            else if (depth == 3 && name == "case")
                rubric[item_count, name] = joined(rubric[item_count, name], token)
            else if (depth == 4)
                limit[name] = token
            else if (depth == 5 && name == "in")
                limit[name] = joined(limit[name], token)
        }
    }
    if (item_count == 0)
        fail("no cases in " path)
}

function joined(list, word) {
    return list == "" ? word : list ", " word
}

# What the shapes are, from the table of docs/labs.md.
function read_shapes(    path, line, status, inside, cell) {
    path = root "/docs/labs.md"
    while ((status = (getline line < path)) > 0) {
        if (line ~ /^\| shape \|/)
            inside = 1
        else if (line == "")
            inside = 0
        else if (inside && split(line, cell, / *\| */) >= 3 && gsub(/[`"]/, "", cell[2]) == 4)
            shape_words[cell[2]] = cell[3]
    }
    close(path)
    if (status < 0)
        fail("cannot read " path)
}

# What a case's sizes are, in a student's words: t stands for the lab's tile.
function sizes_of(i,    shape, size, word, count, words, k) {
    shape = rubric[i, "shape"]
    if (shape == "fixed") {
        split(rubric[i, "size"], size, " ")
        return size[1] " × " size[2] " × " size[3]
    }
    if (!(shape in shape_words))
        fail("docs/labs.md does not say what the shape \"" shape "\" is")
    count = split(shape_words[shape], word, " ")
    for (k = 1; k <= count; k++) {
        if (word[k] ~ /^t[,:;]?$/)
            sub(/^t/, rubric_tile, word[k])
        else if (word[k] == "x")
            word[k] = "×"
        words = words (k > 1 ? " " : "") word[k]
    }
    return words
}

# The file that describes a lab: labs/LAB-WORDS/lab.cfg.
function descriptor(lab,    command, path) {
    command = "echo " root "/labs/" lab "-*/lab.cfg"
    command | getline path
    close(command)
    return path
}

function print_rubric(lab,    i, points, section, extra) {
    read_rubric(descriptor(lab))
    read_shapes()
    for (i = 1; i <= item_count; i++)
        points[item_list[i]] += rubric[i, "points"]
    print "**Products: " points["cases"] " points.**\n"
    print "| case | m × n × k | A and B hold | points |"
    print "|:---|:---|:---|---:|"
    for (i = 1; i <= item_count; i++) {
        if (item_list[i] != "cases")
            continue
        extra = rubric[i, "numbers"]
        if (rubric[i, "function"] == "matmul_host")
            extra = extra "; `matmul_host`"
        if (rubric[i, "before"] == "numbers")
            extra = extra "; C holds old numbers"
        if (rubric[i, "aligned"] == "false")
            extra = extra "; addresses are no multiples of 16"
        if (rubric[i, "calls"] > 1)
            extra = extra "; " rubric[i, "calls"] " calls"
        print "| " rubric[i, "name"] " | " sizes_of(i) " | " extra " | " rubric[i, "points"] " |"
    }
    print ""
    if (!points["checks"])
        return
    print "**Checks: " points["checks"] " points**, " \
        "[judged once the products are right](reports.html#checks).\n"
    print "| check | asks for | points |"
    print "|:---|:---|---:|"
    for (i = 1; i <= item_count; i++) {
        if (item_list[i] != "checks")
            continue
        extra = rubric[i, "title"]
        section = rubric[i, "section"]
        if (sub(/\.md/, ".html", section))
            extra = "[" extra "](" section ")"
        if (rubric[i, "limits"] != "")
            extra = extra ": " rubric[i, "limits"]
        if (rubric[i, "case"] ~ /,/)
            extra = extra " (cases " rubric[i, "case"] ")"
        else if (rubric[i, "case"] != "")
            extra = extra " (case " rubric[i, "case"] ")"
        else if (rubric[i, "function"] != "")
            extra = extra " (every case of " rubric[i, "function"] ")"
        print "| " rubric[i, "name"] " | " extra " | " rubric[i, "points"] " |"
    }
    print ""
}

function directive(text,    words, n, rest) {
    n = split(text, words, " ")
    rest = text
    sub(/^[^ ]+ +[^ ]+ */, "", rest)
    if (words[1] == "excerpt" && words[3] == "TODO") {
        print_todo(read_todo(root "/" words[2], words[4]))
    } else if (words[1] == "excerpt") {
        parse_patterns(rest)
        print_block(read_part(root "/" words[2], 0), language_of(words[2]))
    } else if (words[1] == "listing") {
        print_block(read_all(root "/" words[2]), language_of(words[2]))
    } else if (words[1] == "transcript" && n == 2) {
        print_block(read_all(root "/handouts/transcripts/" words[2] ".txt"), "transcript")
    } else if (words[1] == "transcript") {
        parse_patterns(rest)
        print_block(read_part(root "/handouts/transcripts/" words[2] ".txt", 1), "transcript")
    } else if (words[1] == "rubric" && n == 2) {
        print_rubric(words[2])
    } else if (words[1] == "figure") {
        print_figure(words[2], rest)
    } else {
        fail("unknown directive " words[1])
    }
}

/^\{\{.*\}\}$/ {
    directive(substr($0, 3, length($0) - 4))
    next
}

# Students get no page for instructors: there the index goes without it.
/^\| \[[A-Za-z]+\]\(instructors\.md\) / {
    if ((getline ignored < (root "/handouts/instructors.md")) < 0)
        next
    close(root "/handouts/instructors.md")
}

{
    gsub(/\.md\)/, ".html)")
    gsub(/\.md#/, ".html#")
    print
}

END {
    if (failed)
        exit 1
}
