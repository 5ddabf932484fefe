# shellcheck shell=sh disable=SC2154,SC2034
# kit.sh: what every bundle's scripts do with the kit. Sourced by them; POSIX sh.
#
#     kit_packages         installs the packages the kit needs, at the pinned versions; needs root
#     kit_ready DIR        unpacks kit.tar.gz into DIR and builds it, unless this kit is built
#                          there. KIT_BUILT: what is built of the same sources, to be moved
#                          there (lms/prove)
#     kit_place FALLBACK   sets $place to /opt/matmul if this very kit is built there, else to
#                          FALLBACK
#     kit_file FOLDER      sets $file to what a student handed in; 1 and $why when it cannot be told
#     kit_grade FILE FORMAT RESULT    grades; the status is the grader's: 0 and 1 graded, 2 not
#
# $here is the bundle's folder, with kit.tar.gz, lab.txt and packages-*.txt; hidden cases come from
# $here/hidden.cfg where there is one, else from the kit.

lab=$(cat "$here/lab.txt")

kit_packages() {
    # shellcheck disable=SC1091
    system=$(. /etc/os-release 2>/dev/null && echo "$ID-$VERSION_ID")
    list=$here/packages-$system.txt
    DEBIAN_FRONTEND=noninteractive
    export DEBIAN_FRONTEND
    if [ -r "$list" ]; then
        apt-get update -qq || : # an image may have the lists already
        # shellcheck disable=SC2046 # a word for each package
        apt-get install -y -qq --no-install-recommends $(cat "$list") && return 0
        echo "kit: the pinned versions cannot be had here; taking what there is" >&2
    else
        echo "kit: no pinned versions for ${system:-this system}; taking what there is" >&2
    fi
    folder=$(mktemp -d) && tar -xzf "$here/kit.tar.gz" -C "$folder" &&
        "$folder/matmul-lab-kit/tools/setup"
    result=$?
    rm -rf "$folder"
    return $result
}

kit_ready() {
    kit=$1/matmul-lab-kit
    stamp=$(cksum <"$here/kit.tar.gz")
    if [ "$(cat "$kit/.bundle" 2>/dev/null)" != "$stamp" ]; then
        rm -rf "$kit"
        mkdir -p "$1" && tar -xzf "$here/kit.tar.gz" -C "$1" || return 2
        if [ -n "${KIT_BUILT-}" ]; then # as new as what was unpacked
            mv "$KIT_BUILT" "$kit/build" && find "$kit/build" -exec touch -d "@$(date +%s)" {} +
        fi
        jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
        if ! make -s -C "$kit" -j "$jobs" BUILD=build grader-tools >"$kit/build.log" 2>&1; then
            tail -n 20 "$kit/build.log" >&2
            return 2
        fi
        : >"$kit/build/.grader-ready"
        echo "$stamp" >"$kit/.bundle"
    fi
    # Student code may run on an account without better walls.
    [ ! -d "$kit/solutions" ] || chmod -R go-rwx "$kit/solutions" 2>/dev/null || :
    return 0
}

kit_place() {
    place=$1
    [ "$(cat /opt/matmul/matmul-lab-kit/.bundle 2>/dev/null)" != "$(cksum <"$here/kit.tar.gz")" ] ||
        place=/opt/matmul
}

# one: sets $file when $found holds exactly one line.
one() {
    [ -n "$found" ] && [ "$(printf '%s\n' "$found" | wc -l)" -eq 1 ] && file=$found
}

# At the top, in the kit's own place for it, by name, by being the only one; never a link.
kit_file() {
    file=$1/$lab.cu why=
    [ ! -f "$file" ] || [ -h "$file" ] || return 0
    all=$(find "$1" -type f -iname '*.cu' ! -path '*/.*' ! -path '*/__MACOSX/*' ! -path '*
*')
    found=$(printf '%s\n' "$all" | grep -i "/labs/$lab-[^/]*/$lab\\.cu\$")
    one && return 0
    found=$(printf '%s\n' "$all" | grep -i "/$lab\\.cu\$")
    one && return 0
    found=$all
    one && return 0
    if [ -z "$all" ]; then
        why="no .cu file was handed in: hand in $lab.cu"
    else
        why="several .cu files were handed in, and not one $lab.cu: hand in $lab.cu alone"
    fi
    return 1
}

kit_grade() {
    hidden=$here/hidden.cfg
    [ -r "$hidden" ] || hidden=$(echo "$kit"/solutions/"$lab"-*/hidden.cfg)
    set -- "--submission=$1" "--format=$2=$3" --format=text
    [ ! -r "$hidden" ] || set -- "$@" "--hidden=$hidden"
    BUILD=build "$kit/grader" "$lab" --backend="${KIT_BACKEND:-vgpu}" "$@" </dev/null
}
