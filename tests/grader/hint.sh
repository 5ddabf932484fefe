# Hints come one at a time, from the last result of the same file. They are those of the cause, and
# begin again when the criterion was met or the mistake is another. Where no cause is known they are
# the rubric's.
mkdir -p kit/labs/lab1-cpu-baseline
cp "$zoo/lab1/wrong/transposed-b.cu" kit/labs/lab1-cpu-baseline/lab1.cu
cp -R "$root/common" kit/
(cd "$root" && tar -cf - labs/*/lab.cfg) | tar -xf - -C kit
cp -R "$root/handouts" kit/
ln -s "$root/vgpu" kit/vgpu
mkdir build && cp -R "$BUILD/bin" "$BUILD/lib" build
VGPU_HOME=$root
GRADER_ROOT=$work/kit
export VGPU_HOME GRADER_ROOT
build/bin/grader lab1 --hint
echo "status: $?"
build/bin/grader lab1 --backend vgpu --seed 1 | tail -n 1
for i in 1 2 3; do
    build/bin/grader lab1 --hint
done
echo "// edited" >>kit/labs/lab1-cpu-baseline/lab1.cu
build/bin/grader lab1 --hint
cp "$root/solutions/lab1-cpu-baseline/lab1.cu" kit/labs/lab1-cpu-baseline/
build/bin/grader lab1 --backend vgpu --seed 1 | tail -n 1
build/bin/grader lab1 --hint
cp "$zoo/lab1/wrong/transposed-b.cu" kit/labs/lab1-cpu-baseline/lab1.cu
build/bin/grader lab1 --backend vgpu --seed 1 | tail -n 1
build/bin/grader lab1 --hint
sed 's/B\[j \* k + p\]/(B[p * n + j] + (i * j) % 3)/' "$zoo/lab1/wrong/transposed-b.cu" >no-cause.cu
for file in "$zoo"/lab1/wrong/accumulates-into-c.cu "$zoo"/lab1/wrong/transposed-b.cu \
    no-cause.cu; do
    cp "$file" kit/labs/lab1-cpu-baseline/lab1.cu
    build/bin/grader lab1 --backend vgpu --seed 1 >report
    build/bin/grader lab1 --hint
done
build/bin/grader --hint
