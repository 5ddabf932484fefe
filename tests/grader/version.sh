"$grader" --version
