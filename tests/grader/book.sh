# The book answers the handout's questions after a try, which it remembers; and no sooner.
mkdir -p kit/labs/lab1-cpu-baseline kit/grading
cp -R "$root/grading/questions" kit/grading/
(cd "$root" && tar -cf - labs/*/lab.cfg) | tar -xf - -C kit
VGPU_HOME=$root
GRADER_ROOT=$work/kit
export VGPU_HOME GRADER_ROOT
mkdir build && cp -R "$BUILD/bin" build
file=kit/labs/lab1-cpu-baseline/answers.txt
printf 'student = s1\nQ1.7 =\nc_size = 3, 4\n' >$file
build/bin/grader lab1 --book
printf 'student = s1\nQ1.7 = the stride of B\nQ9.7 = it adds\nQ1.99 = 1\nQ.1 = 1\n' >$file
build/bin/grader lab1 --book
printf 'student = s1\n' >$file
build/bin/grader lab1 --book | head -n 4
# It is no mistake in the file of answers, and no point; unless the grader checks that question.
printf 'student = s1\nQ1.7 = 5\nQ1.4 = 5\nQ2.2 = 5\nq1.7 = 5\n' >answers.txt
build/bin/grader lab1 --answers --submission answers.txt | tail -n 9
# What it shows how to write is no question that the grader checks.
printf 'Q3.6 =\n' >answers.txt
build/bin/grader lab3 --book --submission answers.txt | grep -o 'write a line .*'
# Somebody else's file is read, and not remembered.
printf 'QX.1 = 4\n' >answers.txt
build/bin/grader lab1 --book --submission answers.txt | grep -c 'QX.1   you: 4'
build/bin/grader lab1 --book | grep -c 'QX.1   you: 4'
# Nobody reads an answer by chance.
grep -c -e 'stride of B' -e Unnoticed kit/grading/questions/book.json
printf '{"schema": "matmul-lab-book/1", "answers": [{"question": "Q1.7", "parts": [4]}]}' \
    >kit/grading/questions/book.json
build/bin/grader lab1 --book 2>&1 | sed "s|$work|WORK|"
rm kit/grading/questions/book.json
build/bin/grader lab1 --book
