#!/bin/sh
# coverage-test.sh: every idea of handouts/coverage.md has a command, and the command prints what
# the row says. One line a failure.
#
#     handouts/tests/coverage-test.sh [WORD]    only rows whose command has WORD in it
#
# Commands run in a copy of the kit in which labs and exercises are solved, each once.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$(pwd -P)
build=${BUILD:-build}
case $build in /*) ;; *) build=$root/$build ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset SRC MAKEFLAGS MAKELEVEL VGPU_DEVICE VGPU_BUDGET VGPU_REPORT VGPU_QUIET
export BACKEND=vgpu NO_COLOR=1 LC_ALL=C
only=${1:-}
failures=0 rows=0

failed() {
    echo "FAILED: coverage.md: $*"
    failures=$((failures + 1))
}

# shellcheck source=handouts/tests/kit.sh
. handouts/tests/kit.sh

# shellcheck disable=SC2016 # backticks are Markdown's
# The rows as IDEA, COMMAND, WORDS, with tabs between; a row without a command has empty ones.
sed -n '/^|---/,$s/^| *\([A-Za-z, ]*\) | \(.*\) | [a-z0-9-]*\.md[^ ]* |\(.*\)$/\2\t\3/p' \
    handouts/coverage.md |
    sed 's/\t *`\([^`]*\)` | `\([^`]*\)` |$/\t\1\t\2/' >"$work/rows"
[ "$(sed -n '/^|---/,$p' handouts/coverage.md | grep -c '^| ')" -eq "$(wc -l <"$work/rows")" ] ||
    failed "$(wc -l <"$work/rows") rows could be read, not all"

make_kit
for solution in solutions/lab*-*/lab*.cu solutions/exercises/*.cu; do
    cp "$solution" "$work/kit/labs/${solution#solutions/}"
done

tab=$(printf '\t')
while IFS="$tab" read -r idea command words; do
    rows=$((rows + 1))
    [ -n "$words" ] || {
        failed "'$idea' has no command with words"
        continue
    }
    case $command in *"$only"*) ;; *) continue ;; esac
    said=$work/$(printf '%s' "$command" | cksum | tr ' ' -)
    # What the checkers would find, another test asks; without them a width of 1000 takes seconds.
    case $command in *width-1000*) checks=none ;; *) checks=all ;; esac
    [ -e "$said" ] ||
        (cd "$work/kit" && VGPU_CHECK=$checks sh -c "$command") >"$said" 2>&1 </dev/null
    grep -qF -- "$words" "$said" ||
        failed "'$idea': '$command' does not say '$words': $(tail -n 2 "$said")"
done <"$work/rows"
echo "coverage: $rows ideas, $failures failed"
[ "$failures" -eq 0 ]
