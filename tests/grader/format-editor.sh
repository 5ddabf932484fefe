# What editors read: each finding on its line, with a path that can be opened from here.
cp "$files/broken.cu" .
"$grader" lab3 --seed 1 --format editor --submission broken.cu
cp "$zoo/lab3/wrong/no-first-barrier.cu" "$zoo/lab3/wrong/missing-function.cu" .
"$grader" lab3 --seed 1 --backend vgpu --format editor --submission no-first-barrier.cu
"$grader" lab3 --seed 1 --backend vgpu --format editor --submission missing-function.cu
printf '%s\n' 'format = 1; lab = "lab3"; cases = ( { name = "secret"; function = "matmul_device";' \
    'shape = "fixed"; size = [224, 224, 224]; numbers = "integers"; points = 3;' \
    'taken_from = "tiles"; } );' \
    >hidden.cfg
"$grader" lab3 --seed 1 --backend vgpu --format editor --hidden hidden.cfg --case secret \
    --submission no-first-barrier.cu
# A lab's own file, from another folder: nothing of it is here.
"$grader" lab3 --seed 1 --backend vgpu --format editor --case one-tile
"$grader" lab3 --answers --format editor
"$grader" lab3 --seed 1 --backend vgpu --format editor \
    --submission "$root/solutions/lab3-tiled-square/lab3.cu"
