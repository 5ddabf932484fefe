# shellcheck shell=sh disable=SC2154
# kit.sh: for tests that run the texts' commands: a kit of their own. To be read by a script that
# stands in the kit's top folder, $root, has the build folder in $build and a folder in $work.

# A top folder like the kit's, with labs/ and build/ of its own.
make_kit() {
    mkdir "$work/kit" "$work/kit/build"
    for entry in "$root"/*; do
        case ${entry##*/} in
        labs | build | build-* | grader | common | vgpu) ;;
        *) ln -s "$entry" "$work/kit/" ;;
        esac
    done
    # What a compiler inside the sandbox reads must not lie behind a link that leads out of the kit.
    cp -Rp "$root/labs" "$root/grader" "$root/common" "$root/vgpu" "$work/kit/"
    for part in bin lib obj vgpu; do
        [ -d "$build/$part" ] && cp -Rp "$build/$part" "$work/kit/build/"
    done
    # Precompiled headers are those of a folder's name.
    for pass in device host; do
        "$work/kit/build/bin/vgpucc" --precompile $pass \
            -o "$work/kit/build/lib/headers/$pass.pch"
    done
    : >"$work/kit/build/.grader-ready"
    # Programs made from other files than labs/ holds must not be taken for up to date.
    rm -f "$work"/kit/build/vgpu/lab[0-9]* \
        "$work"/kit/build/obj/vgpu-backend/lab[0-9]*.*
}
