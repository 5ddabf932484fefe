#!/usr/bin/env python3
"""memory-test.py: whoever seals the questions uses the memory of one hash again for the next.

    memory-test.py SEAL-QUESTIONS

Mapped anew, the 16 MB of a hash are 4096 faults of a page. This check makes fifteen hashes, and has
fewer faults than five of them would need, with all else that it does: one region serves all. Status
0 when it does.
"""
import resource
import subprocess
import sys

PAGES = (16 << 20) // resource.getpagesize()

subprocess.run([sys.argv[1], "--check", "lab1"], stdout=subprocess.DEVNULL, check=True)
faults = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
if faults >= 5 * PAGES:
    sys.exit(f"FAIL sealing: {faults} faults of a page, where a hash has {PAGES} pages")
print("questions: one region of memory serves all hashes")
