#!/bin/sh
# run-test: the zoo's runner sees what it is there to see. Each check stands a small script in for
# the grader, one that misbehaves in one way, and looks for the line that must name it. What is
# graded is a zoo of a few entries of the zoo's; then one with differences of all kinds.
# shellcheck disable=SC2016 # the scripts in single quotes are for another shell
here=$(cd "$(dirname "$0")" && pwd) || exit 2
work=$(mktemp -d "${TMPDIR:-/tmp}/zoo-run-test.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
# Names of our own: the zoo itself may run beside this.
ZOO_LEFTOVER=zoo-run-test-$$
export ZOO_LEFTOVER
passed=0 failed=0

# A zoo of the entries that match one of these patterns.
zoo=$work/few/tests/zoo
mkdir -p "$zoo"
cp "$here/run" "$here/difference" "$here/capabilities" "$zoo/" && cp "$here/../sample" "$zoo/.." \
    || exit 2
: >"$zoo/costly.txt"
for pattern in 'lab1/right/[ijk]*' lab1/wrong/zeros lab1/wrong/null-dereference \
    lab1/hostile/network lab3/right/no-tile; do
    for file in "$here"/$pattern.cu; do
        entry=${file#"$here/"}
        mkdir -p "$zoo/${entry%/*}" && cp "$file" "$zoo/$entry" || exit 2
        awk -F '\t' -v entry="$entry" '$1 == entry' "$here/manifest.tsv" >>"$zoo/manifest.tsv"
    done
done

# expect NAME STATUS 'WORDS' 'GRADER BODY' [options of run]: runs with the body as the grader.
expect() {
    name=$1 status=$2 words=$3
    {
        echo '#!/bin/sh'
        echo 'for word; do case $word in json=*) report=${word#json=} ;; esac; done'
        # shellcheck disable=SC2028 # printf of the grader is to expand it
        echo 'miss() { printf "      \"verdict\": \"%s\",\n" "$1" >"$report"; }'
        printf '%s\n' "$4"
    } >"$work/grader"
    chmod +x "$work/grader"
    shift 4
    "$zoo/run" --grader "$work/grader" --no-tree-check "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" -eq "$status" ] && grep -qF -- "$words" "$work/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: status $got (expected $status), output lacks '$words':"
        sed 's/^/    /' "$work/out"
    fi
}

one_right='lab1/right/ikj.cu'
one_wrong='lab1/wrong/zeros.cu'
expect 'right passes' 0 '1 passed, 0 failed, 0 skipped' 'exit 0' --only "$one_right"
expect 'wrong passes' 0 '1 passed, 0 failed, 0 skipped' 'miss wrong_answer; exit 1' \
    --only "$one_wrong"
expect 'false reject' 1 'FALSE REJECT' 'exit 1' --only "$one_right"
expect 'false accept' 1 'FALSE ACCEPT' 'exit 0' --only "$one_wrong"
expect 'not graded' 1 'not graded: no compiler' 'echo no compiler >&2; exit 2' --only "$one_right"
expect 'odd status' 1 'ended with status 3' 'exit 3' --only "$one_right"
expect 'killed by a signal' 1 'hung or was killed' 'kill -KILL $$' --only "$one_right"
expect 'hung' 1 'hung or was killed (status 124' 'sleep 30' --only "$one_right" --limit 1
expect 'process left' 1 'left 1 processes running' 'sleep 30 & exit 0' --only "$one_right"
expect 'file in the current folder' 1 'left cwd/x behind' ': >x' --only "$one_right"
expect 'file in TMPDIR' 1 'left tmp/x behind' ': >"$TMPDIR/x"' --only "$one_right"
expect 'file in HOME' 1 'changed the home folder' ': >"$HOME/x"' --only "$one_right"
expect 'home emptied' 1 'changed the home folder' 'rm "$HOME/sentinel"' --only "$one_right"
expect 'file in /tmp' 1 'left /tmp/zoo-run-test-' ': >/tmp/$ZOO_LEFTOVER-x' --only "$one_right"
expect 'source changed' 1 'changed its own source' 'echo >>"$3"' --only "$one_right"
expect 'secrets shown' 1 'report shows /etc/passwd' 'echo root:x:0:0:root; exit 0' \
    --only "$one_right"
expect 'escapes' 1 'escape sequences' 'printf "\033[31m"' --only "$one_right"
expect 'endless report' 1 'longer than 64 KiB' 'head -c 100000 /dev/zero' --only "$one_right"
expect 'signal missing' 1 "report lacks 'SIGSEGV'" 'exit 1' --only 'lab1/wrong/null-dereference.cu'
expect 'signal there' 0 '1 passed' 'miss crash; echo SIGSEGV; exit 1' \
    --only 'lab1/wrong/null-dereference.cu'
expect 'misses something else' 1 'does not miss wrong_answer, but crash' 'miss crash; exit 1' \
    --only "$one_wrong"
expect 'says nothing of what it misses' 1 'does not miss wrong_answer' 'exit 1' --only "$one_wrong"
# A grader that calls every mistake no-work.
classes='printf "  \"diagnosis\": {\n    \"class\": \"no-work\",\n  },\n" >"$report"
    case $3 in *zeros.cu) verdict=wrong_answer ;; *) verdict=crash; echo SIGSEGV ;; esac
    printf "      \"verdict\": \"%s\",\n" $verdict >>"$report"
    exit 1'
