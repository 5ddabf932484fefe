# A run that is stopped in the middle tells what was graded so far, also where nothing else is
# shown.
cat >slow.cu <<'END'
#include "lab.h"
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (volatile int i = 0; m != 1; i = 0)
        ;
    for (int col = 0; col < n; col++) {
        C[col] = 0;
        for (int p = 0; p < k; p++)
            C[col] += A[p] * B[(size_t)p * n + col];
    }
}
END
stop() {
    : >out
    "$grader" lab1 --backend vgpu --seed 1 --submission slow.cu "$@" >out 2>&1 &
    pid=$!
    tries=0
    until grep -q '"one"' result.json 2>/dev/null || [ $tries -gt 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -INT $pid 2>/dev/null
    kill -TERM $pid
    { wait $pid; } 2>/dev/null
    sed 's/^/    /' out
    rm -f result.json
}
stop --format json=result.json
stop --format text --format json=result.json
COLUMNS=40 stop --format json=result.json
