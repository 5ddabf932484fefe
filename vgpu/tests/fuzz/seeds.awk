# seeds.awk: cuts PTX files into small ones, one kernel each with what stands before the first
# kernel (declarations, functions), for fuzzers: they find more in small texts.
#     awk -v out=FOLDER -f seeds.awk FILE.ptx…
FNR == 1 {
    head = ""
    in_kernel = number = 0
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.ptx$/, "", name)
}
/^\/\// { next }
/^\.visible \.entry/ {
    in_kernel = 1
    number++
    file = out "/" name "-" number ".ptx"
    printf "%s", head > file
}
in_kernel { print > file; if ($0 == "}") { in_kernel = 0; close(file) }; next }
{ head = head $0 "\n" }
