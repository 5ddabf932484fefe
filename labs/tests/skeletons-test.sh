#!/bin/sh
# skeletons-test.sh: the skeletons in the repository are what the solutions derive to, hold nothing
# of the solutions, and tools/skeleton refuses what it should. Prints one line per failure.
#
# What is compared is what the repository tracks (its index), so that a student's own work in labs/
# is no failure; outside a repository, the files as they are.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0 checks=0

check() { # check NAME COMMAND...: the command must succeed
    checks=$((checks + 1))
    name=$1
    shift
    "$@" || {
        echo "FAILED: $name"
        failures=$((failures + 1))
    }
}

refuses() { ! "$@"; }

# Lines that give something away: not blank, nor a lone brace, comment sign, #pragma unroll, check
# of a launch or head of a template.
telling() {
    sed 's/^[[:space:]]*//; s/[[:space:]]*$//' "$1" | grep -v -e '^[][(){};/]*$' \
        -e '^#pragma unroll$' -e '^template <class S>$' -e '^CUDA_CHECK_LAUNCH();$' | sort -u
}

# ---- The tracked skeletons ----

number=0
for solution in solutions/lab*-*/lab*.cu solutions/exercises/*.cu; do
    lab=labs/${solution#solutions/}
    number=$((number + 1))
    git show ":$lab" >"$work/tracked" 2>/dev/null || cp "$lab" "$work/tracked"
    git show ":$solution" >"$work/solution" 2>/dev/null || cp "$solution" "$work/solution"

    check "$solution derives" tools/skeleton "$work/solution" >"$work/derived"
    check "$lab is what $solution derives to" cmp "$work/derived" "$work/tracked"

    tools/skeleton --secret "$work/solution" >"$work/secret"
    telling "$work/secret" >"$work/secret_lines"
    telling "$work/tracked" >"$work/tracked_lines"
    comm -12 "$work/secret_lines" "$work/tracked_lines" >"$work/leaked"
    check "$solution keeps something back" test -s "$work/secret_lines"
    check "$lab gives nothing away: $(head -n 1 "$work/leaked")" test ! -s "$work/leaked"
    check "$lab holds no marker" refuses grep -nE 'BEGIN SOLUTION|END SOLUTION|SKELETON' \
        "$work/tracked"

    # TODO 1, 2, 3, ... in this order in both, and the same texts.
    grep -o 'TODO [0-9]*:' "$work/tracked" >"$work/todo"
    seq 1 "$(wc -l <"$work/todo")" | sed 's/.*/TODO &:/' >"$work/expected"
    check "$lab numbers its TODOs" cmp "$work/expected" "$work/todo"
    check "$lab has TODOs" test -s "$work/todo"
done
check "there are solutions" test "$number" -ge 5

# ---- The tool ----

cat >"$work/good.cu" <<'END'
void f(int m)
{
    // TODO 1: do it.
    // BEGIN SOLUTION
    int secret = m;
    // SKELETON: (void)m;
    // END SOLUTION
}
END
cat >"$work/good.expected" <<'END'
void f(int m)
{
    // TODO 1: do it.
    (void)m;
}
END
tools/skeleton "$work/good.cu" >"$work/out"
check "a skeleton is the solution without its marked lines" cmp "$work/good.expected" "$work/out"
printf '    int secret = m;\n' >"$work/good.secret"
tools/skeleton --secret "$work/good.cu" >"$work/out"
check "the secret is the marked lines" cmp "$work/good.secret" "$work/out"

malformed() { # malformed NAME EXPECTED-MESSAGE TEXT
    printf '%b' "$3" >"$work/bad.cu"
    check "$1 is refused" refuses tools/skeleton "$work/bad.cu" >/dev/null 2>"$work/err"
    check "$1 is named" grep -q "$2" "$work/err"
}
malformed "an open block" 'bad.cu:1: BEGIN SOLUTION without END' '// BEGIN SOLUTION\nx\n'
malformed "a stray end" 'bad.cu:2: END SOLUTION without a BEGIN' 'x\n// END SOLUTION\n'
malformed "a nested block" 'bad.cu:2: BEGIN SOLUTION inside' \
    '// BEGIN SOLUTION\n// BEGIN SOLUTION\n'
malformed "a stray replacement" 'bad.cu:1: SKELETON outside' '// SKELETON: x\n'
malformed "a marker after code" 'bad.cu:1: a marker must stand alone' 'x; // BEGIN SOLUTION\n'

# ---- Nobody's work is lost ----

cp "$work/good.cu" "$work/s.cu"
update() { tools/skeleton --update "$work/s.cu" "$work/k.cu" "$work/former/k.cu" >"$work/out" \
    2>"$work/err"; }

check "a missing skeleton is written" update
check "and is the derived one" cmp "$work/good.expected" "$work/k.cu"
sed 's/do it/do it well/' "$work/good.cu" >"$work/s.cu"
check "an untouched skeleton follows its solution" update
check "and is the new one" grep -q 'do it well' "$work/k.cu"

echo 'int mine;' >>"$work/k.cu"
cp "$work/k.cu" "$work/mine"
check "a changed skeleton is refused" refuses update
check "and left as it is" cmp "$work/mine" "$work/k.cu"
check "and FORCE=1 is mentioned" grep -q 'FORCE=1' "$work/err"
check "FORCE=1 replaces it" env FORCE=1 tools/skeleton --update "$work/s.cu" "$work/k.cu" \
    "$work/former/k.cu" >/dev/null
check "and keeps a copy" cmp "$work/mine" "$work/k.cu.bak1"
echo 'int again;' >>"$work/k.cu"
env FORCE=1 tools/skeleton --update "$work/s.cu" "$work/k.cu" >/dev/null
check "a second copy does not replace the first" cmp "$work/mine" "$work/k.cu.bak1"
check "but stands beside it" grep -q 'int again' "$work/k.cu.bak2"

echo "skeletons: $checks checks, $failures failures"
test "$failures" -eq 0
