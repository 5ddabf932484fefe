# A lab's answers are listed in the standing, with a word when the file has changed since.
mkdir -p kit/labs/lab1-cpu-baseline kit/grading
cp "$root/labs/lab1-cpu-baseline/lab1.cu" kit/labs/lab1-cpu-baseline/
cp -R "$root/grading/questions" kit/grading/
(cd "$root" && tar -cf - labs/*/lab.cfg) | tar -xf - -C kit
mkdir build && cp -R "$BUILD/bin" "$BUILD/lib" build
VGPU_HOME=$root
GRADER_ROOT=$work/kit
export VGPU_HOME GRADER_ROOT
printf 'student = s1\nways_8_a_b = 208\nc_size = 3, 4\n' >kit/labs/lab1-cpu-baseline/answers.txt
build/bin/grader | grep lab1
build/bin/grader lab1 --answers --format csv | grep -c '"right"'
build/bin/grader | grep lab1
cp kit/labs/lab1-cpu-baseline/answers.txt other.txt
printf 'index = 1\n' >>other.txt
build/bin/grader lab1 --answers --submission other.txt --format csv | grep -c '"wrong"'
build/bin/grader | grep 'lab1 '
cp other.txt kit/labs/lab1-cpu-baseline/answers.txt
build/bin/grader | grep 'lab1 '
# A lab without questions, and questions that are damaged: the kit's fault, not the student's.
rm kit/grading/questions/lab2.json
build/bin/grader lab2 --questions
printf '{' >kit/grading/questions/lab3.json
build/bin/grader lab3 --answers --submission other.txt
