# A compiler's message about another file shows nothing of that file.
echo 'root:x:0:0:the top secret:/root:/bin/sh' >secret
cat >curious.cu <<END
#include "$work/secret"
END
"$grader" lab1 --backend vgpu --seed 1 --submission curious.cu >out 2>&1
status=$?
grep '^[^ ]' out
grep -c secret: out
grep 'top secret' out
exit $status
