"$grader" lab4 --backend vgpu --seed 7 --case ragged --submission "$files/last-tile.cu"
