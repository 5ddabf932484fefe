/*
 * unpack.c: takes the file to grade out of an archive that a student handed in.
 *
 *     unpack LAB <ARCHIVE
 *
 * prints the file's path in the archive, a line, and then the file. It chooses as in a folder
 * (batch_choose.h): LAB.cu, else the only .cu file. Status 0; 1: there is none to take, and what it
 * printed is the reason, a line; anything else: it was ended, or this machine is at fault.
 *
 * A stranger's archive may be a bomb, or made to break its reader. So this is a process of its own
 * that has the archive on descriptor 0, writes to descriptor 1, and can do nothing else: no file
 * can be opened, no process started, no connection made (seccomp), memory and time are limited.
 * Nothing in the archive ever becomes a path on this machine. It opens no archive within the
 * archive and follows no link. libarchive reads zip, tar and tar.gz; its other formats are left
 * out.
 */
#include "grading/src/batch/batch_choose.h"
#include "grading/src/build/submission.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__ /* needs more memory, and calls of its own; walls are tested without */
#undef HAVE_SECCOMP
#endif
#ifdef HAVE_SECCOMP
#include <errno.h>
#include <seccomp.h>
#endif

#define MOST_ARCHIVE (INT64_C(64) << 20)  /* bytes of the archive */
#define MOST_TOTAL   (INT64_C(512) << 20) /* bytes of all files in it */
#define MOST_RATIO   200                  /* between the two */
#define MOST_ENTRIES 20000
#define MOST_MEMORY  (UINT64_C(256) << 20)
#define MOST_SECONDS 10

__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *why = xvasprintf(format, args);
    va_end(args);
    struct text clean = {0};
    text_add_clean_line(&clean, why, strlen(why), 200);
    printf("%s\n", text_get(&clean));
    fflush(stdout);
    _exit(1);
}

/* ---- Walls ---- */

#ifdef HAVE_SECCOMP
static void close_calls(void) {
    static const int calls[] = {
        SCMP_SYS(read),         SCMP_SYS(write),        SCMP_SYS(lseek),   SCMP_SYS(fstat),
        SCMP_SYS(newfstatat),   SCMP_SYS(mmap),         SCMP_SYS(munmap),  SCMP_SYS(mremap),
        SCMP_SYS(brk),          SCMP_SYS(futex),        SCMP_SYS(madvise), SCMP_SYS(exit_group),
        SCMP_SYS(rt_sigreturn), SCMP_SYS(clock_gettime)};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool ok = filter != NULL;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && ok; i++)
        ok = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0) == 0;
    ok = ok && seccomp_load(filter) == 0;
    seccomp_release(filter);
    if (!ok) {
        fputs("unpack: this machine allows no filter of system calls\n", stderr);
        _exit(2);
    }
}
#endif

static void close_walls(void) {
    const struct rlimit cpu = {MOST_SECONDS, MOST_SECONDS}, none = {0, 0};
    bool ok = setrlimit(RLIMIT_CPU, &cpu) == 0 && setrlimit(RLIMIT_FSIZE, &none) == 0 &&
              setrlimit(RLIMIT_CORE, &none) == 0;
#ifndef __SANITIZE_ADDRESS__
    const struct rlimit memory = {MOST_MEMORY, MOST_MEMORY};
    ok = ok && setrlimit(RLIMIT_AS, &memory) == 0;
#endif
    ok = ok && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (!ok) {
        perror("unpack: limits");
        _exit(2);
    }
#ifdef HAVE_SECCOMP
    close_calls();
#endif
}

/* ---- The archive ---- */

/* Where paths may lead: below the folder that the archive would be unpacked in. */
static bool leads_outside(const char *path) {
    if (*path == '/' || *path == '\\' || (path[0] && path[1] == ':'))
        return true;
    for (const char *part = path; part; part = strpbrk(part, "/\\")) {
        part += *part == '/' || *part == '\\';
        if (strncmp(part, "..", 2) == 0 && (!part[2] || part[2] == '/' || part[2] == '\\'))
            return true;
    }
    return false;
}

static struct archive *open_archive(void) {
    struct archive *a = archive_read_new();
    if (!a || lseek(0, 0, SEEK_SET) != 0 || archive_read_support_filter_gzip(a) < ARCHIVE_WARN ||
        archive_read_support_format_zip(a) < ARCHIVE_WARN ||
        archive_read_support_format_tar(a) < ARCHIVE_WARN) {
        fputs("unpack: cannot read archives\n", stderr);
        _exit(2);
    }
    if (archive_read_open_fd(a, 0, 65536) != ARCHIVE_OK)
        refuse("not a readable zip or tar archive: %s", archive_error_string(a));
    return a;
}

struct walk {
    int64_t size, total; /* of the archive, and of all in it so far */
    int entries;
};

