# seeds.awk: cuts PTX files into small ones, one kernel each with what stands before the first
# kernel (declarations, functions), for fuzzers: they find more in small texts. And the words of all
# of them, as a dictionary for libFuzzer: opcodes, what stands behind their dots, directives.
#     awk -v out=FOLDER -v words=FILE -f seeds.awk FILE.ptx…
BEGIN {
    # What no test has at the beginning of a statement, or at all.
    odd = "%tid.x %ntid.x %ctaid.x %nctaid.x %laneid %clock64 %r0 %p0 @%p @!%p .generic .maxntid " \
          ".pragma .section 0f7F800000 0d7FF0000000000000 0xffffffffffffffff [%p+-4] _ p|q " \
          "generic( .callprototype inlined_at {%r0,%r1}"
    for (n = split(odd, word, " "); n > 0; n--) known[word[n]] = 1
}
FNR == 1 {
    head = ""
    in_kernel = number = 0
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.ptx$/, "", name)
}
/^\/\// { next }
{
    for (n = split($0, statement, /[;{}]/); n > 0; n--) {
        text = statement[n]
        sub(/^[ \t]*@!?%[a-z0-9]+/, "", text)
        sub(/^[ \t]+/, "", text)
        if (text !~ /^[a-z.]/) continue
        last = text ~ /^\./ ? split(text, word, /[^a-z0-9_.]+/) : split(text, word, /[ \t]/) > 0
        for (w = 1; w <= last; w++) {
            if (w > 1 && word[w] !~ /^\./) continue # names that the text gives itself
            parts = split(word[w], part, /\./)
            if (part[1] != "") known[part[1]] = 1
            for (p = 2; p <= parts; p++) known["." part[p]] = 1
        }
    }
}
/^\.visible \.entry/ {
    in_kernel = 1
    number++
    file = out "/" name "-" number ".ptx"
    printf "%s", head > file
}
in_kernel { print > file; if ($0 == "}") { in_kernel = 0; close(file) }; next }
{ head = head $0 "\n" }
END { for (w in known) printf "\"%s\"\n", w > words }
