"$grader" lab1 --backend vgpu --seed 1 --submission "$files/has-main.cu"
