#!/usr/bin/env python3
"""make.py FOLDER: puts all tests of PTX instructions into a folder, each NAME.ptx with NAME.expected.

Most of them are rules, not files: tables.py, matrices.py and forms_tests.py write their texts, and
compute what they can of their results. Tests written by hand are copied.

Of what hardware gave, `recorded` has a line a test (see record.py): the digest of the text that the GPU
ran, and that of what it printed. The results that are computed here, or stand beside a test that is
written by hand, must have that digest. FOLDER/gpu gets the names of the tests whose text and results are
a GPU's; the file `recorded` is held against all of them, and a difference is told, with status 1.
"""
import glob
import hashlib
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def read(path):
    with open(path) as f:
        return f.read()


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def recorded():
    """The lines of `recorded`: a test's name, and two digests."""
    rows = [line.split() for line in read(os.path.join(HERE, "recorded")).splitlines() if line[0] != "#"]
    return {name: (text, results) for name, text, results in rows}


def by_hand():
    return sorted(glob.glob(os.path.join(HERE, "*.ptx")))


def write(folder):
    """All tests, and the list of the forms that want one."""
    import forms
    import frame
    import tables
    for test in by_hand():
        shutil.copy(test, folder)
        expected = test[:-len("ptx")] + "expected"
        if os.path.exists(expected):  # else tables.py computes it
            shutil.copy(expected, folder)
    frame.FOLDER = folder
    import forms_tests
    import matrices
    tables.write_all()
    matrices.write_all()
    forms_tests.write_all()
    with open(os.path.join(folder, "forms"), "w") as f:
        f.write("\n".join(sorted(forms.kept())) + "\n")


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for old in glob.glob(os.path.join(folder, "*")):
        os.remove(old)
    write(folder)
    wrong, names = [], []
    for name, (text, results) in sorted(recorded().items()):
        path = os.path.join(folder, name)
        if not os.path.exists(path + ".ptx") or digest(read(path + ".ptx")) != text:
            continue  # new or changed since
        if not os.path.exists(path + ".expected") or digest(read(path + ".expected")) != results:
            wrong.append(name)
        names.append(name)
    with open(os.path.join(folder, "gpu"), "w") as f:
        f.write("".join(name + "\n" for name in names))
    for name in wrong:
        print("make.py: %s: what is computed or kept here is not what the GPU gave" % name, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
