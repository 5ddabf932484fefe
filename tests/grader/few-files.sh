# A machine that lets few files be open: the limit is raised where it may be, else told.
(ulimit -S -n 64; $grader lab1 --submission "$root/solutions/lab1-cpu-baseline/lab1.cu" --seed 1 \
    --backend vgpu | tail -n 1)
(ulimit -n 64; $grader lab1 --submission "$root/solutions/lab1-cpu-baseline/lab1.cu" --seed 1 \
    --backend vgpu)
echo "status: $?"
