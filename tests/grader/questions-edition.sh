# Another edition has other numbers for everybody; what has not changed keeps its seals; its key
# fits.
mkdir -p kit/grading/questions kit/handouts
cp "$root"/handouts/lab*.md kit/handouts/
(cd "$root" && tar -cf - labs/*/lab.cfg) | tar -xf - -C kit
cd kit || exit
GRADER_ROOT=$work/kit VGPU_HOME=$root
export GRADER_ROOT VGPU_HOME
"$BUILD/bin/seal-questions" --cost 1 --edition 7 lab1
"$BUILD/bin/seal-questions" lab1
"$BUILD/bin/seal-questions" --check lab1
"$BUILD/bin/answer-key" lab1 ann >key.txt
"$BUILD/bin/grader" lab1 --answers --submission key.txt | grep ' of .* right'
(cd "$root" && env -u GRADER_ROOT "$BUILD/bin/answer-key" lab1 ann) | diff - key.txt |
    grep -c '^[<>]'
# A line of the file changed by hand is told.
sed 's/"hint":"C has/"hint":"C had/' grading/questions/lab1.json >changed && mv changed \
    grading/questions/lab1.json
"$BUILD/bin/seal-questions" --check lab1
echo "status: $?"
"$BUILD/bin/seal-questions" lab1
"$BUILD/bin/seal-questions" --check lab1
"$BUILD/bin/seal-questions" --edition
echo "status: $?"
"$BUILD/bin/seal-questions" lab11
echo "status: $?"
"$BUILD/bin/answer-key"
