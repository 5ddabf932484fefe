"$grader" lab4 --backend vgpu --seed 1 --submission "$root/solutions/lab4-tiled-any-size/lab4.cu"
