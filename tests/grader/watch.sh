# A watched file is graded again when it is replaced or rewritten; Ctrl-C is how to leave.
cat >right.cu <<'END'
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C)
{
    for (int i = 0; i < m * n; i++) {
        C[i] = 0.0f;
        for (int p = 0; p < k; p++)
            C[i] += A[i / n * k + p] * B[p * n + i % n];
    }
}
END
sed 's/+= A/= A/' right.cu >mine.cu
: >out
# (A shell lets what it starts in the background ignore SIGINT.)
env --default-signal=INT "$grader" lab1 --watch --backend vgpu --seed 1 --case ragged \
    --submission mine.cu >out 2>&1 &
watcher=$!
graded() {
    tries=0
    until [ "$(grep -c '^Watching' out)" -ge "$1" ] || [ $tries -gt 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}
graded 1
mv right.cu mine.cu # as editors do that write a new file
graded 2
sed 's/+= A/-= A/' mine.cu >wrong.cu
cat wrong.cu >mine.cu # and those that write into the old one
graded 3
kill -INT $watcher
{ wait $watcher; } 2>/dev/null
status=$?
grep -e ragged -e total -e Watching out | grep -v Repeat
exit $status
