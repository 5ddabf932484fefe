# style.gp: what all figures share. A contender has the same colour and mark in each.
set encoding utf8
set border 3 linecolor rgb "#444444"
set tics nomirror textcolor rgb "#222222"
set grid linecolor rgb "#dddddd" linetype 1 linewidth 0.7
set key noenhanced Left reverse

names = "lab2 lab3 lab4 lab5 lab6 lab7 lab8 lab9 cublas yours nvidia siboehm salykova"
colours = "#d55e00 #e69f00 #a6761d #999999 #56b4e9 #0072b2 #009e73 #8b5cf6 #000000 #d6006c #5b3a1d #7a7a7a #4d4d4d"
marks = "7 5 9 1 11 13 7 5 2 3 4 12 10"
titles = "lab 2|lab 3|lab 4|lab 5|lab 6|lab 7|lab 8|lab 9 (not fp32)|cuBLAS|yours|NVIDIA's sample|SGEMM_CUDA|sgemm.cu"

rank(name) = sum [i = 1:words(names)] (word(names, i) eq name ? i : 0)
colour(name) = rank(name) ? word(colours, rank(name)) : "#666666"
mark(name) = rank(name) ? int(word(marks, rank(name))) : 4
# words() splits at blanks only: titles are split at bars by hand.
after(text) = text[strstrt(text, "|") + 1 :]
cut(text) = strstrt(text, "|") ? text[: strstrt(text, "|") - 1] : text
nth(text, i) = i <= 1 ? cut(text) : nth(after(text), i - 1)
title(name) = rank(name) ? nth(titles, rank(name)) : name
