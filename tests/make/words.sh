# Words that are no goals get a sentence; make help tells what is one.

wrong() { # wrong SENTENCE MAKE'S ARGUMENT...
    sentence=$1
    shift
    check "make $* fails" ends 2 make "$@"
    check "make $* says: $sentence" complained "$sentence"
    check "make $* says nothing else" one_sentence
}
wrong "there is no lab 11: the labs are lab1 to lab10" lab11
wrong "did you mean 'make lab3'?" Lab3
wrong "did you mean 'make lab3'?" lab03
wrong "did you mean 'make lab3'?" labs/lab3-tiled-square
wrong "lab3.cu is the file of lab 3: make lab3 builds it" lab3.cu
wrong "lab3.cu is the file of lab 3: make lab3 builds it" labs/lab3-tiled-square/lab3.cu
wrong "make lab3 SRC=mine.cu" mine.cu
wrong "follows without a blank: make lab3" lab
wrong "did you mean 'make solutions'?" solution
wrong "did you mean 'make test-unit'?" tset-unit
wrong "make help lists everything" xyzzy
wrong "README.md is a part of the kit" README.md
check "SUBMISSION is explained" ends 2 make lab3 SUBMISSION=x.cu
check "by make's own word" complained "make lab3 SRC='x.cu'"
check "a build folder with a blank is refused" ends 2 make BUILD="a b" lab3
check "in one line" [ "$(wc -l <"$work/err")" -eq 1 ]
check "by the grader, too" ends 2 env BUILD="a b" ./grader lab3
check "in one line" [ "$(wc -l <"$work/err")" -eq 1 ]
check "nothing was built for all that" not test -e build
mkdir precious empty && echo diary >precious/thesis
check "clean leaves alone what make did not make" ends 2 make BUILD=precious clean
check "and says so" complained "precious was not made by make: nothing was removed"
check "also in a folder of the kit" ends 2 env BUILD=labs make -s clean
check "all is there" test -s precious/thesis -a -e labs/lab1-cpu-baseline/lab1.cu
check "what is empty is make's" ends 0 make BUILD=empty clean
check "and goes" not test -e empty
check "what is not there is no mistake" ends 0 make BUILD=nothing clean

check "make alone" ends 0 make
cp "$work/out" "$work/help"
check "make help" ends 0 make help
check "is the same" cmp "$work/out" "$work/help"
check "begins with the labs" [ "$(sed -n 4p "$work/out" | cut -c1-7)" = "  labN " ]
check "in three groups" [ "$(grep -c '^For ' "$work/out")" -eq 3 ]
check "with every target that has a comment" [ "$(grep -c '^  [a-z]' "$work/out")" -eq \
    "$(find . -name '*.mk' -o -name Makefile | xargs -d '\n' cat |
        grep -cE '^[a-zA-Z0-9_-]+:.*## ')" ]
# A lab's file that is gone.
mv labs/lab3-tiled-square/lab3.cu "$work/lab3.cu"
check "make does not build what is gone" ends 2 make lab3 BACKEND=vgpu
check "says how to get it back" complained "make: labs/lab3-tiled-square/lab3.cu: no such file."
check "... here" complained "To get it back: make skeletons"
check "says nothing else" one_sentence
check "compiles nothing" not said "  C"

# Without the folders that students do not get.
rm -rf tests mk/dist.mk mk/release.mk mk/lms.mk mk/make.mk solutions bench vgpu/tests vgpu/bench
check "students' help" ends 0 make help
check "is one group" [ "$(grep -c '^For ' "$work/out")" -eq 1 ]
for goal in $(sed -n 's/^  \([a-zA-Z-]*\) .*/\1/p' "$work/out" | sed 's/labN/lab3/'); do
    check "$goal can be made there" ends 0 env KIT_STAGE=ask make -n NVCC= "$goal"
    check "$goal is a goal there" not said "KIT unknown"
done
check "nor in a students' archive" ends 2 make lab3 BACKEND=vgpu
check "says how there" complained "To get it back: unpack labs/lab3-tiled-square/lab3.cu from"
