# CFLAGS, CPPFLAGS and LDFLAGS are the user's and win; the kit's own options stay.

# shows NAME=VALUE...: what make would run for the lab and the grader.
shows() {
    ends 0 make -n NVCC= BACKEND=vgpu BUILD=nowhere "$@" lab3 grader-tools
}
# every PATTERN WORD...: each command with the pattern has the words, in this order.
every() {
    pattern=$1
    shift
    grep -- "$pattern" "$work/out" | awk -v words="$*" '
        BEGIN { n = split(words, word, " ") }
        {
            from = 1
            for (i = 1; i <= n; i++) {
                at = index(substr($0 " ", from), " " word[i] " ")
                if (!at) { print "lacks " word[i] ": " $0; exit 1 }
                from += at
            }
            seen++
        }
        END { if (!seen) exit 1 }'
}
compiled=' -MMD -MP -c '
linked='-o nowhere/bin/[gw]'
for how in "make CFLAGS=-O0" "CFLAGS=-O0 make"; do
    case $how in make*) shows CFLAGS=-O0 ;; *) CFLAGS=-O0 shows ;; esac
    check "$how: the kit's options, then the user's" \
        every "$compiled" -std=gnu11 -fPIC -pthread -I. -O0
    check "$how: for vector files, too" every 'ISA=avx2.*ops_int' -ffp-contract=off -mavx2 -O1 -O0
    check "$how: the C library has no checks for -O0" not said _FORTIFY_SOURCE
    check "$how: warnings of options that we have not tried are no errors" not said -Werror
done
check "CPPFLAGS" shows CPPFLAGS=-DMINE
check "are the compiler's" every "$compiled" -I. -DMINE
check "LDFLAGS" shows LDFLAGS=-Wl,-O1
check "are the linker's" every "$linked" -Wl,-O1
check "LDFLAGS beside sanitizers" shows SAN=1 LDFLAGS=-Wl,-O1
check "leave them their own" every "$linked" -fsanitize=address,undefined -Wl,-O1
check "CFLAGS beside sanitizers" shows SAN=1 CFLAGS=-g
check "leave them theirs" every "${compiled}common/m" -fsanitize=address,undefined -I. -g
check "folders of libraries" shows "LDFLAGS=-L/opt/blas/lib -Wl,-rpath,/opt/blas/lib"
check "go into lab programs" every '-o nowhere/vgpu/lab3' -L/opt/blas/lib -Wl,-rpath,/opt/blas/lib
check "CC of two words" shows "CC=env gcc"
check "CC is the user's" every "$compiled" gcc -std=gnu11
check "without any of them" shows
check "the kit's warnings are errors" every "$compiled" -Werror
check "and checks are on" every "$compiled" -D_FORTIFY_SOURCE=2

# Quotes in flags reach the compiler as in any makefile, and do not hide libraries.
check "flags with quotes" ends 0 env CFLAGS='-DNAME="\"a b\""' tools/needs met jansson
check "do not hide libraries" said jansson
