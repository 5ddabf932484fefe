#!/bin/sh
# pages-test.sh FOLDER KEYS: checks the built pages, those of the keys to the questions, and their
# sources. One line a failure.
#
#   - every page is well formed enough for a strict reader, and no id stands twice in a page
#   - every link leads to a page, and every #name to an id of that page; nothing is loaded from
#     outside
#   - no key lies in the folder that one would publish
#   - every question has an answer, and every answer a question
#   - every row of coverage.md names a section that exists
#   - every class of mistake in the zoo has hints, and a section that helps and exists (causes.tsv)
#   - every section that a rubric names exists, and the table of each lab's handout is the rubric's
#   - no line of a solution stands in a text for students
#   - no list begins where a sentence was meant
#   - every figure has a title, a description, and is used; every transcript and example is used
set -u
cd "$(dirname "$0")/../.." || exit 1
pages=${1:-build/handouts} keys=${2:-build/instructors}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
export LC_ALL=C

failed() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# The ids of a page, one a line.
ids_of() {
    grep -o ' id="[^"]*"' "$1" | sed 's/ id="//; s/"$//'
}

check_page() { # check_page FILE
    ids_of "$1" | sort | uniq -d >"$work/twice"
    # The figures' patterns carry the figure's name: a figure shown twice in a page would clash.
    [ ! -s "$work/twice" ] || failed "$1: ids that stand twice: $(tr '\n' ' ' <"$work/twice")"
    ! grep -nE '<(script|img|link|iframe)[ >]|url\(http|@import' "$1" >"$work/outside" ||
        failed "$1: loads something: $(head -n 1 "$work/outside")"
    # A line of a paragraph that begins with "2010." would become an item of that number.
    ! grep -nE '<ol start="[0-9]{2,}"' "$1" >"$work/list" \
        || failed "$1: a list begins at: $(head -n 1 "$work/list")"
    ! grep -n '{{' "$1" >"$work/left" \
        || failed "$1: a directive was left: $(head -n 1 "$work/left")"
    grep -o 'href="[^"]*"' "$1" | sed 's/href="//; s/"$//' | sort -u >"$work/links"
    while IFS= read -r link; do
        case $link in
        http://* | https://* | mailto:*) continue ;;
        esac
        target=${link%%#*}
        file=$1
        [ -z "$target" ] || file=$(dirname "$1")/$target
        if [ ! -f "$file" ]; then
            failed "$1: leads to $link, which is not there"
        elif [ "$link" != "$target" ]; then
            ids_of "$file" | grep -qxF -- "${link#*#}" \
                || failed "$1: leads to $link: no such place in the page"
        fi
    done <"$work/links"
}

# What HTML 5 has and the checker does not know.
known='nav|main|footer|figure|figcaption|section|svg|path|rect|circle|text|title|desc|defs|pattern'

set -- "$pages"/*.html "$keys"/*.html
for page in "$@"; do
    check_page "$page"
    if command -v xmllint >/dev/null 2>&1; then
        # libxml2's HTML reader does not know HTML 5's elements: only other complaints count.
        xmllint --html --noout "$page" 2>&1 | grep -E 'error|warning' |
            grep -vE "Tag ($known) invalid" >"$work/lint"
        [ ! -s "$work/lint" ] || failed "$page: $(head -n 1 "$work/lint")"
    fi
done

# ---- Questions and answers ----
for key in handouts/instructors/*.md; do
    name=$(basename "$key" .md)
    [ -z "$(find "$pages" -name "$name.*")" ] || failed "$name lies in $pages, to be published"
    [ -s "$keys/$name.html" ] || failed "$name is not built"
done
sed -n 's/^\*\*\(Q[0-9A-Z]*\.[0-9]*\)\*\*.*/\1/p' handouts/*.md | sort >"$work/questions"
sed -n 's/^\*\*\(Q[0-9A-Z]*\.[0-9]*\)\*\*.*/\1/p' handouts/instructors/answers.md \
    | sort >"$work/answers"
uniq -d "$work/questions" | while IFS= read -r q; do echo "FAILED: question $q is asked twice"; \
    done >"$work/twice"
cat "$work/twice"
failures=$((failures + $(wc -l <"$work/twice")))
diff "$work/questions" "$work/answers" >"$work/difference" ||
    failed "questions (<) and answers (>) differ: $(grep '^[<>]' "$work/difference" | tr '\n' ' ')"

# ---- Coverage ----
sed -n 's/^|[^|]*|[^|]*| \([a-z0-9-]*\)\.md\(#[a-z0-9-]*\)\{0,1\} |$/\1 \2/p' handouts/coverage.md \
    >"$work/coverage"
while read -r name place; do
    if [ ! -f "$pages/$name.html" ]; then
        failed "coverage.md: no page $name"
    elif [ -n "$place" ]; then
        ids_of "$pages/$name.html" | grep -qxF -- "${place#\#}" \
            || failed "coverage.md: no $place in $name.md"
    fi
done <"$work/coverage"
rows=$(wc -l <"$work/coverage")
[ "$rows" -ge 60 ] || failed "coverage.md: only $rows rows could be read"

# ---- Where a diagnosis points ----
grep -v '^#' handouts/causes.tsv | while IFS='	' read -r class what section; do
    case $what in
    section | section:lab[0-9]*)
        case $section in
        @*)
            grep -qE "^$section	section" handouts/causes.tsv && continue
            echo "FAILED: causes.tsv: $class points to $section, which is no topic"
            continue
            ;;
        esac
        page=$pages/${section%%.md#*}.html
        [ -f "$page" ] && ids_of "$page" | grep -qxF -- "${section#*#}" && continue
        echo "FAILED: causes.tsv: $class points to $section, which is not there"
        ;;
    hint | hint:lab[0-9]*) ;;
    *) echo "FAILED: causes.tsv: $class: no such row: $what" ;;
    esac
