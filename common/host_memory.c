/* host_memory.c: see host_memory.h. Reads Linux's /proc and both generations of control groups. */
#include "common/host_memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool read_number(const char *path, uint64_t *value) {
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    bool ok = fscanf(f, "%" SCNu64, value) == 1; /* "max" in place of a number: no limit */
    fclose(f);
    return ok;
}

/* The number after "name " at the start of a line. UINT64_MAX when there is no such line. */
static uint64_t read_field(const char *path, const char *name) {
    FILE *f = fopen(path, "re");
    if (!f)
        return UINT64_MAX;
    char line[128], field[64];
    uint64_t value, found = UINT64_MAX;
    while (found == UINT64_MAX && fgets(line, sizeof line, f))
        if (sscanf(line, "%63s %" SCNu64, field, &value) == 2 && strcmp(field, name) == 0)
            found = value;
    fclose(f);
    return found;
}

static uint64_t machine_available(void) {
    uint64_t kilobytes = read_field("/proc/meminfo", "MemAvailable:");
    return kilobytes == UINT64_MAX ? UINT64_MAX : kilobytes * 1024;
}

/* What is left under a control group's limit; UINT64_MAX when there is none. Cached files count as
 * used, but are given up when memory gets short, so they are free for us. */
static uint64_t left_under(const char *limit_path, const char *used_path, const char *stat_path,
                           const char *cached) {
    uint64_t limit, used;
    if (!read_number(limit_path, &limit) || !read_number(used_path, &used))
        return UINT64_MAX;
    uint64_t reclaimable = read_field(stat_path, cached);
    if (reclaimable <= used)
        used -= reclaimable;
    return used < limit ? limit - used : 0;
}

uint64_t host_memory_available(void) {
    uint64_t candidates[] = {
        machine_available(),
        left_under("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
                   "/sys/fs/cgroup/memory.stat", "inactive_file"),
        left_under("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                   "/sys/fs/cgroup/memory/memory.usage_in_bytes",
                   "/sys/fs/cgroup/memory/memory.stat", "total_inactive_file"),
    };
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < sizeof candidates / sizeof candidates[0]; ++i)
        if (candidates[i] < least)
            least = candidates[i];
    return least;
}
