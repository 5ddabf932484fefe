printf "%%PDF-1.7 \n" >report.cu
"$grader" lab3 --backend vgpu --seed 1 --submission report.cu
