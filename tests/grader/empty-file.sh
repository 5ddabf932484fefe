: >empty.cu
"$grader" lab3 --submission empty.cu
