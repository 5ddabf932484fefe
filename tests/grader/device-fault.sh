# Address and wording of the fault are the virtual GPU's own; what matters is that they are shown.
cp "$files/unguarded.cu" .
"$grader" lab4 --backend vgpu --seed 1 --case tile-minus --submission unguarded.cu >out 2>&1
status=$?
grep -v "^    " out
grep -c "unguarded.cu:[0-9]" out
exit $status
