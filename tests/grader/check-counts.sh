# Right products that lack the lab's idea: coalescing, reuse, a call of the library.
$grader lab2 --submission "$zoo/lab2/right/row-from-x.cu" --backend vgpu --seed 1 \
    | sed -n '/own-kernel/,$p'
$grader lab3 --submission "$zoo/lab3/right/no-tile.cu" --backend vgpu --seed 1 \
    | sed -n '/own-kernel/,$p'
$grader lab5 --submission "$zoo/lab5/right/own-kernel.cu" --backend vgpu --seed 1 \
    | sed -n '/library/,$p'
