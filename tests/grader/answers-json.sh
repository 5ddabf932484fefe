# The same as JSON, into a file and to standard output.
printf 'student = s1\nways_8_a_b = 208\nc_size = 4, 3\n' >answers.txt
$grader lab1 --answers --submission answers.txt --format json=result.json --format text | tail -n 4
grep -c '"hint"' result.json
sed -n '1,40p' result.json
$grader lab1 --answers --submission answers.txt --format json | cmp - result.json
