# Several makes and graders at once in one folder, from a fresh clone and from a built tree; with
# the user's compiler and flags, which also makes the builds short.
CC=$root/tests/cc-once CFLAGS=-O0 LDFLAGS=-Wl,-O1
export CC CFLAGS LDFLAGS

# at_once COMMAND...: each in the background; all must end with 0, a grader with 1 (a skeleton).
at_once() {
    n=0 pids=
    for command in "$@"; do
        n=$((n + 1))
        sh -c "$command" >"$work/out.$n" 2>"$work/err.$n" &
        pids="$pids $!"
    done
    n=0
    for pid in $pids; do
        n=$((n + 1))
        wait "$pid"
        status=$?
        grep -qE '^make.*\*\*\*|No such file' "$work/err.$n" && status="error"
        eval "command=\$$n"
        case $command in *grader*) wanted=1 ;; *) wanted=0 ;; esac
        cp "$work/out.$n" "$work/out"
        cp "$work/err.$n" "$work/err"
        check "$when: $command" [ "$status" = "$wanted" ]
    done
}
works() {
    for n in "$@"; do
        check "$when: lab $n's program runs" ends 0 "build/vgpu/lab$n" --help
    done
}
make="make BACKEND=vgpu NVCC="
grader="NVCC= ./grader lab3 --backend vgpu --case one-tile"
when="a fresh clone"
at_once "$make lab3" "$make lab4" "$grader" "$grader"
works 3 4
when="a built tree in which much has changed"
touch vgpu/src/*/[a-f]*.c grading/src/*/[a-f]*.c common/*.h
touch labs/lab*/*.cu
at_once "$make lab3" "$make -C labs/lab4-tiled-any-size" "$make -j2 lab2 lab5" "$grader"
works 2 3 4 5
when="a built tree"
at_once "$make lab3" "$make lab4" "$make lab3 lab4" "$grader"
check "$when: nothing is made anew" not grep -qhE '^  [A-Z]+ ' "$work"/out.[123]
when="the end"
check "$when: no temporary file is left" \
    [ -z "$(find build -name '*.new' -o -name '.grader-new.*')" ]
unset CC CFLAGS LDFLAGS
