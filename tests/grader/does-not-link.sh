# The linker's own words differ from machine to machine: only ours and the symbol's are compared.
"$grader" lab1 --backend vgpu --seed 1 --submission "$files/unlinked.cu" >out 2>&1
status=$?
sed -n -e '/^[^ ]/p' \
    -e 's/.*\(undefined reference to\|undefined symbol:\).*\(helper(float\*)\).*/  \2/p' out
exit $status
