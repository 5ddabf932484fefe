# roofline.gp: speed against operations for each byte that the multiprocessors ask of global memory.
# A point can lie above the roof of the device's memory: then caches serve most of what it asks for.
n = system(sprintf("cat '%s/n'", work))
set title sprintf("Roofline, n = %s, on one %s", n, gpu) noenhanced
set xlabel "operations per byte asked of global memory (counted by the virtual GPU)"
set ylabel "GFLOP/s"
set logscale x 2
set logscale y 10
set xrange [0.25:128]
set yrange [peak / 130:peak * 2]
set format y "%.0f"
set key bottom right samplen 2
roof(rate, x) = rate * x < peak ? rate * x : peak
slope(rate, x) = rate * x <= peak * 1.02 ? rate * x : NaN
points = sprintf("%s/points", work)
set samples 1000
plot roof(copy, x) with lines linecolor rgb "#444444" linewidth 2 \
         title sprintf("device memory: %.0f GB/s, a copy, measured; fp32 peak", copy), \
     slope(l1, x) with lines linecolor rgb "#888888" dashtype 2 linewidth 2 \
         title sprintf("first-level caches: %.0f GB/s, 128 bytes a clock each", l1), \
     cublas > 0 ? cublas : NaN with lines linecolor rgb "#000000" dashtype 3 linewidth 1.5 \
         title sprintf("cuBLAS: %.0f GFLOP/s", cublas), \
     for [c in contenders] points using (strcol(3) eq c ? $1 : NaN):2 with points pointtype 7 pointsize 1.4 \
         linecolor rgb colour(c) notitle, \
     points using ($4 > 0 ? $1 : NaN):2:(title(strcol(3))) with labels left offset 0.8,0.6 notitle, \
     points using ($4 > 0 ? NaN : $1):2:(title(strcol(3))) with labels left offset 0.8,-0.6 notitle
