"$grader" --help
