# Where a product is wrong, over the launch's blocks: never written at the edge, NaN in one corner.
"$grader" lab2 --submission "$zoo/lab2/wrong/grid-rounds-down.cu" --backend vgpu \
    --seed 1 \
    --case ragged | sed -n '/^  C with/,/worst one shown/p'
"$grader" lab3 --submission "$zoo/lab3/wrong/nan-in-corner.cu" --backend vgpu --seed 1 \
    --case tiles | sed -n '/^  C with/,/worst one shown/p' | tail -n 6
