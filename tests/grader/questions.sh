# The questions for a student, for nobody, and for whom answers.txt names.
$grader lab3 --questions --student s123
$grader lab2 --questions | sed -n '1,12p'
printf 'student = s123\n' >answers.txt
$grader lab3 --questions --submission answers.txt | sed -n '1p'
