# style.gp: what all figures share. A contender has the same colour and mark in each.
# bench/plot gives: labs, labs_cublas (call cuBLAS), labs_tf32 (round their inputs), peers, peer_titles.
set encoding utf8
set border 3 linecolor rgb "#444444"
set tics nomirror textcolor rgb "#222222"
set grid linecolor rgb "#dddddd" linetype 1 linewidth 0.7
set key noenhanced Left reverse

# A lab with a kernel of its own gets the next colour; after the last one they begin again.
lab_colours = "#d55e00 #e69f00 #a6761d #56b4e9 #0072b2 #009e73 #8b5cf6 #cc79a7 #7a9a01 #334e68"
lab_marks   = "7 5 9 11 13 7 5 9 11 13"
peer_colours = "#5b3a1d #7a7a7a #4d4d4d"
peer_marks   = "4 12 10"

rank(list, name) = sum [i = 1:words(list)] (word(list, i) eq name ? i : 0)
has(list, name) = rank(list, name) > 0
# Of the labs up to this one, those with a kernel for the GPU of their own.
nth_kernel(name) = sum [i = 1:words(labs)] (i <= rank(labs, name) && word(labs, i) ne on_cpu && \
    !has(labs_cublas, word(labs, i)) ? 1 : 0)
pick(list, i) = word(list, 1 + (i - 1) % words(list))
colour(name) = name eq "cublas" ? "#000000" : name eq "yours" ? "#d6006c" : \
    has(labs_cublas, name) ? "#999999" : has(labs, name) ? pick(lab_colours, nth_kernel(name)) : \
    has(peers, name) ? pick(peer_colours, rank(peers, name)) : "#666666"
mark(name) = name eq "cublas" ? 2 : name eq "yours" ? 3 : has(labs_cublas, name) ? 1 : \
    has(labs, name) ? int(pick(lab_marks, nth_kernel(name))) : \
    has(peers, name) ? int(pick(peer_marks, rank(peers, name))) : 4
# words() splits at blanks only: titles are split at bars by hand.
after(text) = text[strstrt(text, "|") + 1 :]
cut(text) = strstrt(text, "|") ? text[: strstrt(text, "|") - 1] : text
nth(text, i) = i <= 1 ? cut(text) : nth(after(text), i - 1)
title(name) = name eq "cublas" ? "cuBLAS" : has(peers, name) ? nth(peer_titles, rank(peers, name)) : \
    has(labs, name) ? "lab ".name[4:].(has(labs_tf32, name) ? " (not fp32)" : "") : name
