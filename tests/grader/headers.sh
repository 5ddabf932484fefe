# Precompiled headers are taken: a submission costs the machine half the time. (For an account that
# cannot enter the kit's folder the grader copies what is needed, and headers are those of a place.)
if [ "$(id -u)" != 0 ] ||
    setpriv --reuid=65534 --regid=65534 --clear-groups test -r "$root/Makefile"; then
    export VGPU_PCH=must
fi
"$grader" lab1 --backend vgpu --seed 1 --case one \
    --submission "$root/solutions/lab1-cpu-baseline/lab1.cu"
