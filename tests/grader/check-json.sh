# The JSON of a check that is not met.
$grader lab3 --submission "$zoo/lab3/wrong/no-second-barrier.cu" --backend vgpu \
    --seed 1 \
    --format json | sed -n '/"name": "banks"/,/"name": "barriers"/p'
