#!/bin/sh
# programs-test.sh: the lab programs on the virtual GPU: what they print, how they end, and that
# make rebuilds them when it must and only then. Prints one line per failure.
#
#     programs-test.sh [--sample SEED]      with nvcc, build two of the skeletons, not all
#
# BUILD names the build folder (default: build). The files of labs/ are not touched; the programs
# $BUILD/vgpu/lab1, lab2 and lab4 are rebuilt from files of this test and, at the end, from labs/.
# UPDATE=1 writes the expected outputs anew: read the difference before committing it.
set -u
cd "$(dirname "$0")/../.." || exit 1
sample=''
[ "${1-}" != --sample ] || sample=$2
build=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0 checks=0
unset SRC MAKEFLAGS MAKELEVEL

check() { # check NAME COMMAND...: the command must succeed
    checks=$((checks + 1))
    name=$1
    shift
    "$@" || {
        echo "FAILED: $name"
        failures=$((failures + 1))
    }
}

lab() { # lab N [NAME=VALUE...]: make the lab's program
    number=$1
    shift
    make BUILD="$build" BACKEND=vgpu "lab$number" "$@" >"$work/make.out" 2>"$work/make.err"
}

# ends STATUS PROGRAM ARGUMENT...: runs, keeps the output in $work/out and err, compares the status.
ends() {
    expected=$1
    shift
    "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$expected" ] || {
        echo "  exit status $status, expected $expected: $*"
        return 1
    }
}

