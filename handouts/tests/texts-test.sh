#!/bin/sh
# texts-test.sh: the handouts' texts agree with what they belong to. One line a failure. BUILD names
# the build folder (default: build).
#
#   - what files and commands say in them is current (refresh), and refresh sees what is not
#   - every question in one's own words has an answer, and every answer a question (that the others
#     are the grader's, and the numbers right, is what make test-questions looks at)
#   - every TODO of a lab, and every exercise, has a row in the walkthroughs
#   - every row of coverage.md names a section that exists
#   - every class of mistake in the zoo has hints, and a section that helps and exists (causes.tsv)
#   - every section that a rubric names exists, and the table of each lab's handout is the rubric's
#   - no line of a solution stands in a text for students
#   - every figure, transcript and example is used
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
export LC_ALL=C

failed() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# The names of a text's headings, one a line: the given ones, and what code hosts make of the words.
names_of() {
    sed -n 's/^##.* *<a id="\([^"]*\)"><\/a>.*/\1/p; t
        s/^##* *//; t words
        b
        :words
        y/ABCDEFGHIJKLMNOPQRSTUVWXYZ /abcdefghijklmnopqrstuvwxyz-/
        s/[^a-z0-9_-]//g; p' "$1"
}
# there SECTION: lab3.md#idea is a heading of handouts/lab3.md
there() {
    [ -f "handouts/${1%%#*}" ] || return 1
    case $1 in *#*) names_of "handouts/${1%%#*}" | grep -qxF -- "${1#*#}" ;; esac
}
for section in lab3.md#idea lab3.md#questions debugging.md; do
    there $section || failed "$section is not found"
done
for section in lab3.md#ideas lab33.md; do
    ! there $section || failed "$section is found"
done

# ---- What is shown of files and commands ----
handouts/refresh --check 2>"$work/stale" || failed "$(cat "$work/stale")"
# Would it see? In a kit of links, whose handouts are copies.
mkdir "$work/kit"
for entry in "$PWD"/*; do ln -s "$entry" "$work/kit/"; done
rm "$work/kit/handouts" && cp -R handouts "$work/kit/"
# refuses WHY SED FILE: refresh --check says WHY once FILE is changed
refuses() {
    sed "$2" "handouts/$3" >"$work/kit/handouts/$3"
    cmp -s "handouts/$3" "$work/kit/handouts/$3" && failed "nothing to change in $3: $2"
    "$work/kit/handouts/refresh" --check >"$work/said" 2>&1
    status=$?
    if [ $status -ne 1 ] || ! grep -q "$1" "$work/said"; then
        failed "refresh --check with $2 in $3: status $status, says $(cat "$work/said")"
    fi
    cp "handouts/$3" "$work/kit/handouts/$3"
}
refuses '^handouts/lab3.md is not current' 's/TILE x TILE arrays/arrays/' lab3.md
refuses '^handouts/lab3.md is not current' 's/^| reuse |/| use |/' lab3.md
refuses '^handouts/lab3.md is not current' 's/one-tile *32 x 32/one-tile 16 x 16/' lab3.md
refuses '^handouts/lab3.md is not current' 's/^!\[/![Not so /' lab3.md
refuses '^handouts/lab3.md is not current' 's/one-tile/a-tile/' transcripts/full-marks.txt
refuses '^handouts/00-start.md is not current' 's/blockIdx/threadIdx/' examples/who.cu
refuses '^handouts/lab3.md is not current' 's/<title \([^>]*\)>/&Not so: /' figures/phases.svg
refuses '^handouts/lab3.md is not current' 's/^> \*\*Q3.5\*\*/> **Q3.6**/' lab3.md
refuses '^handouts/lab3.md:[0-9]*: grading/questions/lab3.json has no question lab3.none' \
    's/question lab3.banks -->/question lab3.none -->/' lab3.md
refuses '^handouts/lab3.md:[0-9]*: no TODO 9 in labs/lab3' 's/TODO 1 -->/TODO 9 -->/' lab3.md
refuses '^handouts/lab3.md:[0-9]*: cannot read handouts/transcripts/none.txt' \
    's/transcript full-marks/transcript none/' lab3.md
refuses '^handouts/00-start.md:[0-9]*: no lines from' 's|cu /__global__/|cu /__none__/|' 00-start.md
refuses '^handouts/lab3.md: a block has no <!-- end -->' '/^<!-- end -->/d' lab3.md
# It puts right what it finds, and no more.
sed 's/TILE x TILE arrays/arrays/' handouts/lab3.md >"$work/kit/handouts/lab3.md"
"$work/kit/handouts/refresh" >"$work/said" 2>&1 || failed "refresh: $(cat "$work/said")"
diff -r handouts "$work/kit/handouts" >"$work/said" || failed "refresh: $(head -n 3 "$work/said")"
! grep -n '{{\|^:::\|{#' handouts/*.md handouts/instructors/*.md >"$work/left" ||
    failed "what no code host shows: $(head -n 1 "$work/left")"

# ---- Questions and answers ----
sed -n '/^<!-- question /,/^<!-- end/d
    s/^> \*\*\(Q[0-9A-Z]*\.[0-9]*\)\*\*.*/\1/p' handouts/*.md | sort >"$work/questions"
sed -n 's/^\*\*\(Q[0-9A-Z]*\.[0-9]*\)\*\*.*/\1/p' handouts/instructors/answers.md \
    | sort >"$work/answers"
