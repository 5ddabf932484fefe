/* touched.c: see touched.h. Where there is no /proc, as behind some walls, nothing is known. */
#include "vgpu/src/memory/touched.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A page is in memory, or was and has been swapped out. */
#define PRESENT (UINT64_C(1) << 63)
#define SWAPPED (UINT64_C(1) << 62)

static bool read_entries(int fd, uint64_t first, size_t pages, bool *touched) {
    enum { AT_ONCE = 512 };
    uint64_t entry[AT_ONCE];
    for (size_t done = 0; done < pages;) {
        const size_t n = pages - done < AT_ONCE ? pages - done : AT_ONCE;
        const ssize_t bytes = (ssize_t)(n * sizeof *entry);
        if (pread(fd, entry, (size_t)bytes, (off_t)((first + done) * sizeof *entry)) != bytes)
            return false;
        for (size_t i = 0; i < n; i++)
            touched[done + i] = (entry[i] & (PRESENT | SWAPPED)) != 0;
        done += n;
    }
    return true;
}

bool *vg_touched(const void *from, size_t bytes, size_t *page_bytes, size_t *pages) {
    *page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    *pages = (bytes + *page_bytes - 1) / *page_bytes;
    bool *touched = calloc(*pages + 1, sizeof *touched);
    const int fd = touched != NULL ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
    const bool known =
        fd >= 0 && read_entries(fd, (uint64_t)(uintptr_t)from / *page_bytes, *pages, touched);
    if (fd >= 0)
        close(fd);
    if (!known) {
        free(touched);
        return NULL;
    }
    return touched;
}
