# shellcheck shell=sh
# shellcheck disable=SC2154
# checks.sh: how tests/course/run and tests/course/lab check. They set `root`, the kit; `built`, its
# build folder; `work`, a folder for courses and for what programs print; and `seed`.
checks=0 failures=0

check() { # check WHAT COMMAND...
    what=$1
    shift
    checks=$((checks + 1))
    "$@" || {
        failures=$((failures + 1))
        echo "FAIL $what"
        tail -n 40 "$work/out" "$work/err" 2>/dev/null | sed 's/^/    /'
    }
}
# ends STATUS COMMAND...: keeps what it prints in $work/out and $work/err.
ends() {
    wanted=$1
    shift
    "$@" >"$work/out" 2>"$work/err" </dev/null
    [ $? -eq "$wanted" ]
}
said() { grep -qF -- "$1" "$work/out"; }
complained() { grep -qF -- "$1" "$work/err"; }
not() { ! "$@"; }

# course NAME TEXT: writes $work/NAME as this text says.
course() {
    printf 'format = 1;\n%s\n' "$2" >"$work/$1.cfg"
    course/write --facts "$built/bin/course-facts" --secret "$work/secret" \
        --variant "$work/$1.cfg" fall26 "$work/$1"
}
# graded NAME LAB FILE [OPTION...]: grades a file as the course does.
graded() {
    course=$1 lab=$2 file=$3
    shift 3
    GRADER_ROOT=$work/$course "$built/bin/grader" "$lab" --backend vgpu --seed "$seed" \
        --submission "$file" "$@"
}

# loses COURSE LAB FILE FIRST LAST: does not get full marks. One of these cases shows it most often,
# and else all do. From the first case on, the one that is told of is the first that fails, as in a
# report on all.
loses() {
    for one in $(GRADER_ROOT=$work/$1 "$built/bin/grader" "$2" --describe=cases |
        grep -o '"name": "[^"]*"' | sed -n "$4,$5s/.*\"\(.*\)\"\$/\1/p"); do
        ! ends 1 graded "$1" "$2" "$3" --case "$one" || return 0
    done
    ends 1 graded "$1" "$2" "$3"
}
