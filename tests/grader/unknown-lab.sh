"$grader" lab9
