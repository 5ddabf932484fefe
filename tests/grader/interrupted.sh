# A run that is stopped says so, leaves nothing behind, and dies of the signal.
cp "$files/endless.cu" .
: >out
"$grader" lab1 --backend vgpu --seed 1 --submission endless.cu >out 2>&1 &
grader_pid=$!
tries=0
until pgrep -f "^$TMPDIR/grader[^ ]*/build/worker" >/dev/null || [ $tries -gt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -TERM $grader_pid
{ wait $grader_pid; } 2>/dev/null
status=$?
cat out
exit $status
