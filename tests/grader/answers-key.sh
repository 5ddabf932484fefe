# The instructors' key gets full marks for whoever it was made for, and nobody else.
cd "$root" || exit
for lab in 1 2 3 4 5 6 7 8 9 10; do
    case $lab in [2468]) student='Émile 7' ;; *) student='' ;; esac
    "$BUILD/bin/answer-key" lab$lab "$student" >"$work/key.txt"
    $grader lab$lab --answers --submission "$work/key.txt" | grep ' of .* right'
    "$BUILD/bin/answer-key" lab$lab s1 >"$work/key.txt"
    $grader lab$lab --answers --submission "$work/key.txt" --student s2 >"$work/out" && echo \
        "lab$lab: a neighbour's key passes"
    grep 'student counts' "$work/out"
done
$grader lab9 --answers --submission "$work/key.txt" --seed 9 >"$work/out" && echo \
    "lab9: last year's key passes"
# Every right answer that takes more than one line of a list.
for line in 12 13 14; do
    "$BUILD/bin/answer-key" lab2 s1 >"$work/key.txt"
    first=$(sed -n 's/^bug_line = //p' "$work/key.txt")
    sed "s/^missing_after = .*/missing_after = $first - 3 + $line/" "$work/key.txt" \
        >"$work/other.txt"
    $grader lab2 --answers --submission "$work/other.txt" | grep ' of .* right'
done
# From any folder; and a lab that is none is told.
(cd / && "$BUILD/bin/answer-key" lab2 s1) | cmp - "$work/key.txt" && echo 'the same from elsewhere'
(cd / && "$BUILD/bin/answer-key" lab99) 2>&1 | sed "s|$root|ROOT|"
"$BUILD/bin/answer-key" 2>&1 || exit 0
