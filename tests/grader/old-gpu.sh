# A T4: it answers, and lacks what labs 8 and 9 are about.
mkdir bin
printf '#!/bin/sh\necho 75 Tesla T4\n' >bin/gpu-probe
chmod +x bin/*
cp "$BUILD/bin/gpu-probe" kept
cp bin/gpu-probe "$BUILD/bin/gpu-probe"
: >"$BUILD/lib/libworker-gpu.a" # else a toolkit that was not there before has ./grader build anew
NVCC=$("$root/tests/toolkit/standin" nolist toolkit)/nvcc
export NVCC
cp "$files/empty.cu" . 2>/dev/null || : >empty.cu
"$grader" lab8 --submission empty.cu --seed 1 --verbose | grep -i 'because'
"$grader" lab8 --submission empty.cu --backend gpu
"$grader" lab9 --submission empty.cu --backend both
cp kept "$BUILD/bin/gpu-probe"
