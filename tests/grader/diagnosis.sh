# One mistake of each kind: the likely cause in words, with how it is known.
likely() {
    $section "$1" || return 0
    "$files/fewer-cases" "$root/labs/${1%%/*}"-*/lab.cfg many-tiles many-rows >few.cfg
    "$grader" "${1%%/*}" --submission "$zoo/$1.cu" --backend vgpu --seed 1 --verbose \
        --rubric few.cfg |
        sed -n '/^  Likely cause/,/^$/p; /^  What was seen/,/^$/p' | head -n 18
}
likely lab1/wrong/transposed-b        # products, without the virtual GPU
likely lab2/wrong/guard-swapped       # some shapes wrong, some outside memory
likely lab2/wrong/k-loop-long         # outside in every shape
likely lab3/wrong/no-first-barrier    # a race
likely lab4/wrong/last-tile-twice     # terms counted again, with growing k
likely lab4/wrong/store-unguarded     # outside at the edges only
likely lab5/wrong/leading-dimension-of-b # what cuBLAS refuses
likely lab4/wrong/no-zero-fill        # sums of whole tiles, whatever k is
# Nothing is known like this: what was seen, and nothing else.
$section 'of no kind that is known' || exit 0
cat >odd.cu <<'END'
#include "lab.h"
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j] * ((i ^ j ^ p) % 3);
            C[i * n + j] = sum;
        }
}
END
"$grader" lab1 --submission odd.cu --backend vgpu --seed 1 | sed -n '/What was seen/,/^$/p'
