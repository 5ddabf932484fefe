# On a machine with a GPU (a stand-in): products there, checks and causes from the virtual GPU.
cp -R "$BUILD" gpu 2>/dev/null # other tests work there: a file may go
NVCC=$("$root/tests/standin-gpu" gpu)
BUILD=$PWD/gpu
export BUILD NVCC
sleep 1
: >gpu/.grader-ready
masked() {
    sed 's/in [0-9.e+-]* ms; cuBLAS [0-9.e+-]* ms, so [0-9.e+-]* %/in T ms; cuBLAS T ms, so P %/'
}
few() { "$files/fewer-cases" "$root/labs/$1"-*/lab.cfg many-tiles many-rows larger >few.cfg; }

if $section 'all right'; then
    "$grader" lab3 --submission "$root"/solutions/lab3-*/lab3.cu --seed 4 | masked
fi
for wrong in lab2/wrong/block-2048 lab2/wrong/null-in-kernel lab3/wrong/sync-or-skips \
    lab4/wrong/no-second-barrier; do
    $section $wrong || continue
    few "${wrong%%/*}"
    "$grader" "${wrong%%/*}" --submission "$zoo/$wrong.cu" --seed 4 --backend both \
        --rubric few.cfg \
        | sed -n '/^First/,/^  case/p'
done
if $section 'one case alone has its cause looked for there, too'; then
    "$grader" lab2 --submission "$zoo/lab2/wrong/no-guard.cu" --seed 4 --case ragged \
        | sed -n '/^First/,/^  case/p'
fi
if $section 'ends itself where a grid is refused: asked for fewer rows'; then
    "$grader" lab2 --submission "$zoo/lab2/right/no-includes.cu" --seed 4 --case many-rows \
        --backend both | sed -n '/^  many-rows/p'
fi
if $section 'leaves C in its second grid: not taken for a grid that is refused'; then
    "$grader" lab4 --submission "$zoo/lab4/wrong/slab-c-by-k.cu" --seed 4 --case many-rows \
        --backend both | sed -n '/^  many-rows/p'
    sed 's/CUDA_CHECK_LAUNCH();/if (cudaDeviceSynchronize()) exit(3);/' \
        "$zoo/lab4/wrong/slab-c-by-k.cu" >exits.cu
    grep -c 'exit(3)' exits.cu
    "$grader" lab4 --submission exits.cu --seed 4 --case many-rows \
        --backend both | sed -n '/^  many-rows/p'
fi
if $section 'wrong on the GPU alone'; then # the virtual GPU's silence is told
    "$grader" lab2 --submission "$files/right-on-vgpu.cu" --seed 4 --case one \
        | sed -n '/^First/,/^  case/p'
    "$grader" lab2 --submission "$zoo/lab2/wrong/null-in-kernel.cu" --seed 4 --case one \
        --format json=r.json >out.txt
    python3 -c 'import json; c = json.load(open("r.json"))["cases"][0]
print(c["failure"]["printed"], c["watched"]["verdict"], c["watched"]["printed"])'
fi
# What the virtual GPU says comes first, and no check is explained by a product that is wrong.
if $section 'right on the GPU alone: a race'; then
    "$grader" lab3 --submission "$files/race-on-vgpu.cu" --seed 4 --format json=r.json \
        --format junit=r.xml --format html=race.html --format text | masked
    grep -c 'Likely cause: second-barrier-missing' race.html
    grep -E '<h3>The (virtual GPU says|program printed)' race.html
    python3 -c 'import json; r = json.load(open("r.json")); c = r["cases"][0]
print(r["diagnosis"]["class"], c["verdict"], c["watched"]["verdict"],
      [k["diagnosis"] and k["diagnosis"]["class"] for k in r["checks"]])'
    grep -c 'Likely cause' r.xml
fi
if $section 'right on the GPU alone: a product'; then
    sed 's/? 1.0f : 0.0f/? 0.0f : 1.0f/' "$files/right-on-vgpu.cu" >wrong-on-vgpu.cu
    "$grader" lab2 --submission wrong-on-vgpu.cu --seed 4 --case one | sed -n '/^On/,/^  case/p'
    few lab2
    "$grader" lab2 --submission wrong-on-vgpu.cu --seed 4 --rubric few.cfg --format html=r.html \
        | masked \
        | sed -n '/^On/,$p'
    grep -c 'On the virtual GPU: one, <span class="fail">wrong answer' r.html
fi
# What a checker finds where the product is right is the cause of what nothing else explains.
if $section 'what a checker finds'; then
    few lab4
    "$grader" lab4 --submission "$files/found-on-vgpu.cu" --seed 4 --rubric few.cfg |
        sed -n '/ points$/,$p' | masked
fi
# The tile is a student's choice, and found on the virtual GPU before cases are drawn.
if $section 'a tile of 25'; then
    sed 's/define TILE 32/define TILE 25/' "$root"/solutions/lab3-*/lab3.cu >tile-25.cu
    "$grader" lab3 --submission tile-25.cu --seed 4 --backend both --case one-tile \
        | grep -E '^  (one-tile|total)'
fi
