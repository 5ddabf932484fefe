"$grader" lab3 --fast
