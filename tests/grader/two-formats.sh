cp "$files/last-tile.cu" .
"$grader" lab4 --backend vgpu --seed 7 --case column --format text --format json=a.json \
    --submission last-tile.cu
"$grader" lab4 --backend vgpu --seed 7 --case column --format json=b.json --submission last-tile.cu
sed -i "/seconds/d" a.json b.json
cmp a.json b.json && echo the same
