"$grader" lab4 --backend vgpu --seed 7 --submission "$files/last-tile.cu"
