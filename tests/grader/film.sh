# --film: a page that plays the submission's kernel; of the failing case, in its smallest shape.
export PYTHONDONTWRITEBYTECODE=1
films=$root/vgpu/tests/film
$grader lab3 --film --submission "$root/solutions/lab3-tiled-square/lab3.cu" --backend vgpu \
    --seed 1 |
    tail -n 1
python3 "$films/film.py" film-lab3.html --about
# A mistake: the step that the report names.
$grader lab4 --film=guard.html --submission "$zoo/lab4/wrong/a-guards-row-only.cu" --backend vgpu \
    --seed 7 --case one | grep -E 'illegal|:17'
python3 "$films/film.py" guard.html --about
# What is shown without scripts, the grader draws of a recording that it has read.
python3 "$films/pictures.py" film-lab3.html guard.html
# Nothing but a wrong product: who wrote an element, and what that thread read.
for name in c-transposed both-tiles-from-a uninitialised-sum; do
    $grader lab3 --film=$name.html --submission "$zoo/lab3/wrong/$name.cu" --backend vgpu --seed 1 \
        --case one-tile >report
    python3 "$films/film.py" $name.html --about
    python3 "$films/film.py" $name.html --moments | grep -A 4 'The mistake'
    python3 "$films/pictures.py" $name.html
    rm $name.html
done
# Matrices in structs are matrices, too.
$grader lab3 --film=structs.html --submission "$files/structs.cu" --backend vgpu --seed 1 \
    --case one-tile >report
python3 "$films/film.py" structs.html --about
rm structs.html
# What it shows can be chosen.
$grader lab4 --film=part.html size=33x40x20 block=1,0 warp=2 \
    --submission "$root/solutions/lab4-tiled-any-size/lab4.cu" --backend vgpu --seed 7 --case one |
    tail -n 1
python3 "$films/film.py" part.html --about
for choice in block=9,9 case=nothing case=ragged colour=red size=99999x99999x99999 \
    block=4294967296,0 warp=99 steps=3; do
    $grader lab4 --film=none.html $choice \
        --submission "$root/solutions/lab4-tiled-any-size/lab4.cu" --backend vgpu --seed 7 \
        --case one >said 2>&1
    echo "$choice: $?, $(grep -E 'none.html|grader: ' said)"
done
rm said
# Lab 3's sizes are square, and whole tiles of the file's own.
for choice in size=64x64x32 size=40x40x40; do
    $grader lab3 --film=none.html $choice \
        --submission "$root/solutions/lab3-tiled-square/lab3.cu" --backend vgpu --seed 1 \
        --case one-tile 2>&1 | grep 'grader: '
done
# No kernel, and nothing that compiles.
$grader lab1 --film --submission "$root/solutions/lab1-cpu-baseline/lab1.cu" --seed 1 --case row |
    tail -n 1
echo 'int x = ' >broken.cu
$grader lab3 --film --submission broken.cu --backend vgpu >report
ls
# A submission that writes the recording itself: what it writes stays text.
$grader lab3 --film=forged.html --submission "$files/forges-a-film.cu" --backend vgpu --seed 1 \
    >report
grep -c '<script' forged.html
grep -o 'owned' forged.html | head -n 1
grep -c '</script><script>' forged.html
# A report's page has its film beside it.
mkdir pages
$grader lab4 --format html=pages/a\ report.html --backend vgpu --seed 7 --case one \
    --submission "$zoo/lab4/wrong/a-guards-row-only.cu"
ls pages
grep -o '<a href="[^"]*film[^"]*">.*</a>' "pages/a report.html"
