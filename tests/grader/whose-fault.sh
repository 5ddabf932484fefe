# Whose fault it is that a file does not build follows from how the compiler ends, not from what it
# says, which the file can make it say.
real=$(command -v "${VGPU_CLANG:-clang++}" || command -v clang++-14)
cat >standin <<END
#!/bin/sh
case "\$*" in
*killed.cu*) kill -KILL \$\$ ;;
*says.cu*) echo 'PLEASE submit a bug report; out of memory; died due to signal 9' >&2; exit 1 ;;
esac
exec '$real' "\$@"
END
chmod 755 standin
grade() {
    VGPU_CLANG=$PWD/standin $grader lab3 --backend vgpu --seed 1 --submission "$1" >out 2>&1
    echo "status $?"
    sed -n '/^ /!p' out | sed '1,2d'
}
echo '#error internal compiler error' >error.cu
grade error.cu
{ echo '#pragma message "PLEASE submit a bug report"' && echo 'int x = y;'; } >pragma.cu
grade pragma.cu
cp "$root/solutions/lab3-tiled-square/lab3.cu" says.cu
grade says.cu
echo '#pragma clang __debug crash' >crash.cu
grade crash.cu
echo '#pragma clang __debug llvm_fatal_error' >fatal.cu
grade fatal.cu
cp says.cu killed.cu
grade killed.cu
