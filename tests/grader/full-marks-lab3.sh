"$grader" lab3 --backend vgpu --seed 1 --submission "$root/solutions/lab3-tiled-square/lab3.cu"
