# What a machine lacks is said at once, in one sentence, with the command that installs it.

# A machine with the tools that every system has, and with those of our choice.
system() { # system NAME PROGRAM...
    folder=$work/$1
    shift
    mkdir -p "$folder"
    for program in sh make flock awk sed grep sort tr cat cut dirname basename find head mkdir rm \
        mv nproc getconf env readlink uname tput id date cmp ls wc "$@"; do
        path=$(command -v "$program")
        case $path in /*) ln -sf "$path" "$folder/$program" ;; esac
    done
}
on() { # on SYSTEM COMMAND...
    path=$work/$1
    shift
    env PATH="$path" NVCC= "$@"
}
lacks() { # lacks SYSTEM WHO SENTENCE COMMAND...
    machine=$1 who=$2 sentence=$3
    shift 3
    check "on $machine, $* fails" ends 2 on "$machine" "$@"
    check "on $machine, $* says: $sentence" \
        complained "$who: this machine lacks $sentence, which installs what is missing"
    check "on $machine, $* says nothing else" one_sentence
    check "on $machine, $* compiles nothing" not said "  C"
}

cc="a C compiler, the C library's headers"
cxx="the C++ headers and library (g++), clang"
system bare
lacks bare make "$cc, $cxx: run tools/setup" make lab3
lacks bare make "$cc, $cxx: run tools/setup" make labs
lacks bare make "$cc, $cxx: run tools/setup" make -j2 lab3 lab4
lacks bare make "$cc, $cxx, jansson, libconfig: run tools/setup" make solutions
lacks bare make "pandoc, weasyprint, python3: run tools/setup handouts" make handouts
lacks bare make "pandoc, python3: run tools/setup handouts" make site
lacks bare make "$cc, $cxx: run tools/setup" make -C labs/lab3-tiled-square
system with-gcc gcc as ld g++
lacks with-gcc make "clang: run tools/setup" make lab3
lacks with-gcc grader "clang, jansson: run tools/setup" env JANSSON_LIBS=-lnot-there ./grader lab3
lacks with-gcc make "Check: run tools/setup tests" \
    make LIBCHECK=-lnot-there CLANGXX=cat build/common/tests/matrix_test
check "what needs nothing works on a bare machine" ends 0 on bare make help
check "and so does clean" ends 0 on bare make clean
rm "$work/bare/make"

check "without make the grader" ends 2 on bare ./grader lab3
check "says so, too" \
    complained "grader: this machine lacks make: run tools/setup, which installs what is missing"
on bare tools/setup >"$work/out" 2>"$work/err"
check "tools/setup reads the same list" \
    complained "missing: make cc libc c++ clang cblas jansson libconfig seccomp crypt dw edit."

# What nothing installs is said as early.
check "a GPU's program without a toolkit" ends 2 make lab3 lab4 BACKEND=gpu NVCC=
check "says what is missing" complained "make: nvcc is missing: install the CUDA toolkit"
check "says nothing else" one_sentence
check "compiles nothing" not said "  C"

# Each need is found to be missing, and has packages: a name that nothing defines would show here.
everything=$(on bare env LUNR=/none tools/needs missing students class bench handouts install \
    search copies \
    tests optional)
check "a bare machine lacks whatever there is to lack" [ "$(echo "$everything" | tr '\n' ' ')" = \
    "make cc libc c++ clang cblas jansson libconfig seccomp crypt dw edit archive nettle utf8proc\
 sim gnuplot pandoc help2man mandoc pkg-config weasyprint lunr tidy check git zip unzip python3\
 jsonschema yaml fuzzer clang-tidy clang-format shellcheck chromium vim emacs dap-mode slurm munge\
 ccache " ]
printf '#!/bin/sh\n[ "$1" = depends ] || echo "  Candidate: 1.0"\n' >"$work/bare/apt-cache"
chmod +x "$work/bare/apt-cache"
for manager in apt dnf pacman zypper; do
    for need in $everything; do
        # These have none.
        case $manager:$need in
        pacman:slurm | [dpz]*:lunr | [dpz]*:sim | [dpz]*:dap-mode) continue ;;
        esac
        check "$manager has packages of $need" ends 0 on bare tools/needs packages $manager "$need"
        check "$manager names packages of $need" grep -q '^[a-zA-Z]' "$work/out"
        check "$manager: nothing goes wrong with $need" [ ! -s "$work/err" ]
    done
done
check "tools/needs knows no other need" ends 2 tools/needs packages apt abacus
