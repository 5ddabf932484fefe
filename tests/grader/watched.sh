# Mistakes that no rule knows, or of which it is known only whose way is wrong: what the thread of a
# wrong element reads, and at which line.
solution=$root/solutions/lab3-tiled-square/lab3.cu
try() {
    $section "$1" || return 0
    sed "$2" "$solution" >odd.cu
    cmp -s odd.cu "$solution" && echo "the solution is not what it was: $2"
    $grader lab3 --submission odd.cu --backend vgpu --seed 1 |
        sed -n '/What was seen/,/Look at/p; /Likely cause/,/Look at/p'
}
try 'a column further with every row' 's/tile_B\[p\]\[x\]/tile_B[p][(x + p) % TILE]/'
try 'the tile upside down' 's/(size_t)y \* width + col;/(size_t)(TILE - 1 - y) * width + col;/'
try 'fewer products in later phases' 's/p < TILE; ++p/p < TILE - phase; ++p/'
try 'something added on the way' 's/= A\[index_A\];/= A[index_A] + x;/'
try 'all read, and something else added' 's/tile_B\[p\]\[x\];/tile_B[p][x] + phase;/'
