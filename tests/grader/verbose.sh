cp "$files/chatty.cu" .
"$grader" lab1 -v --backend vgpu --seed 7 --case row --submission chatty.cu
