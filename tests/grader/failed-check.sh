"$grader" lab2 --backend vgpu --seed 1 --case one --submission "$files/failed-check.cu"
