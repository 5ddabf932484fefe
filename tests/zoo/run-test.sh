#!/bin/sh
# run-test: the zoo's runner sees what it is there to see. Each check stands a small script in for
# the grader, one that misbehaves in one way, and looks for the line that must name it.
# shellcheck disable=SC2016 # the scripts in single quotes are for another shell
here=$(cd "$(dirname "$0")" && pwd) || exit 2
work=$(mktemp -d "${TMPDIR:-/tmp}/zoo-run-test.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
# Names of our own: the zoo itself may run beside this.
ZOO_LEFTOVER=zoo-run-test-$$
export ZOO_LEFTOVER
passed=0 failed=0

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
    "$here/run" --grader "$work/grader" --no-tree-check "$@" >"$work/out" 2>&1
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
export ZOO_MINUTE=2
expect 'time is up' 0 '18 not begun: 1 minutes are over' 'sleep 3; exit 0' --only 'lab1/right/*' \
    --minutes 1 --jobs 1
expect 'what began counts' 0 '1 passed, 0 failed' 'sleep 3; exit 0' --only 'lab1/right/*' \
    --minutes 1 --jobs 1
expect 'no such option' 2 'unknown option' 'exit 0' --wrong
expect 'no such grader' 2 'no grader at' 'exit 0' --grader /nonexistent
expect 'jobs not a number' 2 'not a positive number' 'exit 0' --jobs two

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
