# Fractions of points, a bonus, a case that is only shown: on a terminal, and narrow.
one='function = "matmul_cpu"; shape = "thin"; numbers = "reals"; points'
cp "$root/labs/lab1-cpu-baseline/lab1.cu" mine.cu
sed "0,/points = 5;/s//points = 2.25;/
    0,/points = 10;/s//points = 12.75;/
    s/^cases = (/&{ name = \"extra\"; $one = 2.5; bonus = true; },/
    s/^cases = (/&{ name = \"seen\"; $one = 0; },/" \
    "$root/labs/lab1-cpu-baseline/lab.cfg" >points.cfg
try() {
    $grader lab1 --backend vgpu --seed 1 --rubric points.cfg "$@"
    echo "status: $?"
}
try --submission "$root/solutions/lab1-cpu-baseline/lab1.cu"
COLUMNS=40 try --submission mine.cu | awk 'length > 40 { print "too wide: " $0; next } { print }'
cp "$files/last-tile.cu" .
"$files/fewer-cases" "$root"/labs/lab4-*/lab.cfg many-tiles many-rows larger >few.cfg
COLUMNS=40 $grader lab4 --backend vgpu --seed 7 --rubric few.cfg --submission last-tile.cu |
    awk 'length > 40 { print "too wide: " $0; next } { print }'
