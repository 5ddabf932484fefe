"$grader" lab3 --submission .
