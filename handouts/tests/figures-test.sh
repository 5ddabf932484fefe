#!/bin/sh
# figures-test.sh: the figures' program, and the runs that figures are drawn from. One line a
# failure. BUILD names the build folder (default: build).
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
figures=$build/bin/figures
trace=handouts/figures/trace.txt
bench=docs/bench-h200/bench.csv

failed() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

refuses() { # refuses WHAT ARGUMENT...: status 1 and a message, no crash
    what=$1
    shift
    "$figures" "$@" >/dev/null 2>"$work/error"
    status=$?
    if [ $status -ne 1 ] || [ ! -s "$work/error" ]; then
        failed "figures does not refuse $what (status $status)"
    fi
}

# What the warp touched must still be what trace.txt says.
if "$build/bin/vgpucc" handouts/figures/trace.cu -o "$work/trace" >"$work/error" 2>&1 &&
    "$work/trace" >"$work/trace.txt" 2>"$work/error"; then
    cmp -s "$work/trace.txt" $trace || failed "$trace is not what trace.cu prints"
else
    failed "trace.cu does not run: $(head -n 1 "$work/error")"
fi

mkdir "$work/svg" "$work/part"
"$figures" $trace $bench "$work/svg" || failed "figures ends with status $?"
"$figures" --list | sort >"$work/listed"
for svg in "$work"/svg/*.svg; do basename "$svg" .svg; done | sort | cmp -s - "$work/listed" ||
    failed "the files written are not those listed"
for svg in "$work"/svg/*.svg handouts/figures/*.svg; do
    cmp -s "$work/svg/$(basename "$svg")" "handouts/figures/$(basename "$svg")" ||
        echo "FAILED: $(basename "$svg") is not as it is drawn now: make texts"
done | sort -u >"$work/stale"
cat "$work/stale"
failures=$((failures + $(wc -l <"$work/stale")))
refuses "no arguments"
refuses "a missing trace" "$work/none" $bench "$work/svg"
refuses "a missing benchmark" $trace "$work/none" "$work/svg"
refuses "a missing folder" $trace $bench "$work/none"
echo 'neighbours 1 0' >"$work/bad"
refuses "lanes out of order" "$work/bad" $bench "$work/svg"
grep -v '^column 31' $trace >"$work/bad"
refuses "a pattern of 31 lanes" "$work/bad" $bench "$work/svg"
sed 's/^set,contender/set,contestant/' $bench >"$work/bad"
refuses "a benchmark without its columns" $trace "$work/bad" "$work/part"
grep -v '^square,cublas' $bench >"$work/bad"
refuses "a benchmark without cuBLAS" $trace "$work/bad" "$work/part"
sed 's/^\(square,lab2,512,512,512,[a-z]*,[0-9]*\),[^,]*/\1,soon/' $bench >"$work/bad"
refuses "a time that is no number" $trace "$work/bad" "$work/part"
if [ -e /dev/full ]; then
    rm -f "$work/svg/chip.svg" && ln -s /dev/full "$work/svg/chip.svg"
    refuses "a full disk" $trace $bench "$work/svg"
    rm -f "$work/svg/chip.svg"
fi

# Readable on a phone: not wider than 440, nothing drawn outside by its own coordinates.
for svg in "$work"/svg/*.svg; do
    width=$(sed -n 's/.*viewBox="0 0 \([0-9]*\) \([0-9]*\)".*/\1/p' "$svg")
    [ "${width:-999}" -le 440 ] || failed "$(basename "$svg") is $width wide"
    awk -v width="$width" \
        -v height="$(sed -n 's/.*viewBox="0 0 [0-9]* \([0-9]*\)".*/\1/p' "$svg")" '
        /<(text|rect)/ && match($0, / x="[^"]*"/) {
            x = substr($0, RSTART + 4, RLENGTH - 5) + 0
            match($0, / y="[^"]*"/)
            y = substr($0, RSTART + 4, RLENGTH - 5) + 0
            if (x < 0 || x > width || y < 0 || y > height) { print; exit 1 }
        }' "$svg" >"$work/outside" \
            || failed "$(basename "$svg"): outside the picture: $(cat "$work/outside")"
done
echo "handouts: $(wc -l <"$work/listed") figures, $failures failed"
[ "$failures" -eq 0 ]
