# reach.gp: each contender's speed as a share of cuBLAS', over the size of C and the sum's length.
# A mark for each drawn shape: white is as fast, blue faster, orange slower. Beyond half and twice
# the speed the colour stays.
columns = words(reaching) < 3 ? words(reaching) : 3
rows = (words(reaching) - 1) / columns + 1
set multiplot layout rows,columns margins 0.11,0.86,0.14,0.84 spacing 0.03,0.14 \
    title sprintf("Speed as a share of cuBLAS', on one %s", gpu) noenhanced
set logscale xy 2
set logscale cb 2
set xrange [128:134217728]
set yrange [12:11000]
set xtics ("2^{8}" 256, "2^{14}" 16384, "2^{20}" 1048576, "2^{26}" 67108864)
set cbrange [0.5:2]
set cbtics ("50 %%" 0.5, "71 %%" 0.7071, "100 %%" 1, "141 %%" 1.4142, "200 %%" 2)
set colorbox user origin 0.88,0.14 size 0.02,0.7
set palette defined (0 "#b35806", 0.42 "#fdb863", 0.5 "#f7f7f7", 0.58 "#92c5de", 1 "#053061")
file(name) = sprintf("%s/reach.%s", work, name)
do for [i = 1:words(reaching)] {
    set title title(word(reaching, i)) noenhanced
    set xlabel "elements of C"
    set ylabel (i % columns == 1 || columns == 1 ? "length of the sums, k" : "") offset 1.5
    if (i % columns == 1 || columns == 1) { set ytics (16, 64, 256, 1024, 4096) } else {
        set ytics ("" 16, "" 64, "" 256, "" 1024, "" 4096)
    }
    plot file(word(reaching, i)) using 1:2 with points pointtype 7 pointsize 1.3 \
             linecolor rgb "#888888" notitle, \
         file(word(reaching, i)) using 1:2:3 with points pointtype 7 pointsize 1.1 \
             linecolor palette notitle
}
unset multiplot
