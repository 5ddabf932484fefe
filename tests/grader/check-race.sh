# A right product with a race in it: the check that is not met names both lines.
$grader lab3 --submission "$zoo/lab3/wrong/no-second-barrier.cu" --backend vgpu --seed 1
