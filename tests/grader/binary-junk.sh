printf "\177ELF\002\001\001\000\000" >a.cu
"$grader" lab3 --backend vgpu --seed 1 --submission a.cu
