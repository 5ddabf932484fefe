mkdir "a folder"
cp "$root/solutions/lab1-cpu-baseline/lab1.cu" "a folder/my lab (final) 'v2'.cu"
"$grader" lab1 --backend vgpu --seed 1 --case one --submission "a folder/my lab (final) 'v2'.cu"
echo "oops" >>"a folder/my lab (final) 'v2'.cu"
"$grader" lab1 --backend vgpu --seed 1 --case one --submission "a folder/my lab (final) 'v2'.cu" \
    >out
status=$?
grep -v "^  *[0-9|]" out | grep -v "\^" | sed "s/error: .*/error:/"
exit $status
