#!/bin/sh
# bench-test.sh: the benchmarks' programs: verdicts, files, plots, and what they say without a GPU.
# The GPU's program runs on the virtual GPU here, where its durations mean nothing. One line per
# failure.
#
# BUILD, NVCC and CC come from make test-bench, which builds what this needs.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build} cc=${CC:-cc}
gpu=$build/vgpu/bench-gpu cpu=$build/bin/bench-cpu labs=$build/vgpu/bench
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0 checks=0
unset SRC MAKEFLAGS MAKELEVEL
export VGPU_QUIET=1 VGPU_CHECK=none

check() { # check NAME COMMAND...: the command must succeed
    checks=$((checks + 1))
    name=$1
    shift
    "$@" || {
        echo "FAILED: $name"
        failures=$((failures + 1))
    }
}

# ends STATUS PROGRAM ARGUMENT...: runs, keeps the output in $work/out and err, compares the status.
ends() {
    expected=$1
    shift
    "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$expected" ] || {
        echo "  exit status $status, expected $expected: $*"
        cat "$work/err"
        return 1
    }
}

said() { grep -qF -- "$1" "$work/out"; }
complained() { [ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -- "$1" "$work/err"; }
# The same of make, which adds a line of its own.
refused() {
    grep -v "^make: \*\*\*" "$work/err" >"$work/said"
    mv "$work/said" "$work/err"
    complained "$1"
}
# rows CONTENDER VERDICT: how many rows of the CSV say so
rows() { grep -v '^#' "$work/csv" | cut -d , -f 2,17 | grep -c "^$1,$2\$"; }
has_rows() { [ "$(rows "$2" "$3")" -eq "$1" ]; }

library() { # library NAME: bench/tests/files/NAME.cu for the virtual GPU
    "$build/bin/vgpucc" -c -O2 -fPIC -Icommon -o "$work/$1.o" "bench/tests/files/$1.cu" &&
        $cc -shared "$work/$1.o" -o "$work/$1.so"
}

# ---- Command lines ----

check "--help" ends 0 "$gpu" --help
check "--help tells the options" said "--cold"
check "an unknown set" ends 2 "$gpu" --sets squares
check "... is named" complained "--sets squares"

# ---- On the virtual GPU ----

# As make gives them.
all='' count=0
for named in $BENCH_NAMED; do
    all="$all --contender $named=$labs/${named%%:*}.so"
    count=$((count + 1))
done

# shellcheck disable=SC2086 # one word an argument
check "every lab is right at 96" ends 0 "$gpu" $all --shape 96x96x96 --launches 6 \
    --csv "$work/csv" --json "$work/json"
check "... with cuBLAS" has_rows $((count + 1)) '.*' right
check "... 6 launches each" [ "$(grep -c '^shape,.*,96,96,96,warm,6,' "$work/csv")" \
    -eq $((count + 1)) ]
check "... all rows checked" [ "$(grep -v '^#' "$work/csv" | cut -d , -f 18 | grep -c '^96$')" \
    -eq $((count + 1)) ]
check "the JSON is whole" grep -q '"contender": "cublas"' "$work/json"
# shellcheck disable=SC2086
check "every lab but 3 is right at 33 x 65 x 40" ends 0 "$gpu" $all --shape 33x65x40 --launches 2 \
    --cold --csv "$work/csv"
check "... and 3 is left out" has_rows "$count" '.*' right
check "... cold" grep -q ',cold,2,' "$work/csv"

for name in last-row half outside; do
    check "$name.cu is built" library $name
done
check "a missing row is found" ends 1 "$gpu" --contender lab4:own="$work/last-row.so" \
    --shape 40x30x20 \
    --launches 2 --csv "$work/csv"
check "... and told" has_rows 1 lab4 wrong
check "... with how many elements" said "wrong in 30 elements"
check "... and has no speed" grep -q '^shape,lab4,40,30,20,warm,0,,,,,,,' "$work/csv"
check "... beside cuBLAS" has_rows 1 cublas right
check "rounded inputs are found" ends 0 "$gpu" --contender lab4:own="$work/half.so" \
    --shape 64x64x4096 \
    --launches 1 --csv "$work/csv"
check "... and told" has_rows 1 lab4 'not fp32'
check "a file that spoils the device is left out" ends 0 "$gpu" \
    --contender yours="$work/outside.so" \
    --contender lab2:own="$labs/lab2.so" --shape 32x32x32 --launches 1 --csv "$work/csv"
check "... with a word" grep -q 'left out: yours did not pass its trial' "$work/err"
check "... the others go on" has_rows 2 '.*' right
check "a wrong file is left out" ends 0 "$gpu" --contender yours="$work/last-row.so" \
    --shape 32x32x32 --launches 1
check "... and told where" grep -q 'yours is wrong at 32 x 32 x 32, in 32 elements' "$work/err"
check "a right file takes part" ends 0 "$gpu" --contender yours="$labs/lab2.so" \
    --shape 32x32x32 --launches 1 --csv "$work/csv"
check "... as yours" has_rows 1 yours right
check "sets are timed" ends 0 "$gpu" --sets hundreds --max 100 --launches 1 \
    --contender lab2:own,ratio="$labs/lab2.so" --contender lab5:own="$labs/lab5.so" \
    --csv "$work/csv"
check "... the ratio's without others" has_rows 2 '.*' right

check "drawn shapes are timed" ends 0 "$gpu" --random 3 --seed 12 --max 300 --launches 1 \
    --contender lab2:own="$labs/lab2.so" --contender lab4:own="$labs/lab4.so" --only lab4 \
    --csv "$work/csv"
shapes=$(grep -c '^random,lab4,' "$work/csv")
check "... and no others" has_rows $((2 * shapes)) '.*' right
check "... some of them" [ "$shapes" -ge 2 ]
check "... by the contenders that were named" has_rows 0 lab2 right
check "... and summed up" grep -q "lab4 .* of  *$shapes .*% at [0-9]" "$work/out"

# ---- On the CPU ----

for library in "$build"/bench/lab1-*.so; do
    lab1=$library # any of them
done
check "bench-cpu" ends 0 "$cpu" --contender solution="$lab1" --shape 90x70x80 --launches 3 \
    --csv "$work/csv"
check "... naive is right" has_rows 1 cpu-naive right
check "... the solution, too" has_rows 1 solution right
check "a wrong lab 1 is built" g++ -x c++ -fPIC -shared -Icommon bench/tests/files/lab1-wrong.cu \
    -o "$work/wrong.so"
check "... and found" ends 1 "$cpu" --contender lab1="$work/wrong.so" --shape 20x20x20 \
    --launches 1 --csv "$work/csv"
check "... and told" has_rows 1 lab1 wrong
check "naive is scaled up when slow" ends 0 "$cpu" --shape 400x400x400 --cap 0.004 --launches 3 \
    --csv "$work/csv"
check "... and this told" said "rows"

# ---- Plots ----

check "no CSV" ends 2 bench/plot "$work/none.csv" "$work/plots"
check "... is told" complained "cannot read"
if command -v gnuplot >/dev/null; then
    check "plots of a recorded run" ends 0 bench/plot docs/bench-h200/bench.csv "$work/plots"
    check "gnuplot had nothing to say" [ ! -s "$work/err" ]
    check "plots in the C locale" ends 0 env LC_ALL=C bench/plot docs/bench-h200/bench.csv \
        "$work/plots"
    check "gnuplot had nothing to say there" [ ! -s "$work/err" ]
    for figure in speed roofline ratio printed; do
        check "$figure.svg" grep -q 'NVIDIA H200' "$work/plots/$figure.svg"
        check "$figure.png" [ "$(head -c 4 "$work/plots/$figure.png" | tail -c 3)" = PNG ]
    done
    check "the labs are named" grep -q 'lab 7' "$work/plots/speed.svg"
    check "in the order of their numbers" [ "$(grep -o '>lab [0-9]*' "$work/plots/speed.svg" |
        tail -n 1)" = '>lab 10' ]
    check "published ratios are shown" grep -q 'Tesla M2070' "$work/plots/ratio.svg"
    check "published durations are shown" grep -q '40.5 s' "$work/plots/printed.svg"
    grep -v '^square' docs/bench-h200/bench.csv | grep -v '^printed' >"$work/part.csv"
    awk -F , -v OFS=, '$1 == "thin" { $1 = "random" } { print }' docs/bench-h200/bench.csv \
        >"$work/random.csv"
    check "a plot of drawn shapes" ends 0 bench/plot "$work/random.csv" "$work/drawn"
    check "gnuplot had nothing to say of them" [ ! -s "$work/err" ]
    check "reach.svg" grep -q '>lab 9 (not fp32)<' "$work/drawn/reach.svg"
    check "plots of a part of the sets" ends 0 bench/plot "$work/part.csv" "$work/part"
    check "... only what there is" [ "$(cd "$work/part" && echo *)" = "ratio.png ratio.svg" ]
    grep '^#' docs/bench-h200/bench.csv >"$work/empty.csv"
    check "nothing to plot" ends 2 bench/plot "$work/empty.csv" "$work/part"
    check "... is told" complained "holds no set"
else
    echo "bench-test: no gnuplot here: plots are not tested"
fi
mkdir "$work/bin"
for tool in sh sed dirname; do ln -s "$(command -v $tool)" "$work/bin/"; done
check "no gnuplot" ends 2 env PATH="$work/bin" bench/plot docs/bench-h200/bench.csv "$work/plots"
check "... is told" complained "tools/setup bench"
check "no gnuplot, and none needed" ends 0 env PATH="$work/bin" bench/plot \
    --optional docs/bench-h200/bench.csv "$work/plots"

# ---- make bench ----

check "make bench without nvcc" ends 2 make BUILD="$build" NVCC= bench
check "... says so in one line" refused "There is no nvcc"
if [ -n "${NVCC:-}" ]; then
    check "nvcc builds the benchmark" ends 0 make BUILD="$build" GPU_ARCH=90 bench-programs-gpu
    if ! "$build/bin/gpu-probe" >/dev/null 2>&1; then
        check "make bench without a GPU" ends 2 make BUILD="$build" bench
        check "... says so in one line" refused "none answers"
    fi
    check "make bench with an unknown lab" ends 2 make BUILD="$build" GPU_ARCH=90 LAB=lab1 bench
    check "... is told" refused "LAB=lab1 is none of"
else
    echo "bench-test: no nvcc here: it is not tested that it builds the benchmark"
fi

echo "bench: $checks checks, $failures failures"
[ $failures -eq 0 ]
