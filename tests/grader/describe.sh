# A lab as JSON: what its descriptor says, with the defaults; hidden cases when they are given.
$grader lab3 --describe | sed -n '1,/"hints"/p'
$grader lab5 --describe | grep '"cublas"\|"sizes"'
$grader lab9 --describe --hidden "$root/solutions/lab9-tensor-cores/hidden.cfg" |
    grep -c '"hidden": true'
$grader lab9 --describe | grep -c '"hidden": true'
$grader --describe lab4 | python3 -c '
import json, sys
lab = json.load(sys.stdin)
cases = sum(c["points"] for c in lab["cases"])
checks = sum(c["points"] for c in lab["checks"])
print(cases == lab["points_cases"], checks == lab["points_checks"], cases + checks)'
$grader lab11 --describe
echo "status: $?"
$grader --describe
echo "status: $?"
sed 's/points = 15/points = 14/' "$root/labs/lab1-cpu-baseline/lab.cfg" >sum.cfg
$grader lab1 --describe --rubric sum.cfg
echo "status: $?"
