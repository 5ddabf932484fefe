# What is left behind, unchecked or unfinished when the function returns.
for name in leak-of-one unchecked own-unfinished-stream; do
    $grader lab2 --submission "$zoo/lab2/wrong/$name.cu" --backend vgpu --seed 1 \
        | sed -n '/own-kernel/,$p'
done
