#!/bin/sh
# one-list-test.sh SEAL-QUESTIONS SEAL-BOOK: a question that stands in one place alone is noticed.
#
# Each line below spoils a copy of the texts in one way; the two programs that write the sealed
# files must refuse it, and say where. One line a failure.
set -u
cd "$(dirname "$0")/../../.." || exit 1
questions=$(realpath "$1") book=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

mkdir -p "$work/kept/grading" "$work/kept/handouts"
cp -R grading/questions "$work/kept/grading/"
cp -R handouts/*.md handouts/instructors "$work/kept/handouts/"
tar -cf - labs/*/lab.cfg | tar -xf - -C "$work/kept"

# spoiled STATUS PROGRAM WHY FILE SED: what PROGRAM --check says of a FILE that SED has changed
spoiled() {
    rm -rf "$work/kit" && cp -R "$work/kept" "$work/kit"
    sed "$5" "$work/kept/$4" >"$work/kit/$4"
    if [ "$1" -ne 0 ] && cmp -s "$work/kept/$4" "$work/kit/$4"; then
        echo "FAILED: $5 changes nothing in $4"
        failures=$((failures + 1))
    fi
    case $2 in
    questions) (cd "$work/kit" && "$questions" --check --sample 0 lab3) >"$work/said" 2>&1 ;;
    book) (cd "$work/kit" && "$book" --check) >"$work/said" 2>&1 ;;
    esac
    status=$?
    if [ $status -ne "$1" ] || ! grep -q "$3" "$work/said"; then
        echo "FAILED: with $5 in $4, $2 ends with $status, says $(cat "$work/said")"
        failures=$((failures + 1))
    fi
}

lab3=handouts/lab3.md answers=handouts/instructors/answers.md
block='/^<!-- question lab3.banks -->/,/^<!-- end -->/'
spoiled 0 questions 'as they were' $lab3 ''
spoiled 0 book 'as the text has them' $lab3 ''
spoiled 2 questions 'lab3.md has no block for lab3.debugger' $lab3 \
    '/^<!-- question lab3.debugger -->/,/^<!-- end -->/d'
spoiled 2 questions 'lab3.md: lab3.none is no question of the lab' $lab3 \
    's/lab3.banks -->/lab3.none -->/'
spoiled 2 questions 'lab3.md: lab3.sm stands there twice' $lab3 's/lab3.banks -->/lab3.sm -->/'
spoiled 2 questions 'lab3.md: question 8: another number stands there' $lab3 "${block}d"
spoiled 2 questions 'lab3.md: question 6: another number stands there' $lab3 \
    's/^> \*\*Q3.6\*\*/> **Q3.7**/'
spoiled 2 questions 'lab3.md: question 14: its block has no <!-- end -->' $lab3 \
    '/lab3.debugger -->/,/^## /s/^<!-- end -->//'
spoiled 1 questions 'lab3.json is not what the formulas say' $lab3 's/^> \*\*Q3.6\*\* Width/& of/'
spoiled 1 book 'lab3.md asks Q3.6, and .* has no answer' $answers '/^\*\*Q3.6\*\*/,/^$/d'
spoiled 1 book 'answers.md answers Q3.7, and handouts/lab3.md does not ask it' $answers \
    's/^\*\*Q3.6\*\*/**Q3.7**/'
spoiled 1 book 'answers.md answers Q3.99, and' $answers 's/^\*\*Q3.6\*\* .*/&\n\n**Q3.99** Yes./'

memory=handouts/memory.md
spoiled 1 book 'memory.md asks QM.9, and .* has no answer' $memory 's/^> \*\*QM.1\*\*/> **QM.9**/'
spoiled 1 book 'answers.md answers QM.1, and no handout asks it' $memory \
    's/^> \*\*QM.1\*\*/> **QM.9**/'
spoiled 1 book "memory.md asks Q3.2, and its lab's list does not have it" $memory \
    's/^> \*\*QM.1\*\*/> **Q3.2**/'
spoiled 1 book "lab3.md asks Q3.99, and its lab's list does not have it" $lab3 \
    's/^## <a id="todo"><.a>.*/> **Q3.99** Why?\n\n&/'

[ $failures -eq 0 ] && echo "questions: each lab has one list, and what stands alone is noticed"
exit $((failures > 0))