expect 'classes' 0 'lab 1: 1 of 2 classes right' "$classes" --only 'lab1/wrong/*' --classes
expect 'classes, in all' 0 'diagnosis: 1 of 2 classes right (50.0 %), 0 unsure, 1 wrong' \
    "$classes" --only 'lab1/wrong/*' --classes
expect 'the class that is wrong' 0 'and is called no-work' "$classes" --only 'lab1/wrong/*' \
    --classes
expect 'skipped' 0 '0 passed, 0 failed, 1 skipped' 'exit 0' --only 'lab1/hostile/network.cu' \
    --can ''
expect 'can' 1 'FALSE ACCEPT' 'exit 0' --only 'lab1/hostile/network.cu' --can 'races sandbox'
expect 'two lines of one file' 0 '1 passed, 0 failed, 0 skipped' 'miss reuse; exit 1' \
    --only 'lab3/right/no-tile.cu' --can evidence
expect 'seeds' 0 '2 passed' 'case "$*" in *"--seed 7"* | *"--seed 9"*) exit 0 ;; esac; exit 1' \
    --only "$one_right" --seeds '7 9'
expect 'arguments' 0 '1 passed' \
    '[ "$1 $2 $4 $5" = "lab1 --submission --backend gpu" ] && [ -f "$3" ]' \
    --only "$one_right" --backend gpu
export ZOO_MINUTE=5 # enough to begin one on a busy machine
others=$(($(grep -c '^lab1/right/' "$zoo/manifest.tsv") - 1))
expect 'time is up' 0 "$others not begun: 1 minutes are over" 'sleep 6; exit 0' \
    --only 'lab1/right/*' --minutes 1 --jobs 1
expect 'what began counts' 0 '1 passed, 0 failed' 'sleep 6; exit 0' --only 'lab1/right/*' \
    --minutes 1 --jobs 1
expect 'no such option' 2 'unknown option' 'exit 0' --wrong
expect 'no such grader' 2 'no grader at' 'exit 0' --grader /nonexistent
expect 'jobs not a number' 2 'not a positive number' 'exit 0' --jobs two

# ---- differences ----

zoo=$work/kit/tests/zoo
mkdir -p "$zoo/lab1/right" "$zoo/lab1/wrong"
cp "$here/run" "$here/difference" "$here/capabilities" "$zoo/"
: >"$zoo/costly.txt"
row() {
    printf '%s\t1\t%s\t%s\t-\t%s\t-\t-\n' "$@" >>"$zoo/manifest.tsv"
}
row lab1/right/base.cu full right -
row lab1/wrong/x.cu not-full wrong wrong_answer
cat >"$zoo/lab1/right/base.cu" <<'END'
/* The base,
 * with a comment of two lines. */

