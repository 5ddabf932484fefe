#!/usr/bin/env python3
"""record.py PTXRUN-GPU FOLDER: keeps what this machine's GPU gives for the PTX tests in FOLDER (make.py).

Tests that say `// gpu: no` are left alone. Of a test that is written by hand the results go into
NAME.expected. Where results are computed, every line in which the GPU differs is named, and the rules
have to be mended. `recorded` gets the digests of each test's text and of what the GPU printed. Look at
the difference before it is committed: `make test-ptx` holds the virtual GPU against it.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

from make import HERE, digest, read


def differences(name, computed, given):
    ours, theirs = computed.split("\n"), given.split("\n")
    if len(ours) != len(theirs):
        print("%s: %d lines computed, %d from the GPU" % (name, len(ours), len(theirs)))
    wrong = [(i, a, b) for i, (a, b) in enumerate(zip(ours, theirs), 1) if a != b]
    for line, a, b in wrong[:5]:
        print("%s.expected:%d: computed %s, the GPU says %s" % (name, line, a, b))
    if len(wrong) > 5:
        print("%s.expected: and %d more lines" % (name, len(wrong) - 5))


def keep(folder, name, given):
    test = read(os.path.join(folder, name + ".ptx"))
    by_hand = os.path.join(HERE, name + ".expected")
    if os.path.exists(by_hand):
        with open(by_hand, "w") as f:
            f.write(given)
    else:
        differences(name, read(os.path.join(folder, name + ".expected")), given)
    return "%s %s %s" % (name, digest(test), digest(given))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    ptxrun, folder = sys.argv[1:]
    device = subprocess.run([ptxrun, "--device"], stdout=subprocess.PIPE, text=True)
    tests = sorted(t for t in glob.glob(os.path.join(folder, "*.ptx")) if not re.search("^// gpu: no", read(t), re.M))
    with tempfile.TemporaryDirectory() as work:
        if device.returncode or subprocess.run([ptxrun, "--tests", work] + tests).returncode:
            return 2
        rows = [keep(folder, name, read(os.path.join(work, name + ".out")))
                for name in (os.path.basename(t)[:-len(".ptx")] for t in tests)]
    with open(os.path.join(HERE, "recorded"), "w") as f:
        f.write("# Written by record.py: what a GPU ran and what it printed, as digests (make.py).\n")
        f.write("# %s\n" % device.stdout.strip() + "".join(row + "\n" for row in rows))
    print("recorded %d tests on %s" % (len(rows), device.stdout.strip()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
