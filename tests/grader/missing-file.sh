"$grader" lab3 --submission nowhere.cu
