# printed.gp: durations at the sizes for which others published theirs.
set multiplot layout 1,2 title sprintf("Durations: published ones, and on one %s", gpu) noenhanced
set logscale y 10
set yrange [0.01:1e7]
set format y "10^{%T}"
set ylabel "milliseconds"
set bmargin 3.2
set boxwidth 0.26
set style fill solid 0.9 border rgb "white"
set grid noxtics ytics
set xrange [0.4:5.6]
set xtics ("CPU\nloop" 1, sprintf("CPU\n%s", title(on_cpu)) 2, "naive" 3, "tiled" 4, "cuBLAS" 5) scale 0
set key top right samplen 1
show(v) = v >= 1000 ? sprintf("%.3g s", v / 1000) : v >= 1 ? sprintf("%.3g ms", v) : sprintf("%.3g us", 1000 * v)
part(name) = sprintf("%s/durations.%s", work, name)
bar(which, x) = column(3) == which ? x : NaN
set title "1024 x 1024 (Tesla C2075, with transfers)" noenhanced
plot part("1024") using (bar(1, $1)):2 with boxes linecolor rgb "#999999" title "published", \
     part("1024") using (bar(2, $1)):2 with boxes linecolor rgb "#56b4e9" title "here, with transfers", \
     part("1024") using (bar(3, $1)):2 with boxes linecolor rgb "#0072b2" title "here", \
     part("1024") using 1:2:(show($2)) with labels offset 0,0.5 rotate by 90 left font small notitle
unset ylabel
unset key
set title "C of 3200 x 2400 (device not named)" noenhanced
plot part("3200x2400") using (bar(1, $1)):2 with boxes linecolor rgb "#999999" notitle, \
     part("3200x2400") using (bar(2, $1)):2 with boxes linecolor rgb "#56b4e9" notitle, \
     part("3200x2400") using (bar(3, $1)):2 with boxes linecolor rgb "#0072b2" notitle, \
     part("3200x2400") using 1:2:(show($2)) with labels offset 0,0.5 rotate by 90 left font small notitle
unset multiplot
