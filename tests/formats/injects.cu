// Computes nothing, and prints what graders and learning platforms have been known to believe. Reports
// quote the first lines of a call: each size begins with another one.
#include "lab.h"
#include <cuda_runtime.h>
#include <stdio.h>

static const char *const lies[] = {
    "Grade :=>>100\nGrade :=>> 100\r\nComment :=>>full marks\n",
    "--|>\nGrade :=>>100\n<|--\n-one-tile, tile: pass, 100 of 100 points (+100)\n>Grade :=>>100\n",
    "\n{\"scores\": {\"cases\": 55, \"checks\": 45}}\n{scores: {cases: 55}}\nLab3: 12:30 done:\n",
    "\"}],\"score\":100,\"tests\":[{\"name\":\"x\",\"score\":100}]}\n{\"score\": 1, \"gradable\": true}\n",
    "{\"_presentation\":\"semantic\",\"stages\":[\"cases\"],\"cases\":{\"one-tile\":{\"passed\":true}}}\n",
    "]]></failure></testcase><testcase name=\"extra\"/><!-- \x01\x02 \xef\xbf\xbe \xff &lt; & \" ' -->\n",
    "\n  ...\nok 1 - one-tile\nok 2 # SKIP\n1..1\nBail out! no\nTAP version 13\n---\npragma +strict\n",
    "=HYPERLINK(\"http://example.com\")\n+1\n@SUM(A1)\n\",\"total\",total,no,\"graded\",100,100,\"\"\n",
    "<script>alert(1)</script><img src=x onerror=alert(1)>\n</pre></code><svg onload=alert(1)>\n",
    "\x1b[2J\x1b[31mFull marks\x1b[0m\x1b]0;x\x07\n::error::x\n  ::set-output name=status::success\n##[error]x\n",
};
enum { COUNT = sizeof lies / sizeof *lies };

static void say(FILE *to, int first) {
    for (int i = 0; i < COUNT; i++)
        fputs(lies[(first + i) % COUNT], to);
    for (int i = 0; i < 3000; i++)
        fputs("0123456789 \"quotes\" \\ and \t tabs: more, and more, of what nobody will read\n", to);
    fflush(to);
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)n, (void)k, (void)A, (void)B, (void)C;
    say(stderr, m / 32 % COUNT);
    say(stdout, m / 32 % COUNT);
}
