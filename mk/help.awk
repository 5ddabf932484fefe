# help.awk: the targets with a ## comment in makefiles, in groups: see mk/help.mk. -v all=yes: every
# group; all=instructors: students' and instructors'.

/^[a-zA-Z0-9_-]+:.*## / {
    target = $0
    sub(/:.*/, "", target)
    text = $0
    sub(/^.*## /, "", text)
    group = "kit"
    if (match(text, /^(students|instructors): /)) {
        group = substr(text, 1, RLENGTH - 2)
        text = substr(text, RLENGTH + 1)
    }
    line = sprintf("  %-20s %s\n", target, text)
    # What everybody types comes first, whichever file it stands in.
    if (target == "labN") first = line
    else lines[group] = lines[group] line
}

END {
    print "Usage: make TARGET [BACKEND=vgpu|gpu|auto] [SRC=file.cu]\n"
    print "For students:"
    printf "%s%s", first, lines["students"]
    if (!all) exit
    print "\nFor instructors:"
    printf "%s", lines["instructors"]
    if (all != "yes") exit
    print "\nFor those who change the kit:"
    printf "%s", lines["kit"]
}
