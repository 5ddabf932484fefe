# Hidden cases take their points from visible ones.
cat >hidden.cfg <<'END'
format = 1;
lab = "lab1";
cases = (
    { name = "secret"; function = "matmul_cpu"; shape = "fixed"; size = [ 17, 3, 250 ];
      numbers = "wide integers"; points = 9; taken_from = "ragged"; }
);
END
$grader lab1 --submission "$root/solutions/lab1-cpu-baseline/lab1.cu" --backend vgpu --seed 1 \
    --hidden hidden.cfg
sed 's/points = 9/points = 16/' hidden.cfg >greedy.cfg
$grader lab1 --submission "$root/solutions/lab1-cpu-baseline/lab1.cu" --backend vgpu --seed 1 \
    --hidden greedy.cfg
