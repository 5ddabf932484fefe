# What is no file of answers, and what does not go together.
$grader lab1 --answers --submission nothing.txt
echo "status: $?"
printf 'a\0b' >binary.txt
$grader lab1 --answers --submission binary.txt | tail -n 7
$grader lab1 --answers --submission binary.txt >/dev/null
echo "status: $?"
$grader lab1 --answers --questions
echo "status: $?"
$grader --answers
echo "status: $?"
printf 'student = \033[31mred\n' >escape.txt
$grader lab1 --answers --submission escape.txt | grep -A 2 -n 'student\|Not'
printf 'c_size = 3, 4\n' >answers.txt
$grader lab1 --answers --submission answers.txt --format json=/nonexistent/result.json
