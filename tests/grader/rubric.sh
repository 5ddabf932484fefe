# An instructor's rubric: other points; and every way to get one wrong is told with its line.
own=$root/labs/lab1-cpu-baseline/lab.cfg
sub=$root/solutions/lab1-cpu-baseline/lab1.cu
try() { $grader lab1 --submission "$sub" --backend vgpu --seed 1 --rubric "$1"; echo "status: $?"; }
sed 's/points = 15/points = 14/; s/"one";\( *shape\)/"one";\1/; 0,/points = 5;/s//points = 6;/' \
    "$own" >other.cfg
grep -c . other.cfg >/dev/null
try other.cfg | sed -n '/case/,/ragged/p'
sed 's/points = 15/points = 14/' "$own" >sum.cfg && try sum.cfg
sed 's/points = 15/points = 15.5/' "$own" >fraction.cfg && try fraction.cfg
sed 's/shape = "ragged"/shape = "raged"/' "$own" >shape.cfg && try shape.cfg
sed 's/numbers = "reals"/number = "reals"/' "$own" >key.cfg && try key.cfg
sed 's/name = "row"/name = "one"/' "$own" >twice.cfg && try twice.cfg
sed 's/function = "matmul_cpu"/function = "matmul_device"/' "$own" >function.cfg && try function.cfg
sed 's/format = 1;/format = 1/; s/lab = "lab1"/lab "lab1"/' "$own" >syntax.cfg && try syntax.cfg
sed 's/lab = "lab1"/lab = "lab2"/' "$own" >lab.cfg && try lab.cfg
try nowhere.cfg
: >empty.cfg && try empty.cfg
section='debugging.md#initialised'
third=$root/labs/lab3-tiled-square/lab.cfg
sed "s/section = \"[^\"]*\"/section = \"$section\"/" "$third" >section.cfg
$grader lab3 --describe --rubric section.cfg
echo "status: $?"
sed 's/at_least = 2.0/at_least = 2.0e999/' "$third" >infinite.cfg
$grader lab3 --describe --rubric infinite.cfg
