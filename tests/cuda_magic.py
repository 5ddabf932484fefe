#!/usr/bin/env python3
"""cuda_magic.py VGPUCC: tools/cuda_magic.py's %%cuda, in IPython where it is installed, else called
as IPython would call it."""

import atexit
import contextlib
import importlib.util
import io
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True
os.environ["VGPUCC"] = os.path.abspath(sys.argv[1])
os.environ["NVCC"] = ""
os.environ["PATH"] = "/usr/bin:/bin"
os.environ.pop("VGPU_QUIET", None)

GOOD = r"""#include <cstdio>
__global__ void k(int *x) { x[threadIdx.x] = SCALE * threadIdx.x; }
int main(int argc, char **argv) {
    int *d, h[4];
    cudaMalloc(&d, 16);
    k<<<1, 4>>>(d);
    cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%d %d %s\n", h[3], argc, argv[1]);
    return argc - 2;
}
"""
OUTSIDE = r"""__global__ void k(int *x) {
    x[threadIdx.x] = 1;
}
int main() {
    int *d;
    cudaMalloc(&d, 16);
    k<<<1, 5>>>(d);
    cudaDeviceSynchronize();
}
"""
WRONG = "int main() {\n    nothing;\n}\n"


def cell_runner():
    import cuda_magic

    if importlib.util.find_spec("IPython") is None:
        print("cuda_magic: without IPython")
        return cuda_magic.cuda
    home = tempfile.TemporaryDirectory()  # removed when Python ends
    atexit.register(home.cleanup)
    os.environ["IPYTHONDIR"] = home.name
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "cuda_magic")
    return lambda line, cell: shell.run_cell_magic("cuda", line, cell)


def said_by(run, line, cell):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        run(line, cell)
    return out.getvalue(), err.getvalue()


def check(what, text, *wanted):
    for part in wanted:
        if part not in text:
            sys.exit(f"cuda_magic: {what}: {part!r} is not in\n{text}")


def main():
    run = cell_runner()
    out, err = said_by(run, "-DSCALE=5 -- one", GOOD)
    check("a program", out, "15 2 one\n")
    if err:
        sys.exit(f"cuda_magic: a program: {err}")
    out, err = said_by(run, "-DSCALE=5 -- 'one two' three", GOOD)
    check("arguments", out, "15 3 one two\n")
    check("a status", err, "the program ended with status 1")
    out, err = said_by(run, "", OUTSIDE)
    check("a fault", err, "illegal global write of 4 bytes", "cell.cu:3")
    out, err = said_by(run, "", WRONG)
    check("a mistake", err, "cell.cu:3:5: error:")
    if "status" in err:
        sys.exit("cuda_magic: a program that was not compiled has run")
    print("cuda_magic: passed")


main()