one {

    same;
    two;
}
other {
    same;
    three;
}
END
cat >"$work/whole" <<'END'
// A mistake.
zero
one {

    same;
    two;
    two and a half;
}
other {
    three;
}
END
cat >"$work/good" <<'END'
// A mistake.
--- tests/zoo/lab1/right/base.cu
+zero
 one {
@@

     same;
     two;
+    two and a half;
@@
 other {
-    same;
END

# refused NAME 'SED EXPRESSION' 'WORDS': x, changed so, does not apply, and the words say why.
refused() {
    sed "$2" "$work/good" >"$zoo/lab1/wrong/x.diff"
    expect "$1" 2 "$3" 'exit 1' --only 'lab1/wrong/*'
}

cp "$work/good" "$zoo/lab1/wrong/x.diff"
expect 'a difference is graded whole, under its name' 0 '1 passed, 0 failed' \
    'cmp "$3" '"$work/whole"' && case $3 in */lab1/wrong/x.cu) miss wrong_answer; exit 1 ;; esac' \
    --only 'lab1/wrong/*'
expect 'source changed that was a difference' 1 'changed its own source' \
    'echo >>"$3"; miss wrong_answer; exit 1' --only 'lab1/wrong/*'
expect 'file beside a difference' 1 '/made/lab1/wrong/zoo-run-test-' \
    ': >"${3%/*}/$ZOO_LEFTOVER-x"; miss wrong_answer; exit 1' --only 'lab1/wrong/*'
there='lab1/wrong/x.diff: does not apply to tests/zoo/lab1/right/base.cu:'
refused 'a line that the base lacks' 's/^ other {/ others {/' "$there nowhere reads: others {"
refused 'a blank more than the base' 's/^-  /-   /' "$there nowhere reads:      same;"
refused 'a line of the comment' 's/^ one {/ \* with a comment of two lines. *\//' \
    "$there nowhere reads: * with"
refused 'lines that stand apart' '/^     same;/d' "$there nowhere read together: "
refused 'two places' '/^ other {/d' "$there 2 places read:     same;"
refused 'no place' '/^ one {/d' "$there a change without a line of the base"
refused 'changes in another order' '/^+zero/,/^@@/d; $a@@\n+zero\n one {' \
    "$there before the last change: one {"
refused 'a line that is no change' 's/^+zero/zero/' 'lab1/wrong/x.diff: line 3 is no change: zero'
refused 'no base' '/^---/d' 'lab1/wrong/x.diff: no line "--- BASE"'
refused 'a base that is not there' 's|base.cu|none.cu|' \
    'lab1/wrong/x.diff: there is nothing at its base, tests/zoo/lab1/right/none.cu'
refused 'itself' 's|right/base.cu|wrong/x.cu|' 'lab1/wrong/x.diff: the base of a base must be whole'
cp "$work/good" "$zoo/lab1/wrong/x.diff"
cp "$work/whole" "$zoo/lab1/wrong/x.cu"
expect 'file and difference' 2 'lab1/wrong/x.cu: both a file and a difference' 'exit 1'
rm "$zoo/lab1/wrong/x.cu"

# same NAME FILE: what was printed is in FILE.
same() {
    if cmp -s "$2" "$work/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1:"
        diff "$2" "$work/out" | sed 's/^/    /'
    fi
}
"$zoo/difference" whole lab1/wrong/x.cu >"$work/out" 2>&1
same 'whole' "$work/whole"
"$zoo/difference" whole lab1/right/base.cu >"$work/out" 2>&1
same 'whole, of a file' "$zoo/lab1/right/base.cu"
"$zoo/difference" take "$zoo/lab1/right/base.cu" "$work/whole" >"$work/out" 2>&1
sed '/^$/d; /^     same/d; /^     two/d; 8,$s/^@@/ }/' "$work/good" >"$work/taken"
same 'take' "$work/taken"
sed '5s/$/\n    new;/' "$zoo/lab1/right/base.cu" >"$work/another"
{
    head -n 3 "$work/another"
    printf '%s\n' '--- tests/zoo/lab1/right/base.cu' ' one {' '' '+    new;'
} >"$work/taken"
"$zoo/difference" take "$zoo/lab1/right/base.cu" "$work/another" >"$work/out" 2>&1
same 'take, behind a blank line' "$work/taken"
sed 's/three/four/; 1s/.*/\/\/ Another./' "$work/whole" >"$work/another"
(cd "$zoo" && ./difference take lab1/wrong/x.cu "$work/another") >"$work/out" 2>&1
printf '%s\n' '// Another.' '--- tests/zoo/lab1/wrong/x.cu' '-    three;' '+    four;' \
    >"$work/taken"
same 'take, from a difference' "$work/taken"
(cd "$zoo" && ./difference take lab1/wrong/x.diff "$work/another") >"$work/out" 2>&1
same 'take, from the file of a difference' "$work/taken"
cp "$work/taken" "$zoo/lab1/wrong/y.diff"
"$zoo/difference" all "$work/all" >"$work/out" 2>&1
cat "$work/all/lab1/wrong/y.cu" >"$work/out"
same 'a difference from a difference' "$work/another"
sed 's|wrong/x|wrong/y|' "$work/taken" >"$zoo/lab1/wrong/z.diff"
"$zoo/difference" whole lab1/wrong/z.cu 2>&1 | head -n 1 >"$work/out"
echo 'difference: lab1/wrong/x.diff: the base of a base must be whole' >"$work/named"
same 'a third difference' "$work/named"
find "$work/all" -type f | sort >"$work/out"
printf '%s\n' "$work/all/lab1/right/base.cu" "$work/all/lab1/wrong/x.cu" \
    "$work/all/lab1/wrong/y.cu" >"$work/named"
same 'all are whole' "$work/named"
printf '// No end of line' >"$work/endless"
"$zoo/difference" take "$zoo/lab1/right/base.cu" "$work/endless" >"$work/out" 2>&1
echo "difference: $work/endless cannot be written as a difference" >"$work/named"
same 'take, of what is no text of lines' "$work/named"

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
