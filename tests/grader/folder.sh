# What goes by the name of a file and is none is refused, and nothing of it is shown.
echo 'secret' >target
ln -s target link.cu
mkfifo pipe.cu
for file in . link.cu pipe.cu; do
    "$grader" lab3 --submission $file --backend vgpu --seed 1
    echo "status: $?"
done
"$grader" lab3 --answers --submission link.cu |
    sed 's/[0-9]* of [0-9]* right/N of N right/' | tail -n 3
