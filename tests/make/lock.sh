# One build at a time in a build folder, whatever becomes of it.

mkdir "$work/lock"
# In place of make: begins, waits until it may go on, ends.
cat >"$work/lock/make" <<'END'
#!/bin/sh
[ "$KIT_STAGE" != ask ] || exit 0
case "$*" in *clean*) rm -rf build && exit ;; esac
echo "begin $NAME" >>"$LOG"
[ -z "${GATE-}" ] || read -r _ <"$GATE"
echo "end $NAME" >>"$LOG"
END
chmod +x "$work/lock/make"
LOG=$work/lock/log
export LOG
mkfifo "$work/lock/gate" "$work/lock/gate2"
builds() { # builds NAME [GATE] [BUILD]: in the background
    NAME=$1 GATE=${2-} BUILD=${3:-build} KIT_BUILDS=lab3 \
        tools/build "$work/lock/make" lab3 >>"$work/out" 2>>"$work/err" &
}
logged() { # logged LINE: waits for it
    tries=0
    until grep -qx "$1" "$LOG" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || return 1
        sleep 0.1
    done
}
waits() {
    tries=0
    until grep -q 'make: waiting for another build in build' "$work/err"; do
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || return 1
        sleep 0.1
    done
}
: >"$work/out"
: >"$work/err"
builds one "$work/lock/gate"
check "the first begins" logged "begin one"
builds two
check "the second says that it waits" waits
check "and does" not grep -q two "$LOG"
builds elsewhere "" build-2
check "another build folder has a lock of its own" logged "end elsewhere"
echo >"$work/lock/gate"
check "the second begins" logged "end two"
wait
check "after the end of the first" \
    [ "$(grep -v elsewhere "$LOG" | tr '\n' ' ')" = "begin one end one begin two end two " ]

# kill -9 of the one that holds the lock, and of all that it started.
rm -f "$LOG"
NAME=killed GATE=$work/lock/gate KIT_BUILDS=lab3 setsid tools/build "$work/lock/make" lab3 &
killed=$!
check "one begins" logged "begin killed"
builds next
kill -9 "-$killed"
check "after kill -9 the next begins at once" logged "end next"
wait

# make clean takes the lock's file away under those who wait for it.
rm -f "$LOG"
: >"$work/err"
builds first "$work/lock/gate"
check "one begins" logged "begin first"
(
    KIT_BUILDS='' tools/build "$work/lock/make" clean
    NAME=third GATE=$work/lock/gate2 KIT_BUILDS=lab3 tools/build "$work/lock/make" lab3
) 2>>"$work/err" &
check "clean waits" waits
builds second
echo >"$work/lock/gate"
check "all come to their end" logged "begin third"
check "unless one still works" \
    sh -c 'sleep 1.5; ! grep -q "begin second" "$1" || grep -q "end second" "$1"' sh "$LOG"
echo >"$work/lock/gate2"
check "the third" logged "end third"
check "the second" logged "end second"
wait
check "and nobody begins before another's end" \
    awk '$1 == "begin" { if (n++) exit 1 } $1 == "end" { n-- }' "$LOG"

# make in a recipe, under the lock.
KIT_LOCKED=$(cd build && pwd -P)
export KIT_LOCKED
rm -f "$LOG"
(
    exec 9>>build/.lock && flock 9
    NAME=inner KIT_BUILDS=lab3 tools/build "$work/lock/make" lab3
) 2>>"$work/err"
check "make under the lock does not wait for it" grep -q "end inner" "$LOG"
unset KIT_LOCKED

# A root folder without /proc, as some containers have it. Only root can make one.
if unshare -m mount -t tmpfs none /proc 2>/dev/null; then
    NAME=bare KIT_BUILDS=lab3 timeout 60 unshare -m sh -c \
        'mount -t tmpfs none /proc && exec tools/build "$0" lab3' "$work/lock/make" 2>>"$work/err"
    check "where there is no /proc, too" grep -q "end bare" "$LOG"
fi
unset LOG
