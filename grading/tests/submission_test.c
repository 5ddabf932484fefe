/* submission_test.c: reading files, the scratch folder, and symbol tables. */
#include "common/matrix.h"
#include "common/tests/suite.h"
#include "grading/src/base/scratch.h"
#include "grading/src/base/text.h"
#include "grading/src/build/backend.h"
#include "grading/src/build/submission.h"
#include "grading/src/build/symbols.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static void set_up(void) {
    char why[256];
    folder = scratch_create(why, sizeof why);
    ck_assert_msg(folder != NULL, "%s", why);
}

static void tear_down(void) {
    ck_assert(scratch_remove(folder));
    ck_assert_int_eq(access(folder, F_OK), -1);
    free(folder);
}

static char *put(const char *name, const void *bytes, size_t n) {
    char *path = xasprintf("%s/%s", folder, name);
    FILE *f = fopen(path, "we");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    fclose(f);
    return path;
}

/* Reads a file of these contents and expects this. */
static void expect(const char *name, const void *bytes, size_t n, enum submission_state state,
                   const char *says) {
    char *path = put(name, bytes, n);
    struct submission s;
    char why[256] = "";
    ck_assert_int_eq(submission_read(&s, SUBMISSION_TYPED, path, name, why, sizeof why), state);
    ck_assert_msg(strstr(why, says) != NULL, "%s", why);
    submission_free(&s);
    free(path);
}

TEST(files_of_all_kinds) {
    expect("good.cu", "int x;\n", 7, SUBMISSION_OK, "");
    expect("empty.cu", "", 0, SUBMISSION_REFUSED, "empty.cu is empty: there is nothing to grade");
    expect("nul.cu", "int x;\0", 7, SUBMISSION_REFUSED, "byte 6 is zero");
    expect("a.out",
           "\x7f"
           "ELF....",
           8, SUBMISSION_REFUSED, "a compiled program");
    expect("report.cu", "%PDF-1.4", 8, SUBMISSION_REFUSED, "a PDF");
    expect("utf16.cu", "\xff\xfei\0n\0t\0", 8, SUBMISSION_REFUSED, "UTF-16");
    char *large = calloc(1, SUBMISSION_MAX_BYTES + 1);
    expect("large.cu", large, SUBMISSION_MAX_BYTES + 1, SUBMISSION_REFUSED, "no lab file is");
    free(large);
}

TEST(what_is_no_file) {
    struct submission s;
    char why[256];
    ck_assert_int_eq(
        submission_read(&s, SUBMISSION_TYPED, "/nonexistent/x.cu", "x.cu", why, sizeof why),
        SUBMISSION_NOT_THERE);
    ck_assert_str_eq(why, "x.cu: no such file");
    submission_free(&s);
    ck_assert_int_eq(submission_read(&s, SUBMISSION_TYPED, folder, "dir", why, sizeof why),
                     SUBMISSION_NOT_THERE);
    ck_assert_str_eq(why, "dir is a folder: name the .cu file in it");
    submission_free(&s);
    char *fifo = xasprintf("%s/pipe", folder);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    ck_assert_int_eq(submission_read(&s, SUBMISSION_TYPED, fifo, "pipe", why, sizeof why),
                     SUBMISSION_NOT_THERE);
    ck_assert_str_eq(why, "pipe is not an ordinary file");
    submission_free(&s);
    free(fifo);
}

