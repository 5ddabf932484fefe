"$grader" lab12