/* The next entry's path; NULL at the end. Refuses the archive for what no honest one holds. */
static const char *next(struct archive *a, struct archive_entry **e, struct walk *w) {
    const int status = archive_read_next_header(a, e);
    if (status == ARCHIVE_EOF)
        return NULL;
    if (status < ARCHIVE_WARN)
        refuse("it is damaged: %s", archive_error_string(a));
    const char *path = archive_entry_pathname_utf8(*e);
    path = path ? path : archive_entry_pathname(*e);
    if (!path)
        refuse("it holds a file without a name");
    if (leads_outside(path))
        refuse("it holds a path that leads outside: %s", path);
    if (++w->entries > MOST_ENTRIES)
        refuse("it holds more than %d files", MOST_ENTRIES);
    const int64_t claimed = archive_entry_size_is_set(*e) ? archive_entry_size(*e) : 0;
    if (claimed < 0 || claimed > MOST_TOTAL)
        refuse("%s in it has more than %lld MB", path, (long long)(MOST_TOTAL >> 20));
    w->total += claimed;
    const int64_t unpacked = archive_filter_bytes(a, 0);
    const int64_t most = w->total > unpacked ? w->total : unpacked;
    if (most > MOST_TOTAL)
        refuse("unpacked it has more than %lld MB", (long long)(MOST_TOTAL >> 20));
    if (most > (int64_t)SUBMISSION_MAX_BYTES && most / MOST_RATIO > w->size)
        refuse("unpacked it is more than %d times as large: a bomb", MOST_RATIO);
    return path;
}

static struct walk begin(void) {
    struct stat s;
    if (fstat(0, &s) != 0 || !S_ISREG(s.st_mode)) {
        fputs("unpack: standard input must be the archive\n", stderr);
        _exit(2);
    }
    if (s.st_size > MOST_ARCHIVE)
        refuse("it has more than %lld MB", (long long)(MOST_ARCHIVE >> 20));
    return (struct walk){.size = s.st_size};
}

/* The path of the file that is meant, and how many entries stand in front of it. */
static char *choose(const char *lab, int *place) {
    struct walk w = begin();
    struct archive *a = open_archive();
    struct archive_entry *e;
    struct choice best = {0};
    struct text others = {0};
    int other_count = 0;
    for (const char *path; (path = next(a, &e, &w)) != NULL;) {
        const int rank = choice_rank_below(path, lab);
        if (archive_entry_filetype(e) == AE_IFDIR)
            continue;
        if (rank == CHOICE_HIDDEN || rank == CHOICE_DEEP) {
            others_add_aside(&others, &other_count, path, rank);
            continue;
        }
        if (rank < 0 || rank == RANK_ARCHIVE) {
            others_add(&others, &other_count, path, "");
            continue;
        }
        if (archive_entry_filetype(e) != AE_IFREG || archive_entry_hardlink(e))
            refuse("%s in it is a link, or not an ordinary file", path);
        if (!best.path || rank < best.rank)
            *place = w.entries;
        choice_offer(&best, path, rank);
    }
    archive_read_free(a);
    if (best.all == 0 && other_count == 0)
        refuse("it is empty");
    if (best.all == 0)
        refuse("it holds no .cu file, but %s%s", text_get(&others),
               other_count > OTHERS_NAMED ? " and more" : "");
    if (best.equals > 1)
        refuse("it holds several .cu files, and nothing says which one is meant");
    text_free(&others);
    return best.path;
}

static void take(const char *path, int place) {
    struct walk w = begin();
    struct archive *a = open_archive();
    struct archive_entry *e;
    struct text all = {0}, name = {0};
    char part[16384];
    while (w.entries < place)
        if (!next(a, &e, &w))
            refuse("it is damaged: it ends early");
    if (archive_entry_is_encrypted(e))
        refuse("it is encrypted: ask for one without a password");
    for (la_ssize_t n; (n = archive_read_data(a, part, sizeof part)) != 0;) {
        if (n < 0)
            refuse("it is damaged: %s", archive_error_string(a));
        text_add_bytes(&all, part, (size_t)n);
        if (all.length > SUBMISSION_MAX_BYTES)
            refuse("%s in it has more than %zu bytes: no lab file is larger", path,
                   SUBMISSION_MAX_BYTES);
    }
    text_add_clean_line(&name, path, strlen(path), 1000);
    printf("%s\n", text_get(&name));
    fwrite(text_get(&all), 1, all.length, stdout);
    if (fflush(stdout) != 0)
        _exit(2);
    archive_read_free(a);
    text_free(&all);
    text_free(&name);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: unpack LAB <ARCHIVE\n", stderr);
        return 2;
    }
    int place = 0;
    setlocale(LC_CTYPE, "C.UTF-8"); /* for the names in it; where there is none, they stay bytes */
    close_walls();
    char *path = choose(argv[1], &place);
    take(path, place);
    free(path);
    return 0;
}
