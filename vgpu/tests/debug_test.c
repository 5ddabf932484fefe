/*
 * debug_test.c: the expressions that the debugger computes (vgpu/src/debug/expr.h), over a memory
 * of the test's own: an int, a float, a struct, a matrix, a pointer.
 */
#include "vgpu/src/debug/expr.h"
#include "vgpu/tests/vgpu_test.h"

#include <string.h>

/* Bytes from BASE on are all the memory there is. */
enum { BASE = 4096, SIZE = 128 };
static uint8_t memory[SIZE];

static vg_leaf i_leaf[] = {{.path = "", .encoding = VG_SIGNED, .size = 4}};
static vg_leaf f_leaf[] = {{.path = "", .encoding = VG_FLOAT, .size = 4}};
static vg_leaf p_leaf[] = {{.path = "", .encoding = VG_POINTER, .size = 8}};
static vg_leaf s_leaf[] = {
    {.path = ".a", .encoding = VG_SIGNED, .size = 4},
    {.path = ".b[]", .encoding = VG_FLOAT, .size = 4, .offset = 4, .dims = 1, {2}, {4}},
    {.path = ".b2", .encoding = VG_UNSIGNED, .size = 1, .offset = 12}};
static vg_leaf m_leaf[] = {{.path = "[][]",
                            .encoding = VG_SIGNED,
                            .size = 4,
                            .dims = 2,
                            .side = {2, 3},
                            .stride = {12, 4}}};

#define VAR(label, words, leaf)                                                                    \
    { .name = label, .type = words, .leaves = leaf, .num_leaves = sizeof(leaf) / sizeof *(leaf) }
static vg_named_var vars[] = {VAR("i", "int", i_leaf), VAR("f", "float", f_leaf),
                              VAR("p", "const float *", p_leaf), VAR("s", "thing", s_leaf),
                              VAR("m", "int [2][3]", m_leaf)};
static const uint64_t places[] = {0, 4, 8, 16, 32};

static bool read_bytes(void *self, uint64_t at, void *to, size_t size) {
    (void)self;
    const bool there = at >= BASE && at < BASE + SIZE && size <= BASE + SIZE - at;
    if (there)
        memcpy(to, memory + (at - BASE), size);
    return there;
}

static bool write_bytes(void *self, uint64_t at, const void *from, size_t size) {
    (void)self;
    const bool there = at >= BASE && at < BASE + SIZE && size <= BASE + SIZE - at;
    if (there)
        memcpy(memory + (at - BASE), from, size);
    return there;
}

static bool find(void *self, const char *name, dbg_symbol *to) {
    (void)self;
    for (size_t i = 0; i < sizeof vars / sizeof *vars; i++) {
        if (strcmp(vars[i].name, name) == 0) {
            *to = (dbg_symbol){.var = &vars[i], .at = BASE + places[i]};
            return true;
        }
    }
    if (strcmp(name, "threadIdx") == 0)
        *to = (dbg_symbol){.xyz = {5, 3, 0}};
    return strcmp(name, "threadIdx") == 0;
}

static const dbg_env env = {{NULL, read_bytes, write_bytes, NULL, NULL}, NULL, find};

static void fill(void) {
    const int32_t i = -7, a = 11, m[6] = {0, 1, 2, 10, 11, 12};
    const float f = 1.5f, b[2] = {0.25f, -2};
    const uint64_t p = BASE + 20;
    memset(memory, 0, sizeof memory);
    memcpy(memory, &i, 4);
    memcpy(memory + 4, &f, 4);
    memcpy(memory + 8, &p, 8);
    memcpy(memory + 16, &a, 4);
    memcpy(memory + 20, b, 8);
    memory[28] = 200;
    memcpy(memory + 32, m, sizeof m);
}

static const char *shown(const dbg_value *v, char format) {
    static char text[512];
    FILE *to = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(to);
    dbg_write(&env.memory, v, format, to);
    fclose(to);
    return text;
}