said() { grep -qF -- "$1" "$work/out"; }
unsaid() { ! said "$1"; }
complained() { [ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -- "$1" "$work/err"; }
compiled() { grep -q '^  CU ' "$work/make.out"; }
silent() { ! grep -q '^  [A-Z][A-Z] ' "$work/make.out"; }

# Durations, and the device's name, differ from machine to machine.
golden() { # golden NAME: $work/out against labs/tests/NAME.expected
    sed 's/ *[0-9.]* [mu]*s *[0-9.]* GFLOP.s$/ TIME/; s/^\(Lab [2-5] on\) .*/\1 DEVICE/
         s/^\(  CPU reference\).*/\1 TIME/' "$work/out" >"$work/masked"
    [ "${UPDATE:-}" = 1 ] && cp "$work/masked" "labs/tests/$1.expected"
    diff -u "labs/tests/$1.expected" "$work/masked"
}

# ---- A GPU that is too old for labs 8 to 10: a T4 ----

mkdir "$work/t4"
t4_nvcc=$(tests/toolkit/standin nolist "$work/t4/toolkit")/nvcc
t4() { make -n BUILD="$work/t4" NVCC="$t4_nvcc" GPU_ARCH=75 "$@" >"$work/out" 2>&1; }
t4 lab7
check "lab 7 is built for a T4" said "Run it:   $work/t4/gpu/lab7"
for n in 8 9 10; do
    t4 lab$n
    check "auto takes the virtual GPU for lab $n" said "Run it:   $work/t4/vgpu/lab$n"
    t4 BACKEND=gpu lab$n
    check "lab $n says what it needs" said \
        "make: lab$n needs compute capability 8.0; this GPU (sm_75) is older: use BACKEND=vgpu"
done
t4 solutions
check "solutions: labs 8 to 10 on the virtual GPU" said 'case " lab10 lab8 lab9 " in'

# ---- nvcc, where there is one: no skeleton makes it complain ----

if [ -n "${NVCC:-}" ]; then
    numbers='2 3 4 5 6 7 8 9 10'
    # shellcheck disable=SC2086 # one word a lab
    [ -z "$sample" ] ||
        numbers=$(printf '%s\t\n' $numbers | tests/sample "$sample" 2 | tr -d '\t')
    for n in $numbers; do
        make -s BUILD="$work/nvcc" BACKEND=gpu GPU_ARCH=90 "lab$n" >"$work/out" 2>&1
        check "nvcc builds lab $n's skeleton" [ -x "$work/nvcc/gpu/lab$n" ]
        check "nvcc says nothing of it" unsaid warning
    done
fi

# ---- Solutions and skeletons ----

check "the solutions' programs are built" make BUILD="$build" BACKEND=vgpu solutions-programs labs \
    >"$work/make.out" 2>&1
for n in 1 2 3 4 5; do
    check "solution $n is correct" ends 0 "$build/vgpu/solutions/lab$n" 64
    check "solution $n is correct with reals" ends 0 "$build/vgpu/solutions/lab$n" 32 \
        --reals --seed 7
done
for n in 1 2 4 5; do
    check "solution $n takes any size" ends 0 "$build/vgpu/solutions/lab$n" 33 1 70
    check "solution $n takes one element" ends 0 "$build/vgpu/solutions/lab$n" 1
done
check "solution 2 takes more rows than a grid has blocks" ends 0 "$build/vgpu/solutions/lab2" \
    530000 1 1
check "in two launches" said 'the last of 2 launches'
check "a program's output" ends 0 "$build/vgpu/solutions/lab4" 3 4 12 --seed 5
check "is as expected" golden lab4-small
check "a large program's corner" ends 0 "$build/vgpu/solutions/lab2" 40 --counts
check "is as expected" golden lab2-counts
check "the help" ends 0 "$build/vgpu/solutions/lab3" --help
check "is as expected" golden lab3-help

# ---- Explorations ----

# Times differ from run to run.
explored() { # explored NAME: $work/out against labs/tests/NAME.expected
    sed 's/[0-9.]* [mu]*s$/TIME/' "$work/out" >"$work/masked"
    [ "${UPDATE:-}" = 1 ] && cp "$work/masked" "labs/tests/$1.expected"
    diff -u "labs/tests/$1.expected" "$work/masked"
}

all=$build/vgpu/solutions
graph=labs/graphs/ten-places.graph
check "ways of length 4" ends 0 "$all/lab4" paths $graph --length 4
check "are the published ones" explored paths-4
check "from one place to another, on the CPU" ends 0 "$all/lab1" paths $graph --length=4 --from C \
    --to J
check "they are counted length by length" explored paths-c-j
check "beyond 2^24, with cuBLAS" ends 0 "$all/lab5" paths $graph --length 15
check "a warning is given" said 'Warning: the counts above are of length 15'
check "lab 3 fills up with zeros" ends 0 "$all/lab3" paths $graph --length 3 --to A
check "and counts right" said 'every count exact'
check "a table of ways" ends 0 "$all/lab2" paths labs/graphs/five-places.graph --length 8
check "is squared" explored paths-five
check "a length that is no multiple" ends 2 "$all/lab2" paths labs/graphs/five-places.graph \
    --length 6
check "is refused" complained 'must be a multiple of 4, not 6'
printf 'A - B\nB - \n' >"$work/bad.graph"
check "a bad graph" ends 2 "$all/lab4" paths "$work/bad.graph" --length 2
check "is refused with its line" complained 'bad.graph:2: expected the name of a place'
check "a place that is not there" ends 2 "$all/lab4" paths $graph --length 2 --from K
check "is named" complained '--from K: no such place'
check "no graph" ends 2 "$all/lab4" paths
check "is asked for" complained 'which graph?'
check "too long ways" ends 2 "$all/lab1" paths $graph --length 100
check "are told" complained 'more than 38 digits'
check "Pascal's triangle" ends 0 "$all/lab4" pascal 4
check "is as expected" explored pascal-4
check "beyond float" ends 0 "$all/lab2" pascal 30
check "it is told so" said 'no mistake, but too few digits'
check "a bad size" ends 2 "$all/lab2" pascal 101
check "is refused" complained 'from 1 to 100'
check "the largest matrices of a laptop" ends 0 env VGPU_DEVICE=gt330m "$all/lab2" largest
check "in theory and tried" explored largest-gt330m
check "a GPU's memory is more than this machine's" ends 0 "$all/lab3" largest --memory 30
check "and only a part is tried" said 'tried only up to 0.03 GB'
check "lab 1 has no device" ends 2 "$all/lab1" largest
check "and says so" complained 'this lab computes on the CPU'
check "a sweep" ends 0 "$all/lab2" sweep --to 64 --csv "$work/naive.csv"
check "writes its times" test "$(wc -l <"$work/naive.csv")" -eq 3
check "a sweep against another" ends 0 "$all/lab3" sweep --to 96 --against "$work/naive.csv"
check "shows both" said 'o lab 2 on the virtual GPU as NVIDIA H200'
check "large sizes on the virtual GPU" ends 2 "$all/lab4" sweep --large
check "are refused" complained '--large is for a GPU'
check "a file that is none of ours" ends 2 "$all/lab4" sweep --against README.md
check "is refused" complained 'cannot read README.md: line 1'
if command -v gnuplot >/dev/null 2>&1; then
    check "a plot by gnuplot" ends 0 "$all/lab4" sweep --to 64 \
        --no-plot --against "$work/naive.csv" --svg "$work/it's.svg"
    check "is written" grep -q '</svg>' "$work/it's.svg"
fi
for c in paths pascal largest sweep; do
    check "the help of $c" ends 0 "$all/lab4" $c --help
    check "is there" said "Usage: lab4 $c"
done
check "the device's program is built" make BUILD="$build" BACKEND=vgpu device >"$work/make.out" 2>&1
check "and tells" ends 0 "$build/vgpu/device"
check "what a device is" explored device
check "another device" ends 0 env VGPU_DEVICE=c2075 "$build/vgpu/device"
check "is told as well" said '1028 GFLOP/s'
check "an operand of it" ends 2 "$build/vgpu/device" 1
check "is refused" complained "unexpected '1'"

# ---- Bad command lines ----

run=$build/vgpu/solutions/lab3
check "a bad size is refused" ends 2 "$run" 0
check "in one line" complained "bad size '0'"
check "a ragged size is refused in lab 3" ends 2 "$run" 100
check "with the reason" complained "multiples of its tile, 32"
check "matrices larger than memory" ends 3 "$build/vgpu/solutions/lab4" 2000000
check "are refused in one line" complained "not enough memory"
check "matrices larger than the address space" ends 3 "$build/vgpu/solutions/lab4" 2147483647
check "are refused in one line" complained "not enough memory"

# ---- make labN SRC=... ----

mkdir "$work/a folder"
mine="$work/a folder/it's mine.cu"
cp solutions/lab4-tiled-any-size/lab4.cu "$mine"
check "a file outside labs/ is built" lab 4 SRC="$mine"
check "and is the one that runs" ends 0 "$build/vgpu/lab4" 5 6 7
check "without SRC the program is built again" lab 4
check "from labs/" compiled
check "and is the lab's own file" cmp "$build/obj/vgpu-backend/lab4.src" - <<END
labs/lab4-tiled-any-size/lab4.cu
END
check "then nothing is left to do" lab 4
check "and nothing is done" silent
check "a file that isn't there" ends 2 make BUILD="$build" BACKEND=vgpu lab4 SRC=/nonexistent.cu
check "is named" grep -q 'make: cannot read /nonexistent.cu' "$work/err"
check "an unknown backend" ends 2 make BUILD="$build" BACKEND=abacus lab4
check "is named" grep -q 'BACKEND=abacus is unknown' "$work/err"

# ---- What can go wrong in a lab file ----

cat >"$mine" <<'END'
#include "cuda_check.h"
#include "lab.h"
__global__ void nothing(float *C) { C[threadIdx.x] = 1.0f; }
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B;
    nothing<<<1, 4>>>(C);
    CUDA_CHECK_LAUNCH();
}
END
check "a wrong lab is built" lab 4 SRC="$mine"
check "a wrong result has its status" ends 1 "$build/vgpu/lab4" 3
check "and its place" said "result is wrong in 9 of 9 elements, 5 of them nan"
check "as in the expected output" golden lab4-wrong
for c in "paths labs/graphs/ten-places.graph --length 2" "pascal 4" "sweep --to 32" \
    "largest --memory 1"; do
    # shellcheck disable=SC2086
    check "it fails in ${c%% *}" ends 1 "$build/vgpu/lab4" $c
    check "where it is told" grep -qE 'wrong|mistake' "$work/out"
