/* submission.c: reads the file to be graded and refuses what cannot be a program. */
#include "grading/src/build/submission.h"

#include "grading/src/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t submission_hash(const char *bytes, size_t length) {
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return h;
}

void submission_free(struct submission *s) {
    free(s->path);
    free(s->name);
    free(s->bytes);
    *s = (struct submission){0};
}

/* A file name may hold anything; messages may not. */
static char *clean_name(const char *name) {
    struct text t = {0};
    text_add_clean_line(&t, name, strlen(name), 200);
    char *clean = xstrdup(*text_get(&t) ? text_get(&t) : "submission.cu");
    text_free(&t);
    return clean;
}

enum submission_from submission_asked_by(void) {
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO) ? SUBMISSION_TYPED : SUBMISSION_HANDED_IN;
}

char *submission_link(const char *path) {
    char to[PATH_MAX];
    const ssize_t n = readlink(path, to, sizeof to - 1);
    if (n < 0)
        return NULL;
    to[n] = '\0';
    return clean_name(to);
}

/* Opens a regular file. -1: `why` says what is wrong; *no_file: it is there, and something else. */
static int open_regular(const char *path, bool follow, const char *shown, off_t *size,
                        bool *no_file, char *why, size_t room) {
    /* O_NONBLOCK: opening a named pipe must not wait for a writer. */
    const int fd =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follow ? 0 : O_NOFOLLOW));
    struct stat st;
    *no_file = true;
    if (fd < 0 && errno == ELOOP) {
        snprintf(why, room, "%s is a link: hand in the file itself", shown);
    } else if (fd < 0 || fstat(fd, &st) != 0) {
        *no_file = errno == ENXIO; /* a socket */
        snprintf(why, room, errno == ENOENT ? "%s: no such file" : "%s: cannot be read: %s", shown,
                 strerror(errno));
    } else if (S_ISDIR(st.st_mode)) {
        snprintf(why, room, "%s is a folder: name the .cu file in it", shown);
    } else if (!S_ISREG(st.st_mode)) {
        snprintf(why, room, "%s is not an ordinary file", shown);
    } else {
        *size = st.st_size;
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Files that students hand in by mistake, told by their first bytes. */
static const char *known_format(const char *bytes, size_t n) {
    static const struct {
        const char *magic;
        size_t length;
        const char *what;
    } formats[] = {
        {"\x7f"
         "ELF",
         4, "a compiled program"},
        {"%PDF", 4, "a PDF"},
        {"PK\3\4", 4, "a zip archive or an office document"},
        {"\x1f\x8b", 2, "a gzip archive"},
        {"\x89PNG", 4, "a picture"},
        {"\xff\xd8\xff", 3, "a picture"},
        {"!<arch>", 7, "a library"},
        {"\xff\xfe", 2, "UTF-16 text: save it as UTF-8"},
        {"\xfe\xff", 2, "UTF-16 text: save it as UTF-8"},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (n >= formats[i].length && memcmp(bytes, formats[i].magic, formats[i].length) == 0)
            return formats[i].what;
    return NULL;
}

static enum refusal check_text(const struct submission *s, const char *shown, char *why,
                               size_t room) {
    if (s->length == 0) {
        snprintf(why, room, "%s is empty: there is nothing to grade", shown);
        return REFUSED_EMPTY;
    }
    const char *what = known_format(s->bytes, s->length);
    const char *nul = memchr(s->bytes, '\0', s->length);
    if (what) {
        snprintf(why, room, "%s is not CUDA source text but %s", shown, what);
    } else if (nul) {
        snprintf(why, room, "%s is not CUDA source text: byte %zu is zero", shown,
                 (size_t)(nul - s->bytes));
    } else {
        return REFUSED_NOT;
    }
    return REFUSED_NOT_TEXT;
}

enum submission_state submission_read(struct submission *s, enum submission_from from,
                                      const char *path, const char *shown, char *why, size_t room) {
    *s = (struct submission){.path = xstrdup(shown)};
    const char *slash = strrchr(shown, '/');
    s->name = clean_name(slash ? slash + 1 : shown);
    s->bytes = xstrdup("");
    off_t size = 0;
    bool no_file;
    const bool typed = from == SUBMISSION_TYPED;
    const int fd = open_regular(path, typed, shown, &size, &no_file, why, room);
    if (fd < 0 && no_file && !typed) {
        s->refusal = REFUSED_NOT_FILE;
        return SUBMISSION_REFUSED;
    }
    if (fd < 0)
        return SUBMISSION_NOT_THERE;
    if ((uint64_t)size > SUBMISSION_MAX_BYTES) {
        snprintf(why, room, "%s has %lld bytes: no lab file is larger than %zu", shown,
                 (long long)size, SUBMISSION_MAX_BYTES);
        close(fd);
        s->refusal = REFUSED_TOO_LARGE;
        return SUBMISSION_REFUSED;
    }
    free(s->bytes);
    s->bytes = xmalloc((size_t)size + 1);
    while (s->length < (size_t)size) {
        const ssize_t n = read(fd, s->bytes + s->length, (size_t)size - s->length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        s->length += (size_t)n;
    }
    s->bytes[s->length] = '\0';
    close(fd);
    if (s->length < (size_t)size) {
        snprintf(why, room, "%s: cannot be read to its end", shown);
        return SUBMISSION_NOT_THERE;
    }
    s->hash = submission_hash(s->bytes, s->length);
    s->refusal = check_text(s, shown, why, room);
    return s->refusal == REFUSED_NOT ? SUBMISSION_OK : SUBMISSION_REFUSED;
}
