/* flags_test.c: static rules see what they should, and nothing in honest code. */
#include "common/tests/suite.h"
#include "grading/src/build/flags.h"
#include "grading/src/build/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct flags of_source(const char *source) {
    struct flags f;
    flags_find(&f, source, strlen(source), NULL, 0);
    return f;
}

/* What a rule found, or NULL. */
static const char *found(const struct flags *f, const char *rule) {
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->of[i].rule, rule) == 0)
            return text_get(&f->of[i].what);
    return NULL;
}

TEST(honest_sources_have_no_flags) {
    static const char *const honest[] = {
        "",
        "#include \"lab.h\"\n#include <cuda_runtime.h>\n#include <vector>\n",
        "// #include \"/etc/passwd\"\nint x;\n",
        "/* #include \"../solutions/lab1.cu\"\n .incbin */ int y;\n",
        "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 16;\" :: \"r\"(a), \"l\"(b));\n",
        "asm(\"mov.u32 %0, %laneid;\" : \"=r\"(lane));\n",
    };
    for (size_t i = 0; i < sizeof honest / sizeof *honest; i++) {
        struct flags f = of_source(honest[i]);
        ck_assert_msg(f.count == 0, "%s: %s", honest[i], f.of[0].rule);
        flags_free(&f);
    }
}

TEST(includes_from_outside_are_told) {
    static const struct {
        const char *source, *path;
    } cases[] = {
        {"#include \"/etc/passwd\"\n", "/etc/passwd"},
        {"  #  include </dev/zero>", "/dev/zero"},
        {"#include/* */\"../solutions/x.cu\"\n", "../solutions/x.cu"},
        {"#if __has_include(\"/root/x\")\n#endif\n", "/root/x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct flags f = of_source(cases[i].source);
        ck_assert_msg(found(&f, "includes-outside") != NULL, "%s", cases[i].source);
        ck_assert_str_eq(found(&f, "includes-outside"), cases[i].path);
        flags_free(&f);
    }
}

TEST(assembly_for_the_host_is_told) {
    struct flags f = of_source("asm(\".section .rodata\\n.incbin \\\"/etc/passwd\\\"\");\n");
    ck_assert_str_eq(found(&f, "assembly"), ".incbin, .section");
    flags_free(&f);
}

TEST(objects_are_looked_into) {
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    ck_assert_int_gt(n, 0);
    path[n] = '\0';
    for (int i = 0; i < 3; i++) /* BUILD/grading/tests/flags_test */
        *strrchr(path, '/') = '\0';
    const size_t folder = strlen(path);
    snprintf(path + folder, sizeof path - folder, "/obj/grading/tests/flagged.o");
    size_t bytes;
    unsigned char *object = symbols_load(path, 1 << 24, &bytes);
    ck_assert_msg(object != NULL, "%s", path);
    struct flags f;
    flags_find(&f, "", 0, object, bytes);
    ck_assert_str_eq(found(&f, "replaces-cuda"), "cudaMalloc");
    ck_assert_str_eq(found(&f, "replaces-library"), "write");
    ck_assert_str_eq(found(&f, "uses-internals"), "vgpu_get_stats");
    ck_assert_str_eq(found(&f, "looks-up-symbols"), "dlsym");
    ck_assert_str_eq(found(&f, "processes"), "fork");
    ck_assert_ptr_nonnull(strstr(found(&f, "files"), "fopen"));
    ck_assert_ptr_nonnull(strstr(found(&f, "runs-early"), "before_main"));
    ck_assert_ptr_nonnull(strstr(found(&f, "runs-early"), "after_exit"));
    flags_free(&f);
    struct forbidden names;
    flags_forbidden(&names, object, bytes);
    ck_assert_str_eq(text_get(&names.replaced), "write");
    ck_assert_str_eq(text_get(&names.internal), "vgpu_get_stats");
    ck_assert_str_eq(text_get(&names.early), ".preinit_array");
    ck_assert_str_eq(text_get(&names.borrowed), "dlsym");
    forbidden_free(&names);
    flags_forbidden(&names, NULL, 0);
    ck_assert_uint_eq(names.replaced.length + names.internal.length + names.early.length +
                          names.borrowed.length,
                      0);
    forbidden_free(&names);
    free(object);
}

TEST(damaged_objects_do_no_harm) {
    static const unsigned char elf[7] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    unsigned char bytes[256];
    for (int seed = 0; seed < 2000; seed++) {
        srand((unsigned)seed);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)rand();
        memcpy(bytes, elf, sizeof elf);
        struct flags f;
        flags_find(&f, (const char *)bytes, sizeof bytes, bytes, sizeof bytes);
        flags_free(&f);
    }
}

TEST(long_lists_are_cut) {
    struct text t = {0};
    for (int i = 0; i < 30; i++)
        text_addf(&t, "#include \"/x%d\"\n", i);
    struct flags f = of_source(text_get(&t));
    const char *what = found(&f, "includes-outside");
    ck_assert_str_eq(what, "/x0, /x1, /x2, /x3, /x4, /x5, /x6, /x7, ...");
    flags_free(&f);
    text_free(&t);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/flags"});
}