/* What a student can make of a file's name is refused, and nothing of it is read. */
TEST(what_is_handed_in_is_a_file) {
    struct submission s;
    char why[256];
    char *target = put("secret.cu", "int secret;\n", 12), *link = xasprintf("%s/link.cu", folder);
    char *gone = xasprintf("%s/gone.cu", folder), *fifo = xasprintf("%s/fifo.cu", folder);
    ck_assert_int_eq(symlink(target, link), 0);
    ck_assert_int_eq(symlink("/nonexistent", gone), 0);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    const struct {
        const char *path, *why;
    } refused[] = {{link, "x.cu is a link: hand in the file itself"},
                   {gone, "x.cu is a link: hand in the file itself"},
                   {fifo, "x.cu is not an ordinary file"},
                   {"/dev/zero", "x.cu is not an ordinary file"},
                   {folder, "x.cu is a folder: name the .cu file in it"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ck_assert_int_eq(
            submission_read(&s, SUBMISSION_HANDED_IN, refused[i].path, "x.cu", why, sizeof why),
            SUBMISSION_REFUSED);
        ck_assert_str_eq(why, refused[i].why);
        ck_assert_int_eq(s.refusal, REFUSED_NOT_FILE);
        ck_assert_str_eq(s.bytes, "");
        submission_free(&s);
    }
    ck_assert_int_eq(
        submission_read(&s, SUBMISSION_HANDED_IN, "/nonexistent/x.cu", "x.cu", why, sizeof why),
        SUBMISSION_NOT_THERE);
    submission_free(&s);
    ck_assert_int_eq(submission_read(&s, SUBMISSION_TYPED, link, "x.cu", why, sizeof why),
                     SUBMISSION_OK);
    ck_assert_str_eq(s.bytes, "int secret;\n");
    submission_free(&s);
    char *to = submission_link(link);
    ck_assert_str_eq(to, target);
    free(to);
    ck_assert_ptr_null(submission_link(target));
    free(target);
    free(link);
    free(gone);
    free(fifo);
}

TEST(names_are_cleaned) {
    char *path = put("\033[31mx.cu", "int x;\n", 7);
    struct submission s;
    char why[256];
    ck_assert_int_eq(submission_read(&s, SUBMISSION_TYPED, path, path, why, sizeof why),
                     SUBMISSION_OK);
    ck_assert_str_eq(s.name, "?[31mx.cu");
    submission_free(&s);
    free(path);
}

TEST(a_scratch_folder_goes_whatever_is_in_it) {
    char *deep = xasprintf("%s/a", folder);
    ck_assert_int_eq(mkdir(deep, 0700), 0);
    char *link = xasprintf("%s/link", deep), *locked = xasprintf("%s/locked", deep);
    ck_assert_int_eq(symlink("/", link), 0); /* must not be followed */
    ck_assert_int_eq(mkdir(locked, 0700), 0);
    char *inside = xasprintf("%s/file", locked);
    free(put("a/locked/file", "x", 1));
    ck_assert_int_eq(chmod(locked, 0), 0);
    ck_assert(scratch_remove(deep));
    ck_assert_int_eq(access(deep, F_OK), -1);
    free(inside);
    free(locked);
    free(link);
    free(deep);
}

TEST(a_deep_scratch_folder_goes) {
    char *deep = xasprintf("%s/deep", folder);
    ck_assert_int_eq(mkdir(deep, 0700), 0);
    const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_eq(chdir(deep), 0);
    ck_assert_int_eq(mkdir("moved-1", 0700), 0); /* a name that the removal uses */
    for (int depth = 0; depth < 700; depth++)
        ck_assert(mkdir("moved-0", 0700) == 0 && chdir("moved-0") == 0);
    ck_assert_int_eq(fchdir(here), 0);
    close(here);
    ck_assert(scratch_remove(deep));
    ck_assert_int_eq(access(deep, F_OK), -1);
    free(deep);
}

TEST(this_program_defines_main) {
    const struct symbols s = symbols_read("/proc/self/exe");
    ck_assert(s.readable);
    ck_assert(s.main);
    ck_assert_uint_eq(s.entries, 0);
}

/* fake_submission's object file: BUILD/obj/... as seen from BUILD/grading/tests. */
static unsigned char *read_object(size_t *n) {
    struct paths paths;
    paths_find(&paths);
    char *path = xasprintf("%s/../obj/vgpu-backend/grading/tests/fake_submission.o", paths.build);
    FILE *f = fopen(path, "re");
    ck_assert_msg(f != NULL, "%s", path);
    unsigned char *bytes = malloc(1 << 20);
    *n = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    free(path);
    paths_free(&paths);
    return bytes;
}

TEST(an_object_names_its_functions) {
    size_t n;
    unsigned char *whole = read_object(&n);
    const struct symbols s = symbols_parse(whole, n);
    ck_assert(s.readable);
    ck_assert(!s.main);
    ck_assert_uint_eq(s.entries, 1u << ENTRY_CPU);
    ck_assert_uint_eq(s.mangled, 0);
    free(whole);
}

TEST(damaged_objects_do_no_harm) {
    size_t n;
    unsigned char *whole = read_object(&n);
    struct generator g = generator_start(1, 0);
    for (int round = 0; round < 5000; round++) {
        const size_t length = round % 4 ? n : generator_next(&g) % (n + 1);
        unsigned char *copy = malloc(length ? length : 1); /* so that every step outside shows */
        memcpy(copy, whole, length);
        for (int i = 0; i < 40 && length > 0; i++) {
            /* The header at the front, the section table at the end, anything between. */
            const size_t window = i % 4 == 0 ? 64 : length;
            copy[generator_next(&g) % (window < length ? window : length)] =
                (unsigned char)generator_next(&g);
        }
        if (length >= 20 && round % 2)
            memcpy(copy, whole, 20); /* else hardly any gets past the magic number */
        (void)symbols_parse(copy, length);
        free(copy);
    }
    free(whole);
    ck_assert(!symbols_parse((const unsigned char *)"", 0).readable);
}

int main(void) {
    return run_tests(
        (struct suite){.name = "grading/submission", .set_up = set_up, .tear_down = tear_down});
}
