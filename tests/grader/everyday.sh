# Everyday compile errors, as clang places them, get a sentence of our own: one sed expression each.
told() {
    "$grader" "$1" --submission wrong.cu --backend vgpu --seed 1 | sed -n '/^  Likely/,/^$/p' \
        | sed '1d; /^$/d; /^0 of 100 points$/d; s/wrong.cu:4[0-9]/wrong.cu:LINE/'
}
while IFS='|' read -r what expression; do
    $section "$what" || continue
    sed "$expression" "$files/everyday.cu" >wrong.cu
    told lab2
done <<'END_OF_LIST'
two indices|s/C\[row \* n + col\] = sum/C[row][col] = sum/
no __global__|s/__global__ void/void/
no <<< >>>|s/multiply<<<grid, block>>>/multiply/
another name|s/multiply<<</mulitply<<</
an argument too few|s/(m, n, k, A, B, C);/(m, n, A, B, C);/
a kernel with a result|s/__global__ void/__global__ float/
no semicolon|s/float sum = 0.0f;/float sum = 0.0f/
no closing bracket|s/col < n) {/col < n {/
no closing brace|/^    }$/d
a brace too many|s/^    CUDA_CHECK_LAUNCH();/&\n}/
commas in a loop|s/p = 0; p < k; p++/p = 0, p < k, p++/
small letters|s/threadIdx/threadidx/
no member|s/threadIdx.x/threadIdx/
an input|s/C\[row \* n + col\] = sum/A[row * k + col] = sum/
no declaration|s/float sum = 0.0f;/ /
a block that ended|s/            sum += .*/            { float one = 1; }\n        sum += one;/
a function of the host|s/sum += A/sum += twice(1) * A/; 5s/^/float twice(float x) { return x; }\n/
a size that varies|s/float sum = 0.0f;/__shared__ float As[n][n];\n        &/
a pointer's value|s/    dim3 block/    float *dA;\n    CUDA_CHECK(cudaMalloc(dA, m));\n&/
a file that is not there|s/#include "lab.h"/&\n#include "matmul.h"/
END_OF_LIST
for expression in 's/&alpha/1.0f/' 's/&beta/beta/' 's/CUBLAS_OP_N, CUBLAS_OP_N/CUBLAS_OP_N/'; do
    $section "$expression" || continue
    sed "$expression" "$root"/solutions/lab5-*/lab5.cu >wrong.cu
    told lab5
done
