# As a student gets it: it builds, runs, and has no points yet.
cp "$root/labs/lab3-tiled-square/lab3.cu" .
"$grader" lab3 --backend vgpu --seed 1 --submission lab3.cu
