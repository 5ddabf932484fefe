"""cuda_magic.py: %%cuda for notebooks: compiles a cell as CUDA C++ and runs it.

    %load_ext cuda_magic              (after: import sys; sys.path.append("kit/tools"))
    %%cuda [-O0 and other flags of the compiler] [-- arguments of the program]

Where a GPU answers and nvcc is there, they are used; elsewhere vgpucc and the virtual GPU. What the
compiler or the program says names lines of the cell: the cell's first line, %%cuda, is line 1.
VGPUCC and NVCC name other compilers.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile

KIT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECONDS = 300


def gpu_answers():
    try:
        said = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.returncode == 0 and "GPU" in said.stdout


def find_nvcc():
    here = "/usr/local/cuda/bin/nvcc"
    return os.environ.get("NVCC") or shutil.which("nvcc") or (here if os.path.exists(here) else None)


def find_vgpucc():
    built = os.path.join(KIT, "build", "bin", "vgpucc")
    return os.environ.get("VGPUCC") or (built if os.path.exists(built) else shutil.which("vgpucc"))


def compiler():
    """The compiler for this machine; None: there is none."""
    nvcc = find_nvcc()
    return nvcc if nvcc and gpu_answers() else find_vgpucc()


def call(command, folder):
    """Runs a command and hands on what it says. True: it ended well."""
    try:
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace",
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        print(f"%%cuda: stopped after {SECONDS} s", file=sys.stderr)
        return False
    print(said.stdout, end="")
    print(said.stderr, end="", file=sys.stderr)
    if said.returncode != 0 and command[0].startswith("./"):
        print(f"%%cuda: the program ended with status {said.returncode}", file=sys.stderr)
    return said.returncode == 0


def cuda(line, cell):
    """%%cuda: compiles the cell and runs it."""
    words = shlex.split(line)
    at = words.index("--") if "--" in words else len(words)
    with_compiler = compiler()
    if not with_compiler:
        print("%%cuda: no GPU and no vgpucc: run tools/setup and make vgpucc in the kit's folder",
              file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "cell.cu"), "w", encoding="utf-8") as source:
            source.write("\n" + cell)  # in place of the line %%cuda, so that lines are the cell's
        flags = [] if os.path.basename(with_compiler) == "nvcc" else ["-I" + os.getcwd()]
        if call([with_compiler, *flags, *words[:at], "cell.cu", "-o", "cell"], folder):
            call(["./cell", *words[at + 1:]], folder)


def load_ipython_extension(ipython):
    ipython.register_magic_function(cuda, "cell", "cuda")
