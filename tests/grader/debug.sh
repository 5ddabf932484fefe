# --debug: after the report a debugger holds the call that went wrong, at the first wrong thing.
# hold LAB OPTIONS: its commands come from standard input; what follows the report is shown.
hold() {
    $grader "$@" --seed 7 --backend vgpu --debug 2>&1 | sed -n '/^The debugger\|^grader/,$p'
}
# A fault.
printf 'print A[row * k + p0 + tx]\nreverse-step\nprint tx\nquit\n' |
    hold lab4 --submission "$zoo/lab4/wrong/a-guards-row-only.cu"
# A race's second access, and then the first wrong element's store.
printf 'info breakpoints\ncatch wrong\ncontinue\nprint sum\ncontinue\n' |
    hold lab3 --submission "$zoo/lab3/wrong/no-second-barrier.cu" --case one-tile
# A product that the host gets: the store on the device.
printf 'print C[row * n + col]\ncatch none\nrun\n' |
    hold lab2 --submission "$zoo/lab2/wrong/b-transposed.cu" --case host-ragged
# A mistake that only a later call makes.
printf 'quit\n' | hold lab2 --submission "$zoo/lab2/wrong/cached-first-answer.cu"
# Nothing is wrong.
: | hold lab4 --submission "$root/solutions/lab4-tiled-any-size/lab4.cu" --case thin
# Nothing to hold, nothing that compiles, nobody who looks.
hold lab1 --submission "$root/solutions/lab1-cpu-baseline/lab1.cu" --case row
echo 'int x = ' >broken.cu
hold lab3 --submission broken.cu
$grader lab3 --debug --batch .
