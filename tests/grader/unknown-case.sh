"$grader" lab3 --case nonsense
