"$grader" lab5 --backend vgpu --seed 1 --submission "$root/solutions/lab5-cublas/lab5.cu"
