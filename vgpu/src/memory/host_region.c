/* host_region.c: asks the system what it has mapped where (/proc/self/maps); see host_region.h. */
#include "vgpu/src/memory/host_region.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum vgpu_host vg_host_region(uint64_t address) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[4400];
    uint64_t end_of_files = 0; /* of a program's mappings so far: its zeros come right behind */
    enum vgpu_host region = VGPU_HOST_UNKNOWN;
    while (maps != NULL && region == VGPU_HOST_UNKNOWN && fgets(line, sizeof line, maps) != NULL) {
        uint64_t begin, end;
        int name = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &begin, &end, &name) < 2)
            continue;
        const bool is_file = line[name] == '/' || (line[name] == '\0' && begin == end_of_files);
        end_of_files = is_file ? end : end_of_files;
        if (address < begin || address >= end)
            continue;
        region = strncmp(line + name, "[stack", 6) == 0 ? VGPU_HOST_STACK
                 : is_file                              ? VGPU_HOST_STATIC
                                                        : VGPU_HOST_HEAP;
    }
    if (maps != NULL)
        fclose(maps);
    return region;
}
