"$grader" lab1 --backend vgpu --seed 1 --submission "$files/other-parameters.cu"
