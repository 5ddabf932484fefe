# What is left behind, unchecked or unfinished when the function returns.
"$files/fewer-cases" "$root"/labs/lab2-*/lab.cfg many-tiles many-rows larger prime >few.cfg
for name in leak-of-one unchecked own-unfinished-stream; do
    $section $name || continue
    $grader lab2 --submission "$zoo/lab2/wrong/$name.cu" --backend vgpu --seed 1 --rubric few.cfg \
        | sed -n '/ points$/,$p'
done