uniq -d "$work/questions" | while IFS= read -r q; do echo "FAILED: question $q is asked twice"; \
    done >"$work/twice"
cat "$work/twice"
failures=$((failures + $(wc -l <"$work/twice")))
diff "$work/questions" "$work/answers" >"$work/difference" ||
    failed "questions (<) and answers (>) differ: $(grep '^[<>]' "$work/difference" | tr '\n' ' ')"

# ---- Walkthroughs: a row for every TODO of every lab, and for every exercise ----
walk=handouts/instructors/walkthroughs.md
for skeleton in labs/lab*-*/lab*.cu; do
    name=$(basename "$skeleton" .cu)
    sed -n 's/.*\/\/ TODO \([0-9]*\):.*/\1/p' "$skeleton" | sort -n >"$work/todos"
    sed -n "/^## Lab ${name#lab}\$/,/^## /s/^| \([0-9][0-9]*\) |.*|.*|.*|.*|\$/\1/p" $walk \
        >"$work/walked"
    cmp -s "$work/todos" "$work/walked" ||
        failed "$walk: $name has the TODOs $(tr '\n' ' ' <"$work/todos"), and rows for" \
            "$(tr '\n' ' ' <"$work/walked")"
done
for exercise in labs/exercises/*.cu; do
    name=$(basename "$exercise" .cu)
    grep -q "^| $name |" $walk || failed "$walk: no row for the exercise $name"
done

# ---- Coverage ----
sed -n 's/^|[^|]*|[^|]*| \([a-z0-9-]*\)\.md\(#[a-z0-9-]*\)\{0,1\} |.*/\1 \2/p' \
    handouts/coverage.md >"$work/coverage"
while read -r name place; do
    there "$name.md$place" || failed "coverage.md: no $place in $name.md"
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
            echo "FAILED: causes.tsv: $class points to $section, which is not a topic"
            continue
            ;;
        esac
        there "$section" && continue
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
        there "$section" ||
            echo "FAILED: $rubric points to $section, which is not there"
    done <"$work/sections"
    if ! grep -qsx "<!-- points $lab -->" "handouts/$lab.md"; then
        echo "FAILED: handouts/$lab.md does not show its rubric"
        continue
    fi
    # Every case and check must have come through, and 100 points in all.
    awk '/^\*\*(Products|Checks): [0-9]+ points/ {
            match($0, /: [0-9]+/)
            points += substr($0, RSTART + 2, RLENGTH - 2)
        }
        END {
            if (points != 100)
                print "FAILED: the tables of " FILENAME " have " points + 0 " points, not 100"
        }
        ' "handouts/$lab.md"
    sed -n 's/^[^#]*[{ ]name = "\([^"]*\)".*/\1/p' "$rubric" >"$work/names"
    while IFS= read -r name; do
        grep -q "^| $name |" "handouts/$lab.md" \
            || echo "FAILED: handouts/$lab.md lacks the row $name of $rubric"
    done <"$work/names"
done >>"$work/pointers"
cat "$work/pointers"
failures=$((failures + $(wc -l <"$work/pointers")))

# ---- No solution in a text for students: lines of code between the markers, blanks squeezed ----
squeeze='s/[[:space:]][[:space:]]*/ /g; s/^ //; s/ $//'
for solution in solutions/lab*/lab*.cu solutions/exercises/*.cu; do
    [ -f "$solution" ] || continue
    sed -n '/BEGIN SOLUTION/,/END SOLUTION/p' "$solution" | grep -v '^ *//' | sed "$squeeze" |
        awk 'length($0) > 24 && !/^dim3 block/' >>"$work/solution"
done
if [ -s "$work/solution" ]; then
    for text in handouts/*.md handouts/examples/*.cu handouts/figures/*.cu \
        handouts/transcripts/*.txt; do
        [ "$text" != handouts/instructors.md ] || continue
        # An excerpt is of a file that students have, and so is a question that is checked.
        sed "/^<!-- excerpt [^s]/,/^<!-- end/d; /^<!-- question /,/^<!-- end/d; $squeeze" "$text" |
            grep -nF -f "$work/solution" >"$work/leak" &&
            failed "$text holds a line of a solution: $(head -n 1 "$work/leak")"
    done
fi

# ---- Figures, transcripts, examples ----
for figure in handouts/figures/*.svg; do
    name=$(basename "$figure" .svg)
    grep -q "^!\[.*](figures/$name.svg)$" handouts/*.md || failed "figure $name is not used"
    [ "$(grep -cE '<title |<desc ' "$figure")" -eq 2 ] ||
        failed "figure $name has no title or description"
    if command -v xmllint >/dev/null 2>&1; then
        xmllint --noout "$figure" || failed "figure $name is not well formed"
    fi
done
for transcript in handouts/transcripts/*.txt; do
    name=$(basename "$transcript" .txt)
    grep -q "^<!-- transcript $name " handouts/*.md handouts/*/*.md ||
        failed "transcript $name is not used"
done
for example in handouts/examples/*.cu; do
    grep -q "$(basename "$example")" handouts/*.md handouts/transcripts/*.txt \
        || failed "$example is not used"
done

questions=$(wc -l <"$work/questions")
echo "handouts: $questions questions, $rows ideas covered, $failures failed"
[ "$failures" -eq 0 ]
