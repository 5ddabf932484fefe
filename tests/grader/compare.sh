# One product by each lab of a folder: right, wrong, not begun, not built, and labs without a file.
mkdir -p mine
for lab in lab1-cpu-baseline lab2-global-memory lab3-tiled-square lab4-tiled-any-size \
    lab5-cublas; do
    mkdir "mine/$lab"
    cp "$root/solutions/$lab"/lab?.cu "mine/$lab"
done
cp "$zoo/lab3/wrong/first-tile-only.cu" mine/lab3-tiled-square/lab3.cu
cp "$root"/labs/lab4-*/lab4.cu mine/lab4-tiled-any-size/
echo 'int main( {' >mine/lab5-cublas/lab5.cu
masked() { sed -E '/^  lab1 /s/ +[0-9.]+ m?s +1 /  TIME 1 /'; }
"$grader" --compare=mine --backend vgpu --seed 7 --format text --format json=r.json \
    --format html=r.html >out.txt
echo "exit $?"
masked <out.txt
# The same numbers for programs, and on a page that runs and loads nothing.
python3 - <<'END'
import json
r = json.load(open("r.json"))
print(r["schema"], r["seed"], r["gpu"])
for lab in r["labs"]:
    time = lab["time"] and (lab["time"]["side"], lab["time"]["device"], lab["time"]["times_cpu"])
    print(lab["lab"], lab["state"], lab["verdict"], lab["unwritten"], lab["counts"], time,
          [round(p["times_cpu"]) for p in lab["printed"]])
END
grep -c '<svg' r.html
grep -ciE '<script|src=|href="http' r.html
# Right ones alone, the student's choice of a tile among them: status 0.
mkdir -p right/lab3-tiled-square right/lab5-cublas
sed 's/define TILE 32/define TILE 25/' "$root"/solutions/lab3-*/lab3.cu \
    >right/lab3-tiled-square/lab3.cu
cp "$root"/solutions/lab5-*/lab5.cu right/lab5-cublas/
"$grader" --compare=right --backend vgpu --seed 7 | grep '^ *lab[35]'
"$grader" --compare=right --backend vgpu --seed 7 >out.txt
echo "exit $?"
# On a narrow terminal the sources' columns are a table of their own.
COLUMNS=80 "$grader" --compare=right --backend vgpu --seed 7
# It is for all labs, and it is no grading.
"$grader" lab3 --compare
"$grader" --compare --format csv
"$grader" --compare --case tiles
ls "$BUILD/standing" 2>/dev/null
# On a GPU (a stand-in) the kernels have times, and counts from the virtual GPU all the same.
cp -R "$BUILD" gpu 2>/dev/null # other tests work there: a file may go
NVCC=$("$root/tests/standin-gpu" gpu)
BUILD=$PWD/gpu
export BUILD NVCC
sleep 1
: >gpu/.grader-ready
rm -r mine/lab[345]-*
"$grader" --compare=mine --seed 7 --format json=r.json
echo "exit $?"
python3 - <<'END'
import json
r = json.load(open("r.json"))
cpu, kernel = r["labs"][0]["time"], r["labs"][1]["time"]
print(r["gpu"], cpu["device"], kernel["device"], kernel["side"],
      abs(kernel["times_cpu"] * kernel["seconds"] / cpu["seconds"] - 1) < 1e-4,
      r["labs"][1]["counts"]["bytes"])
END
