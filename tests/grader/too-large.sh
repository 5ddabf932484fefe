# What only a gigantic compiler could build is the submission's fault, not the machine's.
echo 'char ballast[1ul << 30] = {1};' >heavy.cu
"$grader" lab1 --backend vgpu --seed 1 --submission heavy.cu