static const struct {
    const char *text, *value;
} right[] = {
    {"1 + 2 * 3", "7"},
    {"(1 + 2) * 3", "9"},
    {"10 - 4 - 3", "3"},
    {"7 / 2", "3"},
    {"-7 / 2", "-3"},
    {"-7 % 3", "-1"},
    {"7 / 2.0", "3.5"},
    {"1 << 4 | 1", "17"},
    {"-16 >> 2", "-4"},
    {"~0", "-1"},
    {"!0 + !5", "1"},
    {"0x10 + 010", "24"},
    {"2147483647 + 1", "-2147483648"}, /* an int wraps */
    {"4294967295u + 1", "0"},
    {"2147483648 + 1", "2147483649"},
    {"(-2147483647 - 1) / -1", "-2147483648"},
    {"-1 < 1u", "0"}, /* as in C: -1 is a large unsigned */
    {"1 < 2 == 1", "1"},
    {"1 ? 2 : 3", "2"},
    {"0 ? 2 : 0 ? 3 : 4", "4"},
    {"0 && 1 / 0", "0"}, /* what is not wanted is not asked */
    {"1 || m[9][9]", "1"},
    {"0 ? m[9][9] : 5", "5"},
    {"16777216.0f + 1.0f", "16777216"}, /* a float is rounded to 4 bytes */
    {"16777216.0 + 1.0", "16777217"},
    {"0.1f", "0.1"},
    {"0.1f + 0.2f == 0.3f", "1"},
    {"0.0 / 0.0 == 0.0 / 0.0", "0"},
    {"(int)-2.9f", "-2"},
    {"(unsigned char)300", "44"},
    {"(float)1 / 3", "0.33333334"},
    {"'a' + 1", "98"},
    {"i", "-7"},
    {"i * f", "-10.5"},
    {"threadIdx.x + threadIdx.y", "8"},
    {"threadIdx.z - 1", "4294967295"},
    {"s", "{a = 11, b = {0.25, -2}, b2 = 200}"},
    {"s.b", "{0.25, -2}"},
    {"s.b[1]", "-2"},
    {"s.b2", "200"},
    {"m[1][2]", "12"},
    {"m[1]", "{10, 11, 12}"},
    {"m", "{\n  [0] = {0, 1, 2},\n  [1] = {10, 11, 12}\n}"},
    {"m[threadIdx.y - 2][i + 8]", "11"},
    {"*m[1]", "10"},
    {"p[0] + p[1]", "-1.75"},
    {"*(p + 1)", "-2"},
    {"p + 1 - p", "1"},
    {"&s.b[1] == p + 1", "1"},
    {"*&i", "-7"},
    {"(int *)p == &s.a", "0"},
    {"p", "(const float *) 0x1014"},
};

TEST_EACH(expressions_are_computed_as_in_c, sizeof right / sizeof *right) {
    char why[DBG_ERROR] = "";
    dbg_value v;
    fill();
    ck_assert_msg(dbg_eval(&env, right[_i].text, &v, why), "%s: %s", right[_i].text, why);
    ck_assert_msg(strcmp(shown(&v, 0), right[_i].value) == 0, "%s: %s, expected %s", right[_i].text,
                  shown(&v, 0), right[_i].value);
}

static const struct {
    const char *text, *why;
} wrong[] = {
    {"", "expected a name or a number at the end"},
    {"1 +", "at the end"},
    {"1 2", "expected an operator before \"2\""},
    {"(1", "expected ')' at the end"},
    {"nothing", "there is no 'nothing' here"},
    {"12ab", "this is not a number"},
    {"i = 3", "an expression changes nothing"},
    {"1 / 0", "divides by zero"},
    {"1 % (2 - 2)", "divides by zero"},
    {"m[2][0]", "has the elements 0 to 1, not 2"},
    {"m[0][-1]", "has the elements 0 to 2, not -1"},
    {"m[0.5]", "whole number"},
    {"i[0]", "only arrays and pointers"},
    {"s + 1", "is a struct"},
    {"s.c", "has no field 'c'"},
    {"i.x", "no field"},
    {"p->x", "a number has no field 'x'"},
    {"i->x", "'->' wants a pointer"},
    {"threadIdx", "the fields x, y and z"},
    {"threadIdx.w", "the fields x, y and z"},
    {"*(float *)0", "nothing can be read at 0x0"},
    {"*i", "only arrays and pointers"},
    {"*(void *)p", "has no size"},
    {"1.5 % 2", "whole numbers"},
    {"~1.5", "whole number"},
    {"p * 2", "with a pointer"},
    {"&3", "lies in memory"},
    {"(float *)1.5", "cannot become a pointer"},
    {"'", "expected a character"},
};

