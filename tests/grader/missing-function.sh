"$grader" lab3 --backend vgpu --seed 1 --submission "$files/unrelated.cu"
