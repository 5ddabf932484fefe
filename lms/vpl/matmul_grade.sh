#!/bin/bash
# matmul_grade.sh: VPL runs vpl_evaluate.sh or vpl_run.sh, and they run this, in a fresh folder on
# the jail server with the execution files and the student's; what it leaves as vpl_execution is run
# next, and what that prints is the evaluation. (With "Run", VPL sends no vpl_evaluate.sh: what both
# do stands here.)
# shellcheck disable=SC1091 # VPL writes it
. ./vpl_environment.sh 2>/dev/null
here=$PWD
[ -f kit.tar.gz ] || cat kit.tar.gz.b64.* | base64 -d >kit.tar.gz
# File names are a student's: nothing but these characters goes into the script.
first=$(cat lab.txt).cu
[ -f "$first" ] || first=$(printf '%s' "${VPL_SUBFILE0:-$first}" | tr -cd 'A-Za-z0-9._/-')
low=$(printf '%s' "${VPL_GRADEMIN:-0}" | tr -cd '0-9.-') \
    high=$(printf '%s' "${VPL_GRADEMAX:-100}" | tr -cd '0-9.-')
cat >vpl_execution <<END
#!/bin/sh
here='$here'
cd "\$here" || exit 1
export VPL_GRADEMIN='$low' VPL_GRADEMAX='$high'
. ./kit.sh
say() { printf '<|--\n-Result\n>%s\n--|>\n' "\$1"; }
kit_place "\$here/kit"
mkdir -p "\$here/.handin"
# Not graded: no grade line, so VPL proposes no grade.
if ! kit_ready "\$place" >/dev/null 2>&1; then
    say 'not graded: the kit cannot be built on the execution server'
elif ! cp '$first' ".handin/\$lab.cu" 2>/dev/null; then
    say "hand in \$lab.cu"
    echo "Grade :=>>\$VPL_GRADEMIN"
else
    kit_grade "\$here/.handin/\$lab.cu" vpl "\$here/result.txt" >/dev/null 2>&1
    if [ -s result.txt ]; then cat result.txt; else say 'not graded: the grader left no result'; fi
fi
END
chmod +x vpl_execution