TEST_EACH(what_is_wrong_is_told, sizeof wrong / sizeof *wrong) {
    char why[DBG_ERROR] = "";
    dbg_value v;
    fill();
    ck_assert_msg(!dbg_eval(&env, wrong[_i].text, &v, why), "%s: %s", wrong[_i].text, shown(&v, 0));
    ck_assert_msg(strstr(why, wrong[_i].why) != NULL, "%s: %s", wrong[_i].text, why);
}

TEST(nesting_has_an_end) {
    char text[4096], why[DBG_ERROR] = "";
    dbg_value v;
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert(!dbg_eval(&env, text, &v, why));
    ck_assert_msg(strstr(why, "nested too deeply") != NULL, "%s", why);
    memset(text, '-', sizeof text - 1);
    ck_assert(!dbg_eval(&env, text, &v, why));
}

TEST(formats_show_bits) {
    char why[DBG_ERROR];
    dbg_value v;
    fill();
    ck_assert(dbg_eval(&env, "i", &v, why));
    ck_assert_str_eq(shown(&v, 'x'), "0xfffffff9");
    ck_assert_str_eq(shown(&v, 'u'), "4294967289");
    ck_assert(dbg_eval(&env, "f", &v, why));
    ck_assert_str_eq(shown(&v, 'x'), "0x3fc00000");
    ck_assert_str_eq(shown(&v, 'd'), "1");
    ck_assert(dbg_eval(&env, "s.b2", &v, why));
    ck_assert_str_eq(shown(&v, 't'), "11001000");
    ck_assert_str_eq(shown(&v, 'd'), "-56");
    ck_assert_str_eq(shown(&v, 'c'), "-56 '\\310'");
}

TEST(places_are_changed) {
    char why[DBG_ERROR];
    dbg_value v;
    fill();
    ck_assert_msg(dbg_assign(&env, "m[1][0] = 2.9f", &v, why), "%s", why);
    ck_assert(dbg_eval(&env, "m[1]", &v, why));
    ck_assert_str_eq(shown(&v, 0), "{2, 11, 12}");
    ck_assert(dbg_assign(&env, "p[1] = i", &v, why));
    ck_assert(dbg_eval(&env, "s.b[1]", &v, why));
    ck_assert_str_eq(shown(&v, 0), "-7");
    ck_assert(!dbg_assign(&env, "3 = 4", &v, why));
    ck_assert(!dbg_assign(&env, "m = 4", &v, why));
    ck_assert(!dbg_assign(&env, "i == 4", &v, why));
    ck_assert(!dbg_assign(&env, "*(int *)4 = 4", &v, why));
    ck_assert_msg(strstr(why, "nothing can be") != NULL, "%s", why);
}

TEST(types_are_read) {
    dbg_type t;
    ck_assert(dbg_type_read("const unsigned int *", &t));
    ck_assert(t.encoding == VG_UNSIGNED && t.size == 4 && t.stars == 1);
    ck_assert(dbg_type_read("float *__restrict", &t));
    ck_assert(t.encoding == VG_FLOAT && t.size == 4 && t.stars == 1);
    ck_assert(!dbg_type_read("thing *", &t));
    ck_assert(t.size == 0 && t.stars == 1);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "debug"});
}
