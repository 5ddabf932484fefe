# What people type for a lab: its file, its folder, with a path, in capitals. A file that lies
# elsewhere is the one that is graded.
mkdir -p kit/labs old/lab3-tiled-square
cp "$root/solutions/lab1-cpu-baseline/lab1.cu" old/LAB1.cu
cp "$root/solutions/lab3-tiled-square/lab3.cu" old/lab3-tiled-square/
(cd "$root" && tar -cf - labs/*/lab.cfg labs/lab1*/lab1.cu) | tar -xf - -C kit
ln -s "$root/common" kit/common
ln -s "$root/vgpu" kit/vgpu
mkdir build && cp -R "$BUILD/bin" "$BUILD/lib" build
VGPU_HOME=$root
GRADER_ROOT=$work/kit
export VGPU_HOME GRADER_ROOT
try() {
    echo "\$ grader $*"
    build/bin/grader "$@" --backend vgpu --seed 1
}
only() {
    echo "\$ grader $*"
    build/bin/grader "$@" --backend vgpu --seed 1 --case square --case row --case one |
        sed -n '1p;/^  case/,$p'
}
only lab1.cu
only kit/labs/lab1-cpu-baseline/
only "Lab 01"
only old/LAB1.cu
build/bin/grader old/lab3-tiled-square --backend vgpu --seed 1 --case one-tile
try lab33
try lab3
try labs/lab3-tiled-square
touch mine.cu
try mine.cu
echo "A page alone says where it is."
build/bin/grader 1 --seed 1 --backend vgpu --format html=page.html && test -s page.html
build/bin/grader 1 --seed 1 --backend vgpu --format html=page.html --format json=result.json
build/bin/grader 1 --seed 1 --backend vgpu --format html=page.html --format text=result.txt
