# All cores, unless -j says otherwise; several goals one after the other, unless -j says otherwise.

# In place of make: tells how it was called.
mkdir "$work/jobs"
cat >"$work/jobs/make" <<'END'
#!/bin/sh
echo "$KIT_STAGE: $*" >>"$CALLS"
END
printf '#!/bin/sh\necho 7\n' >"$work/jobs/nproc"
chmod +x "$work/jobs/make" "$work/jobs/nproc"
called() { # called MAKEFLAGS BUILDS GOAL...: what make was called with, each line's flags and goals
    flags=$1 builds=$2
    shift 2
    rm -f "$work/calls"
    CALLS=$work/calls PATH="$work/jobs:$PATH" MAKEFLAGS=$flags KIT_BUILDS=$builds \
        tools/build make "$@" >"$work/out" 2>"$work/err"
    sed 's/ --no-print-directory//; /^ask/d' "$work/calls" >"$work/out"
}
is() { printf '%s\n' "$@" | diff - "$work/out"; }

called "s" "lab3" lab3
check "all cores" is "build: -j7 lab3"
called "s -j1" "lab3" lab3
check "-j1" is "build: lab3"
called " -j4 --jobserver-auth=3,4" "lab3" lab3
check "-j4" is "build: lab3"
called "s -- CFLAGS=-j" "lab3" lab3
check "a variable is no option" is "build: -j7 lab3"
called "s" "lab3 lab4" lab3 lab4
check "builds go together" is "build: -j7 lab3 lab4"
called "s" "lab3" clean lab3
check "clean comes before what follows it" is "run: clean" "build: -j7 lab3"
called "s" "" test-unit test-labs
check "what runs something waits for what is named before it" \
    is "build: -j7 test-unit" "run: test-unit" "build: -j7 test-labs" "run: test-labs"
called "s -j4 --jobserver-auth=3,4" "" test-unit test-labs
check "but with -j" is "build: test-unit test-labs" "run: test-unit test-labs"
called "s" "" help
check "help builds nothing" is "run: help"

# The makefiles' part: a goal that runs something gets what it needs, and does not run, in the first
# of two stages.
printf 'goal: some-file ## a goal\n\t@echo ran\nsome-file:\n\t@echo made; : >$@\n' >mk/lms.mk
check "stage build" ends 0 env KIT_STAGE=build make goal
check "makes" said made
check "and does not run" not said ran
check "stage run" ends 0 env KIT_STAGE=run make goal
check "runs" said ran
rm some-file
check "make does both" ends 0 make goal
check "in their order" [ "$(cat "$work/out")" = "made
ran" ]
check "make -n shows both" ends 0 make -n goal
check "and does neither" said 'echo ran'
