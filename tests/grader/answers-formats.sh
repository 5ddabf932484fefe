# Answers in the formats of learning platforms: an answer is one point. A page there is not.
printf 'student = ann\nmma_count = 1\nexact_to = 2,048\ndigits = sawn\n' >answers.txt
echo 'lane_formula = r % 8 * 4 + c % 4' >>answers.txt
$grader lab9 --answers --submission answers.txt --format tap --format csv=result.csv \
    --format autolab=result.txt \
    --format gradescope=result.json --format junit=result.xml --format vpl=vpl.txt \
    --format prairielearn=pl.json
echo "status: $?"
head -n 4 result.csv
tail -n 1 result.csv
grep -A 12 '^lab9' result.txt | head -n 4
tail -n 1 result.txt
grep -A 7 '"name": "exact_to\|"score": 1.0\|"output": "lab9' result.json | head -n 30
grep 'testsuite \|message=' result.xml | head -n 3
tail -n 1 vpl.txt
grep '"score"\|"gradable"' pl.json
$grader lab9 --answers --submission answers.txt --format html=page.html
echo "status: $?"
ls
