/*
 * fuzz_expr.c: what a person may type as an expression, for libFuzzer: any text is read without
 * harm, and what is no expression is told. Memory holds what the text says, too.
 */
#include "vgpu/src/debug/expr.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t *bytes;
static size_t room;

static bool read_bytes(void *self, uint64_t at, void *to, size_t size) {
    (void)self;
    if (at > room || size > room - at)
        return false;
    memcpy(to, bytes + at, size);
    return true;
}

static bool write_bytes(void *self, uint64_t at, const void *from, size_t size) {
    (void)self, (void)from;
    return at <= room && size <= room - at;
}

/* What a program might say of itself: a struct with bit fields, an enumeration, constants. */
static const char said[] = "names\t1\n"
                           "const\tTILE\tsigned\t4\t16\n"
                           "const\tlab::HALF\tfloat\t4\t1056964608\n"
                           "value\tlab::mode\tFAST\t3\n"
                           "value\t\tRED\t-1\n"
                           "type\tlab::spot<3>\t24\n"
                           "leaf\t.row\tunsigned\t4:3:5\t0\n"
                           "leaf\t.wide\tsigned\t8:1:63\t0\n"
                           "leaf\t.how\tunsigned:lab::mode\t4:7:9\t8\n"
                           "leaf\t.next\tpointer:lab::spot<3> *\t8\t16\n"
                           "func\tk\tlab::k<3>\t1\tk.cu\n"
                           "const\tN\tsigned\t4\t3\n";

static bool find(void *self, const char *name, dbg_symbol *to) {
    static vg_leaf leaf[] = {
        {.path = ".a[][]", .encoding = VG_FLOAT, .size = 4, .dims = 2, {2, 2}, {8, 4}},
        {.path = ".p", .encoding = VG_POINTER, .size = 8, .offset = 16},
        {.path = ".h", .encoding = VG_HALF, .size = 2, .offset = 24},
        {.path = ".b", .encoding = VG_SIGNED, .size = 4, .offset = 26, .shift = 3, .bits = 7},
        {.path = ".q", .type = "lab::spot<3> *", .encoding = VG_POINTER, .size = 8, .offset = 32}};
    static vg_named_var var = {.name = "s", .type = "float *", .leaves = leaf, .num_leaves = 5};
    (void)self;
    *to = (dbg_symbol){.var = name[0] == 's' ? &var : NULL, .xyz = {1, 2, 3}};
    return name[0] == 's' || name[0] == 't';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    vg_names *names = vg_names_read(said, strlen(said));
    if (names == NULL)
        abort();
    const dbg_env env = {
        {NULL, read_bytes, write_bytes, names, size % 3 != 0 ? &names->funcs[1] : NULL},
        NULL,
        find};
    char why[DBG_ERROR] = "";
    char *text = malloc(size + 1);
    FILE *to = fopen("/dev/null", "we");
    dbg_value v;
    if (text == NULL || to == NULL)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    bytes = data;
    room = size;
    if (dbg_eval(&env, text, &v, why))
        dbg_write(&env.memory, &v, "\0xduotcf"[size % 8], to);
    else if (why[0] == '\0')
        abort(); /* refused without a word */
    (void)dbg_assign(&env, text, &v, why);
    fclose(to);
    free(text);
    vg_names_free(names);
    return 0;
}