done >"$work/pointers"
if [ -f tests/zoo/manifest.tsv ]; then
    awk -F'\t' 'FILENAME ~ /causes/ { sub(/:.*/, "", $2); known[$1, $2] = 1; next }
        !/^#/ && NF > 4 && $4 != "hostile" && $5 != "-" && !told[$5]++ {
            if (!(($5, "section") in known)) print "FAILED: causes.tsv: no section for " $5
            if (!(($5, "hint") in known)) print "FAILED: causes.tsv: no hint for " $5
        }' handouts/causes.tsv tests/zoo/manifest.tsv >>"$work/pointers"
fi
for rubric in labs/lab*-*/lab.cfg; do
    lab=${rubric#labs/} lab=${lab%%-*}
    sed -n 's/^[^#]*section = "\([^"]*\)".*/\1/p' "$rubric" | sort -u >"$work/sections"
    while IFS= read -r section; do
        page=$pages/${section%%.md*}.html
        case $section in
        *.md) [ -f "$page" ] && continue ;;
        *.md#*) [ -f "$page" ] && ids_of "$page" | grep -qxF -- "${section#*#}" && continue ;;
        esac
        echo "FAILED: $rubric points to $section, which is not there"
    done <"$work/sections"
    if ! grep -qs "^{{rubric $lab}}$" "handouts/$lab.md"; then
        echo "FAILED: handouts/$lab.md does not show its rubric"
        continue
    fi
    # Written by include.awk: every case and check must have come through, and 100 points in all.
    awk '/<strong>(Products|Checks): [0-9]+ points/ {
            match($0, /: [0-9]+/)
            points += substr($0, RSTART + 2, RLENGTH - 2)
        }
        END {
            if (points != 100)
                print "FAILED: the tables of " FILENAME " have " points + 0 " points, not 100"
        }
        ' "$pages/$lab.html"
    sed -n 's/^[^#]*[{ ]name = "\([^"]*\)".*/\1/p' "$rubric" >"$work/names"
    while IFS= read -r name; do
        grep -q "<td[^>]*>$name</td>" "$pages/$lab.html" \
            || echo "FAILED: $pages/$lab.html lacks the row $name of $rubric"
    done <"$work/names"
done >>"$work/pointers"
cat "$work/pointers"
failures=$((failures + $(wc -l <"$work/pointers")))

# ---- No solution in a text for students: lines of code between the markers, blanks squeezed ----
squeeze='s/[[:space:]][[:space:]]*/ /g; s/^ //; s/ $//'
for solution in solutions/lab*/lab*.cu; do
    [ -f "$solution" ] || continue
    sed -n '/BEGIN SOLUTION/,/END SOLUTION/p' "$solution" | grep -v '^ *//' | sed "$squeeze" |
        awk 'length($0) > 24 && !/^dim3 block/' >>"$work/solution"
done
if [ -s "$work/solution" ]; then
    for text in handouts/*.md handouts/examples/*.cu handouts/figures/*.cu \
        handouts/transcripts/*.txt; do
        [ "$text" != handouts/instructors.md ] || continue
        sed "$squeeze" "$text" | grep -nF -f "$work/solution" >"$work/leak" &&
            failed "$text holds a line of a solution: $(head -n 1 "$work/leak")"
    done
fi

# ---- Figures, transcripts, examples ----
for figure in "$pages"/figures/*.svg; do
    name=$(basename "$figure" .svg)
    grep -q "^{{figure $name " handouts/*.md || failed "figure $name is not used"
    [ "$(grep -cE '<title |<desc ' "$figure")" -eq 2 ] ||
        failed "figure $name has no title or description"
    if command -v xmllint >/dev/null 2>&1; then
        xmllint --noout "$figure" || failed "figure $name is not well formed"
    fi
done
for transcript in handouts/transcripts/*.txt; do
    name=$(basename "$transcript" .txt)
    grep -q "^{{transcript ${name}[ }]" handouts/*.md || failed "transcript $name is not used"
done
for example in handouts/examples/*.cu; do
    grep -q "$(basename "$example")" handouts/*.md handouts/transcripts/*.txt \
        || failed "$example is not used"
done

questions=$(wc -l <"$work/questions")
echo "handouts: $# pages, $questions questions, $rows ideas covered, $failures failed"
[ "$failures" -eq 0 ]
