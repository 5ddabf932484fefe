#!/bin/sh
# gpu-arch-test.sh: tools/gpu-arch with stand-ins for several toolkits. Prints one line per failure.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

# A toolkit that knows 7.5, 8.0, 9.0 and 10.0, in no order, with a variant that is no plain number.
cat >"$work/nvcc" <<'END'
#!/bin/sh
printf 'compute_100\ncompute_75\ncompute_90a\ncompute_90\ncompute_80\n'
END
# One from before there was a list.
cat >"$work/old nvcc" <<'END'
#!/bin/sh
echo "nvcc fatal   : Unknown option '--list-gpu-arch'" >&2
exit 1
END
chmod +x "$work/nvcc" "$work/old nvcc"

expect() { # expect STATUS OUTPUT NVCC CAPABILITY
    out=$(tools/gpu-arch "$3" "$4" 2>"$work/err")
    status=$?
    [ "$status $out" = "$1 $2" ] || {
        echo "FAILED: gpu-arch $3 $4: expected '$1 $2', got '$status $out'"
        failures=$((failures + 1))
    }
}

expect 0 '-gencode=arch=compute_90,code=sm_90' "$work/nvcc" 90
expect 0 '-gencode=arch=compute_75,code=sm_75' "$work/nvcc" 75
expect 0 '-gencode=arch=compute_80,code=compute_80' "$work/nvcc" 89       # between two: PTX
expect 0 '-gencode=arch=compute_100,code=compute_100' "$work/nvcc" 120    # newer than all: PTX
expect 1 '' "$work/nvcc" 61                                               # older than all
expect 0 '-gencode=arch=compute_61,code=sm_61' "$work/old nvcc" 61
expect 2 '' "$work/nvcc" ''
expect 2 '' "$work/nvcc" 'sm_90'

echo "gpu-arch: 8 checks, $failures failures"
test "$failures" -eq 0
