/* shortage.c: see shortage.h. */
#include "grading/src/sandbox/shortage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t shortage_kills(void) {
    static const char name[] = "oom_kill ";
    char line[128];
    uint64_t kills = 0;
    FILE *f = fopen("/proc/vmstat", "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, sizeof name - 1) == 0)
            kills = strtoull(line + sizeof name - 1, NULL, 10);
    if (f)
        fclose(f);
    return kills;
}
