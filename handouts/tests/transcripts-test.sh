#!/bin/sh
# transcripts-test.sh: runs the commands of every handouts/transcripts/*.txt again and compares what
# they print. One line a failure, then the difference. UPDATE=1 writes the files anew instead.
#
#     handouts/tests/transcripts-test.sh [NAME...]     all, or transcripts/NAME.txt
#
# A transcript holds commands ("$ ..."), each followed by what it printed. Lines that begin with
# "#:" are not shown in the handouts; they prepare:
#
#     #: with LAB-FILE = FILE      the commands run with a copy of FILE in LAB-FILE's place
#     #: also FILE = FILE          the same for a file that the kit does not have
#     #: run COMMAND               run it, show nothing
#     #: lines FIRST-LAST          of what the next command prints, only these lines
#     #: plain LAB                 where LAB computes A * B of whole matrices, and nothing else
#     #: tile LAB N                where LAB's tile is N
#     #: edition N                 where the questions of lab 2 have the numbers of edition N
#
# A term's course has these files, too, and writes them anew for its own labs (course/make). What
# needs a file that a course lacks, or is about another lab, is left as the kit has it: one line
# says so.
#
# Commands run in a copy of the kit's top folder, which has a labs/ and a build/ of its own: neither
# the student's files nor their standing change. Durations, addresses and numbers of processors
# differ from run to run and from machine to machine, as does the reason why there is no GPU;
# instruction counts differ from compiler to compiler. They are not compared.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$(pwd -P)
build=${BUILD:-build}
case $build in /*) ;; *) build=$root/$build ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset SRC MAKEFLAGS MAKELEVEL VGPU_DEVICE VGPU_BUDGET VGPU_CHECK VGPU_REPORT VGPU_QUIET
export BACKEND=vgpu NO_COLOR=1 LC_ALL=C
failures=0 count=0

# shellcheck source=handouts/tests/kit.sh
. handouts/tests/kit.sh

put_file() { # put_file "PLACE = FILE"
    place=${1%% = *} from=${1#* = }
    mkdir -p "$work/kit/$(dirname "$place")"
    cp "$root/$from" "$work/kit/$place"
}

# Runs the transcript $1; its new text goes to standard output.
replay() {
    rm -rf "$work/kit/build/standing"
    (cd "$root" && cp -R labs/. "$work/kit/labs/")
    lines=
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '#: with '* | '#: also '*)
            printf '%s\n' "$line"
            put_file "${line#'#: '???? }"
            ;;
        '#: lines '*)
            printf '%s\n' "$line"
            lines=${line#'#: lines '}
            ;;
        '#: run '*)
            printf '%s\n' "$line"
            (cd "$work/kit" && sh -c "${line#'#: run '}") >"$work/printed" 2>&1 </dev/null
            ;;
        '#: '*) printf '%s\n' "$line" ;;
        '$ '*)
            printf '%s\n' "$line"
            (cd "$work/kit" && sh -c "${line#\$ }") >"$work/printed" 2>&1 </dev/null
            if [ -n "$lines" ]; then
                sed -n "${lines%-*},${lines#*-}p" "$work/printed"
            else
                cat "$work/printed"
            fi | sed "s|$work/kit/||g"
            lines=
            ;;
        esac
    done <"$1"
}

# Does the kit lack what transcript $1 needs?
lacks() {
    sed -n 's/^#: \(with\|also\) .* = //p' "$1" >"$work/needed"
    while IFS= read -r needed; do
        [ ! -e "$root/$needed" ] || continue
        echo "left: ${1#"$root/"}: there is no $needed"
        return 0
    done <"$work/needed"
    sed -n 's/^#: plain //p' "$1" >"$work/needed"
    while IFS= read -r lab; do
        GRADER_ROOT=$root "$build/bin/grader" "$lab" --describe >"$work/lab.json"
        grep -qE '"(ring|alpha|padding)":' "$work/lab.json" || continue
        echo "left: ${1#"$root/"}: $lab computes something else"
        return 0
    done <"$work/needed"
    sed -n 's/^#: tile //p' "$1" >"$work/needed"
    while read -r lab tile; do
        GRADER_ROOT=$root "$build/bin/grader" "$lab" --describe >"$work/lab.json"
        grep -q "\"tile\": $tile," "$work/lab.json" && continue
        echo "left: ${1#"$root/"}: $lab has another tile"
        return 0
    done <"$work/needed"
    edition=$(sed -n 's/^#: edition //p' "$1")
    [ -z "$edition" ] || grep -q "\"edition\": $edition," "$root/grading/questions/lab2.json" || {
        echo "left: ${1#"$root/"}: the questions have other numbers"
        return 0
    }
    return 1
}

# What may differ between two runs is made the same.
normal() {
    none='no GPU answers|there is no nvcc|the CUDA toolkit cannot be used'
    sed -E -e "s/ because ($none),/ REASON,/" -e 's/0x[0-9a-f]{6,}/ADDRESS/g' \
        -e 's/ +[0-9]+(\.[0-9]+)? (s|ms|us|ns)\b/ TIME/g' \
        -e 's/ +[0-9]+(\.[0-9]+)? GFLOP\/s/ RATE/g' -e 's/[0-9]+ threads?, CBLAS/THREADS/' \
        -e 's/float64,.*CBLAS/float64/; s/float64 +TIME/float64 TIME/' \
        -e 's/[0-9]+ (workers?|processors?|cores?|threads of this machine)/WORKERS/g' \
        -e 's/^(  (instructions|branches|model|shared (loads|stores)) +).*/\1COUNTED/' \
        -e 's/ +[0-9]+ instructions of/ COUNTED instructions of/g' \
        -e 's/("seconds": )[0-9.]+/\1TIME/' -e 's/(just now|[0-9]+ (seconds?|minutes?) ago)/AGO/g'
}

make_kit
for file in "$root"/handouts/transcripts/*.txt; do
    name=$(basename "$file" .txt)
    case " $* " in '  ' | *" $name "*) ;; *) continue ;; esac
    lacks "$file" && continue
    if grep -q 'vgpucc -g' "$file" && [ ! -x "$build/bin/vgpu-names" ]; then
        echo "skipped: $file: there is no vgpu-names (libdw's headers are missing: tools/setup)"
        continue
    fi
    count=$((count + 1))
    replay "$file" >"$work/new"
    normal <"$file" >"$work/old.normal"
    normal <"$work/new" >"$work/new.normal"
    cmp -s "$work/old.normal" "$work/new.normal" && continue
    if grep -q '^grader: not graded' "$work/new" && ! grep -q '^grader: not graded' "$file"; then
        echo "FAILED: handouts/transcripts/$name.txt: this machine cannot run it:" \
             "$(grep -m 1 '^grader: not graded' "$work/new")"
        failures=$((failures + 1))
        continue
    fi
    if [ -n "${UPDATE:-}" ]; then
        cp "$work/new" "$file"
        echo "written: handouts/transcripts/$name.txt"
    else
        echo "FAILED: handouts/transcripts/$name.txt is not what its commands print (make" \
             "handouts-transcripts renews it; read the difference)"
        diff "$work/old.normal" "$work/new.normal" | head -n 20
        failures=$((failures + 1))
    fi
done
echo "handouts: $count transcripts, $failures failed"
[ "$failures" -eq 0 ]
