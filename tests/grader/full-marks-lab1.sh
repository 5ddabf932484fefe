"$grader" lab1 --backend vgpu --seed 1 --submission "$root/solutions/lab1-cpu-baseline/lab1.cu"
