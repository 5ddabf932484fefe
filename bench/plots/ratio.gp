# ratio.gp: how many times longer the naive kernel takes than the tiled one, here and as published.
set multiplot layout 1,2 title sprintf("Time of the naive kernel over the tiled one (%s over %s), on one %s", title(naive), title(tiled), gpu) noenhanced
set ylabel "ratio"
set yrange [0:8]
set xlabel "n"
set key top left samplen 2
set xrange [0:1700]
set xtics 0, 200, 1000
part(name) = sprintf("%s/%s", work, name)
plot part("ratio.hundreds") using 1:2 with linespoints linecolor rgb "#0072b2" pointtype 7 linewidth 2 title "this GPU", \
     part("published.hundreds") using 1:2 with points linecolor rgb "#d55e00" pointtype 5 pointsize 1 title "published", \
     part("published.hundreds") using 1:2:3 with labels left offset 0.8,0 font small notitle
unset ylabel
set xrange [0:13200]
set xtics 0, 2000, 8000
plot part("ratio.thousands") using 1:2 with linespoints linecolor rgb "#0072b2" pointtype 7 linewidth 2 notitle, \
     part("published.thousands") using 1:2 with points linecolor rgb "#d55e00" pointtype 5 pointsize 1 notitle, \
     part("published.thousands") using 1:2:3 with labels left offset 0.8,0 font small notitle
unset multiplot
