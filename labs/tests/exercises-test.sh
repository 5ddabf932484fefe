#!/bin/sh
# exercises-test.sh: every exercise's solution comes true, its skeleton does not, nor does a
# solution with one mistake. One line a failure. BUILD names the build folder (default: build).
#
#     labs/tests/exercises-test.sh [NAME]...
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset VGPU_DEVICE VGPU_BUDGET VGPU_CHECK VGPU_REPORT VGPU_LATE VGPU_IDLE VGPU_TWOFOLD
failures=0 checks=0

failed() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# comes NAME FILE STATUS LINE: FILE builds without a warning, ends with STATUS and, last, with LINE.
comes() {
    checks=$((checks + 1))
    "$build/bin/vgpucc" -O2 -Wall -Wextra -Werror -Icommon -Ilabs/exercises -o "$work/program" \
        "$2" >"$work/said" 2>&1 || {
        failed "$1 does not compile: $(head -n 3 "$work/said")"
        return
    }
    args=
    [ "$1" != width-1000 ] || args=200 # as 1000, in less time
    "$work/program" $args >"$work/out" 2>"$work/said"
    status=$?
    if [ $status -ne "$3" ] || [ "$(tail -n 1 "$work/out")" != "$4" ]; then
        failed "$1: status $status, not $3: $(tail -n 3 "$work/out")"
    fi
}

# breaks NAME SED: the solution with this change is noticed: by the exercise, or, where the program
# does not come to its end, by a checked call.
breaks() {
    [ -z "$only" ] || case " $only " in *" $1 "*) ;; *) return ;; esac
    checks=$((checks + 1))
    sed "$2" "solutions/exercises/$1.cu" >"$work/$1.cu"
    cmp -s "solutions/exercises/$1.cu" "$work/$1.cu" && failed "$1: nothing to change: $2"
    "$build/bin/vgpucc" -O2 -Icommon -Ilabs/exercises -o "$work/program" "$work/$1.cu" \
        >"$work/said" 2>&1 || {
        failed "$1 with $2 does not compile: $(head -n 3 "$work/said")"
        return
    }
    args=
    [ "$1" != width-1000 ] || args=200
    "$work/program" $args >"$work/out" 2>&1
    status=$?
    case $status in
    1 | 70) ;; # not yet; a checked call failed
    *) failed "$1 with $2: status $status: $(tail -n 2 "$work/out")" ;;
    esac
}

only=$*
for solution in solutions/exercises/*.cu; do
    name=$(basename "$solution" .cu)
    [ -z "$only" ] || case " $only " in *" $name "*) ;; *) continue ;; esac
    comes "$name" "$solution" 0 "All of it came true."
    tools/skeleton "$solution" >"$work/$name.cu"
    comes "$name" "$work/$name.cu" 1 "Not yet: see the lines above."
    sed -n 1p "$solution" | grep -q "^// Exercise \"$name\": .*\.$" ||
        failed "$solution does not begin with its name and a sentence"
    # What is not in a text nobody finds.
    grep -q "^## <a id=.*></a>$name: " handouts/exercises.md ||
        failed "handouts/exercises.md does not tell of $name"
done

breaks events 's/cudaEventDestroy(after)/cudaEventQuery(after)/'
breaks events 's/cudaEventElapsedTime(&milliseconds, before, after)/cudaEventQuery(after)/'
breaks streams 's/__syncthreads();/__syncwarp();/'
breaks streams 's/PIECE \* sizeof \*to, stream/PIECE, stream/'
breaks streams '/cudaStreamSynchronize(stream\[1\])/d'
breaks rectangle 's/a_begin = k \* TILE/a_begin = n * TILE/'
breaks rectangle 's/b_step = TILE \* n/b_step = TILE * k/'
breaks rectangle 's/B\[b + n \* y + x\]/B[b + k * y + x]/'
breaks submatrix 's/row \* M.stride + col\]/row * M.width + col]/'
breaks submatrix 's/tile_row \* TILE \* M.stride + tile_col/tile_col * TILE * M.stride + tile_row/'
breaks width-1000 's/    --tile/    tile -= 2/'
breaks width-1000 's/return width \/ tile \* tile;/return width;/'
breaks width-1000 's/covered \* covered/covered/'
breaks edges 's/row < m \&\& p0 + x < k ?/row < m ?/'
breaks edges 's/whole_k + y < k ? from_B/true ? from_B/'
breaks edges 's/cudaMemset(larger, 0,/cudaMemset(larger, 255,/'
breaks divergence 's/even = thread < half/even = thread % 2 == 0/'
breaks divergence 's/SPLIT_WARPS_DIVERGING = BLOCK \/ 32/SPLIT_WARPS_DIVERGING = 1/'
breaks memories 's/^__constant__/__device__/'
breaks memories 's/atomicAdd(&above, 1)/above += 1/'
breaks memories '/__ldg(&x\[i\]);/,/coefficient/s/t >= 0/t > 0/'
breaks pascal 's/(i + j) % 2 == 0 ?/i % 2 == 0 ?/'
breaks pascal 's/i >= n || j >= n/i > n || j > n/'
breaks pascal 's/n < MOST \&\& is_identity<T>(n + 1)/n < 20/'

echo "exercises: $checks checks, $failures failed"
[ "$failures" -eq 0 ]
