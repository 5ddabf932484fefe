# A compiler's message about another file shows nothing of that file.
echo 'root:x:0:0:the top secret:/root:/bin/sh' >secret
cat >curious.cu <<END
#include "$work/secret"
END
"$grader" lab1 --backend vgpu --seed 1 --submission curious.cu >out 2>&1
status=$?
grep '^[^ ]' out
grep -q '#include.*secret\|secret:\|secret.*file not found' out && echo 'it is named' \
    # read, or not even there: as the walls are
grep 'top secret' out
exit $status
