/* left.c: see left.h. */
#include "grading/src/run/left.h"

#include "grading/src/base/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

char *worker_left(const struct worker *w, const char *name, size_t most, size_t *length) {
    *length = 0;
    if (!w->folder)
        return NULL;
    char *path = xasprintf("%s/%s", w->folder, name), *bytes = NULL;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    free(path);
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
        (uint64_t)st.st_size <= most) {
        bytes = xmalloc((size_t)st.st_size);
        for (ssize_t n; *length < (size_t)st.st_size &&
                        (n = read(fd, bytes + *length, (size_t)st.st_size - *length)) > 0;)
            *length += (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    return bytes;
}
