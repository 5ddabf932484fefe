# The moving line: on a terminal, from the second second on. Plain lines for everybody else.

mkdir "$work/line"
cat >"$work/line/make" <<'END'
#!/bin/sh
case " $* " in
*" -n "*)
    printf '%s\n' 'echo "  CC    one.c"' '  CC    two.c' 'echo "  LD    all"'
    exit
    ;;
esac
sleep "${LOOKS:-0}"
echo "  CC    one.c"
sleep "${PAUSE:-0}"
echo "two.c: a warning" >&2
echo "  CC    two.c"
echo "Run it"
exit "${STATUS:-0}"
END
chmod +x "$work/line/make"
# On a terminal of script(1): build NAME=VALUE...
on_terminal() {
    script -qec "env TERM=xterm MAKEFLAGS=s KIT_BUILDS=lab3 $* tools/build '$work/line/make' lab3" \
        /dev/null </dev/null >"$work/out" 2>"$work/err"
}
check "on a terminal" on_terminal PAUSE=3
check "there is a line that moves" said "building 2 of 3  two.c"
check "not in the first second" not said "building 1"
check "files have no lines of their own" not said "  CC "
check "what else is said stays" said "Run it"
check "and so do warnings" said "two.c: a warning"
check "it begins with the first file" not said "looking at"
check "a machine that is slow to say what it has" on_terminal LOOKS=3
check "has a line for that" said "looking at what this machine has"
check "a build of less than a second" on_terminal PAUSE=0
check "moves nothing" not said "building"
check "a failed build" not on_terminal STATUS=2
check "V=1" on_terminal PAUSE=3 MAKEFLAGS=
check "has no moving line" not said "building"
check "a log of continuous integration" on_terminal PAUSE=3 CI=true
check "has none" not said "building"
check "and plain lines" said "  CC    two.c"
check "a terminal that cannot move" on_terminal PAUSE=3 TERM=dumb
check "has none" not said "building"
check "the grader's build" on_terminal PAUSE=3 "KIT_LOG=$work/line/log"
check "has one" said "building 2 of 3  two.c"
check "and keeps the rest" not said "Run it"
check "in its log" grep -q "Run it" "$work/line/log"
check "without a terminal" ends 0 \
    env MAKEFLAGS=s KIT_BUILDS=lab3 PAUSE=2 tools/build "$work/line/make" lab3
check "there is none" not complained "building"
check "and plain lines" said "  CC    two.c"
check "make's status comes back" ends 2 \
    env MAKEFLAGS=s KIT_BUILDS=lab3 STATUS=2 tools/build "$work/line/make" lab3