done
printf '%s\n' '#include "lab.h"' \
    'void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {' \
    >"$work/writes.cu"
printf '    ((float *)A)[m * k - 1] += B[n - 1] * 0.0f + C[0];\n}\n' >>"$work/writes.cu"
check "a lab that writes to A is built" lab 1 SRC="$work/writes.cu"
check "and is refused" ends 1 "$build/vgpu/lab1" 4
check "with the reason" said 'matmul_cpu: the program wrote to A or B'
check "a lab without a function is built" lab 2 SRC="$mine"
check "and is refused" ends 1 "$build/vgpu/lab2" 4
check "by the function's name" grep -q 'matmul_host is missing' "$work/err"

sed 's/C\[threadIdx.x\]/C[threadIdx.x + 1000000]/' "$mine" >"$mine.2"
mv "$mine.2" "$mine"
check "a lab that writes outside is built" lab 4 SRC="$mine"
check "its kernel fails" ends 1 "$build/vgpu/lab4" 3
check "and the error is named" grep -q 'matmul_device failed: cudaErrorIllegalAddress' "$work/err"

sed 's/<<<1, 4>>>/<<<1, 4096>>>/' "$mine" >"$mine.2"
mv "$mine.2" "$mine"
check "a lab with too large a block is built" lab 4 SRC="$mine"
check "its launch is refused by CUDA_CHECK_LAUNCH" ends 70 "$build/vgpu/lab4" 3
check "in an exploration as well" ends 70 "$build/vgpu/lab4" pascal
check "a launch is refused" ends 70 "$build/vgpu/lab4" 3
check "with file and line" grep -q "it's mine.cu:7: CUDA call failed" "$work/err"
check "and the call" grep -q 'call:    kernel launch' "$work/err"

for n in 1 2 4; do lab $n; done
echo "programs: $checks checks, $failures failures"
test "$failures" -eq 0
