# speed.gp: how fast each contender multiplies, against n. Marks are medians, bars quartiles.
set title sprintf("C = A B, n x n x n, on one %s", gpu) noenhanced
set xlabel "n"
set ylabel "TFLOP/s"
set logscale x 2
set xrange [230:1.08 * largest]
set yrange [0:*]
set xtics (256, 512, 1024, 2048, 4096, 8192, 16384)
set key outside right top vertical samplen 2
file(name) = sprintf("%s/square.%s.dat", work, name)
plot for [c in contenders] file(c) using 1:($2 / 1000):($3 / 1000):($4 / 1000) with yerrorlines \
         linecolor rgb colour(c) pointtype mark(c) pointsize 0.8 linewidth 1.8 title title(c), \
     peak > 0 ? peak / 1000 : NaN with lines linecolor rgb "#444444" dashtype 2 linewidth 1.5 title "fp32 peak"
