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

static bool find(void *self, const char *name, dbg_symbol *to) {
    static vg_leaf leaf[] = {
        {.path = ".a[][]", .encoding = VG_FLOAT, .size = 4, .dims = 2, {2, 2}, {8, 4}},
        {.path = ".p", .encoding = VG_POINTER, .size = 8, .offset = 16},
        {.path = ".h", .encoding = VG_HALF, .size = 2, .offset = 24}};
    static vg_named_var var = {.name = "s", .type = "float *", .leaves = leaf, .num_leaves = 3};
    (void)self;
    *to = (dbg_symbol){.var = name[0] == 's' ? &var : NULL, .xyz = {1, 2, 3}};
    return name[0] == 's' || name[0] == 't';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const dbg_env env = {{NULL, read_bytes, write_bytes, NULL, NULL}, NULL, find};
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
    return 0;
}
