"$grader" lab1 --backend vgpu --seed 1 --case ragged --submission "$files/outside.cu"
