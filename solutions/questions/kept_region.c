/* kept_region.c: keeps the memory of one hash for the next one.
 *
 * yescrypt (seal.h) works in 16 MB, which libcrypt maps before each hash and unmaps after it. The
 * kernel clears these pages each time, and that takes nearly as long as the hash. libcrypt has no
 * call that keeps them. So in this program, which makes thousands of hashes one after the other,
 * its mmap and munmap are these: the last large region that was given back serves the next request
 * of the same size. A hash fills all of its memory before it reads any.
 *
 * It refuses to be part of anything else: the grader makes a few hashes, each in fresh memory.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#if defined(SYS_mmap) && !defined(__SANITIZE_ADDRESS__)

enum { LARGE = 1 << 20 };

static struct region {
    void *at;
    size_t length;
} lent, kept; /* the last one that was mapped for this; one that was given back */

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    const bool plain = !address && length >= LARGE && (flags & MAP_ANONYMOUS) &&
                       protection == (PROT_READ | PROT_WRITE);
    if (plain && kept.at && length == kept.length) {
        lent = kept;
        kept = (struct region){0};
        return lent.at;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel's answer is a number
    void *at = (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
    if (plain && at != MAP_FAILED)
        lent = (struct region){at, length};
    return at;
}

int munmap(void *address, size_t length) {
    if (kept.at || address != lent.at || length != lent.length)
        return (int)syscall(SYS_munmap, address, length);
    kept = lent;
    lent = (struct region){0};
    return 0;
}

#endif
