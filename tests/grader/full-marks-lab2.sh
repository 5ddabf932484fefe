"$grader" lab2 --backend vgpu --seed 1 --submission "$root/solutions/lab2-global-memory/lab2.cu"
