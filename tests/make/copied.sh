# A copy of the build folder under another name: what is compiled is of that name, too.

object=obj/grading/src/base/text.o
# makes BUILD: whether the object was made anew.
makes() {
    ends 0 make BUILD="$1" NVCC= BACKEND=vgpu "$1/$object" && said "grading/src/base/text.c"
}
check "an object" makes one
cp -rp one two
check "a copy that nothing changed for is left alone" not makes two
touch grading/src/base/text.h
check "a header that changed makes the copy's object anew" makes two
check "and the first folder's" makes one
