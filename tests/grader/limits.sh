# After two cases in a row that reach a limit the rest is not run, and every format says so once. A
# rubric sets the limits, of a call and of the whole submission.
own=$root/labs/lab1-cpu-baseline/lab.cfg
{ echo 'call_seconds = 1;' && cat "$own"; } >call.cfg
{ echo 'seconds = 6;' && cat "$own"; } >all.cfg
try() {
    $grader lab1 --submission "$files/$1" --backend vgpu --seed 1 --rubric "$2" --format text \
        --format json=r.json --format tap=r.tap --format csv=r.csv --format junit=r.xml \
        --format gradescope=gs.json --format html=r.html
    echo "status: $?"
}
try endless-host.cu call.cfg
grep '"verdict"\|"summary"' r.json | sort | uniq -c
grep '^not ok\|verdict\|not run' r.tap | head -n 10
cut -d , -f 4,7,8,9 r.csv
grep -A 2 'message=' r.xml | grep -v 'not run$\|^--\|system-out\|failure>'
grep '"name"\|"output"' gs.json | tail -n 12
grep -o '[0-9] cases were not run[^<]*' r.html
try sleeps.cu all.cfg
grep '"verdict"' r.json | sort | uniq -c
# Other shapes come out right, so the function does return: one takes too long.
cat >slow.cu <<'END'
#include "lab.h"
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (volatile long i = 0; i < (m > 200 ? 1L << 40 : 1); i++)
        ;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}
END
$grader lab1 --submission slow.cu --backend vgpu --seed 1 --rubric call.cfg |
    sed -n '/First failure/,/See/p'
