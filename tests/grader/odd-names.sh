for name in -O3.cu lab3.txt noending "@file.cu" "$(printf "new\\nline.cu")"; do
    cp "$root/solutions/lab1-cpu-baseline/lab1.cu" "./$name"
    "$grader" lab1 --backend vgpu --seed 1 --case one --submission "$name"
done
