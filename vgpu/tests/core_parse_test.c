/* core_parse_test.c: PTX text to tokens and to trees: numbers, comments, positions, scopes, initial
 * values, and the line of every error. */
#include "common/tests/suite.h"
#include "vgpu/src/core/ptx.h"
#include "vgpu/src/core/ptx_lex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ---- */

static ptx_token only_token(const char *text) {
    ptx_lexer lexer = {.p = text, .end = text + strlen(text), .line = 1};
    const ptx_token t = ptx_next(&lexer);
    if (t.kind != TK_BAD)
        ck_assert_msg(ptx_next(&lexer).kind == TK_END, "more than one token in '%s'", text);
    return t;
}

static const struct {
    const char *text;
    enum ptx_token_kind kind;
    uint64_t bits;
} numbers[] = {
    {"0", TK_INT, 0},
    {"42", TK_INT, 42},
    {"42U", TK_INT, 42},
    {"0x1F", TK_INT, 31},
    {"0XfFu", TK_BAD, 0}, /* only U is a suffix */
    {"0xffffffffffffffff", TK_INT, UINT64_MAX},
    {"18446744073709551615", TK_INT, UINT64_MAX},
    {"18446744073709551616", TK_BAD, 0},
    {"0x1ffffffffffffffff", TK_BAD, 0},
    {"017", TK_INT, 15},
    {"08", TK_BAD, 0},
    {"0b101", TK_INT, 5},
    {"0b2", TK_BAD, 0},
    {"0x", TK_BAD, 0},
    {"12ab", TK_BAD, 0},
    {"0f3F800000", TK_FLOAT, 0x3F800000},
    {"0F3f800000", TK_FLOAT, 0x3F800000},
    {"0d3FF0000000000000", TK_DOUBLE, 0x3FF0000000000000},
    {"0f3F80000", TK_BAD, 0}, /* a digit short */
    {"0d3FF00000", TK_BAD, 0},
    {"1.5", TK_DOUBLE, 0x3FF8000000000000},
    {"1e3", TK_DOUBLE, 0x408F400000000000},
    {"2.5e-1", TK_DOUBLE, 0x3FD0000000000000},
    {"1e", TK_BAD, 0},
};

TEST_EACH(test_numbers, sizeof numbers / sizeof *numbers) {
    const ptx_token t = only_token(numbers[_i].text);
    ck_assert_msg(t.kind == numbers[_i].kind, "'%s' is of kind %d", numbers[_i].text, t.kind);
    if (t.kind != TK_BAD) {
        ck_assert_msg(t.bits == numbers[_i].bits, "'%s' has the bits %llx", numbers[_i].text,
                      (unsigned long long)t.bits);
    }
}

TEST(test_numbers_at_the_very_end) {
    /* The text need not end in NUL: nothing behind its end may be read. */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const size_t full = strlen(numbers[i].text);
        for (size_t len = 1; len <= full; len++) {
            char *exact = malloc(len);
            ck_assert_ptr_nonnull(exact);
            memcpy(exact, numbers[i].text, len);
            ptx_lexer lexer = {.p = exact, .end = exact + len, .line = 1};
            ptx_next(&lexer);
            ck_assert(lexer.p <= lexer.end);
            free(exact);
        }
    }
}

TEST(test_words) {
    static const struct {
        const char *text;
        enum ptx_token_kind kind;
        const char *content;
    } words[] = {
        {"fma", TK_NAME, "fma"},
        {"%r1", TK_NAME, "%r1"},
        {"$L__BB0_2", TK_NAME, "$L__BB0_2"},
        {"_", TK_NAME, "_"},
        {"_Z1kPf", TK_NAME, "_Z1kPf"},
        {".param", TK_DOT, "param"},
        {".shared::cta", TK_DOT, "shared::cta"},
        {".L2::128B", TK_DOT, "L2::128B"},
        {".16x8", TK_DOT, "16x8"},
        {"\"a b\\\"c\"", TK_STRING, "a b\\\"c"},
        {"\"open", TK_BAD, ""},
        {".", TK_BAD, ""},
        {"\x01", TK_BAD, ""},
        {"#", TK_BAD, ""},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const ptx_token t = only_token(words[i].text);
        ck_assert_msg(t.kind == words[i].kind, "'%s' is of kind %d", words[i].text, t.kind);
        if (t.kind != TK_BAD) {
            ck_assert_uint_eq(t.len, strlen(words[i].content));
            ck_assert(memcmp(t.text, words[i].content, t.len) == 0);
        }
    }
}

TEST(test_comments_and_lines) {
    const char *text = "a // b c\n/* d\n\n e */ f\r\n\t.g /**/ /***/ h // end";
    static const struct {
        const char *text;
        int line;
    } want[] = {{"a", 1}, {"f", 4}, {"g", 5}, {"h", 5}};
    ptx_lexer lexer = {.p = text, .end = text + strlen(text), .line = 1};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const ptx_token t = ptx_next(&lexer);
        ck_assert_uint_eq(t.len, 1);
        ck_assert_int_eq(t.text[0], want[i].text[0]);
        ck_assert_int_eq(t.line, want[i].line);
    }
    ck_assert(ptx_next(&lexer).kind == TK_END);
    ck_assert(ptx_next(&lexer).kind == TK_END); /* and stays there */
}

/* ---- trees ---- */

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

static ptx_module parse(const char *text) {
    ptx_module m;
    char err[300] = "";
    bool oom;
    ck_assert_msg(ptx_parse(&m, text, strlen(text), err, sizeof err, &oom), "%s", err);
    return m;
}

static const ptx_instr *nth(const ptx_func *f, int n) {
    const ptx_instr *in = f->first;
    for (; in != NULL && n > 0; n--)
        in = in->next;
    ck_assert_ptr_nonnull(in);
    return in;
}

TEST(test_header) {
    ptx_module m = parse(".version 8.4 .target sm_90a, texmode_independent .address_size 64");
    ck_assert_int_eq(m.version, 84);
    ck_assert_int_eq(m.target, 90);
    ptx_free(&m);
}

TEST(test_instruction) {
    ptx_module m = parse(HEAD ".entry k() { .reg .pred p; .reg .f32 %f<3>;\n"
                              "@!p fma.rn.ftz.f32 %f0, %f1, 0f40000000, %f2;\n"
                              "ret; }");
    const ptx_func *k = ptx_find_func(&m, "k");
    ck_assert(k->is_entry && k->num_instrs == 2 && k->num_regs == 4);
    const ptx_instr *in = nth(k, 0);
    ck_assert_str_eq(in->op, "fma");
    ck_assert_int_eq(in->num_mods, 3);
    ck_assert_str_eq(in->mod[1], "ftz");
    ck_assert_str_eq(in->guard->name, "p");
    ck_assert(in->guard_negated);
    ck_assert_int_eq(in->num_operands, 4);
    ck_assert_str_eq(in->operand[1].var->name, "%f1");
    ck_assert(in->operand[2].kind == PO_FLOAT && in->operand[2].bits == 0x40000000);
    ck_assert_int_eq(in->ptx_line, 5);
    ptx_free(&m);
}

TEST(test_operands) {
    ptx_module m =
        parse(HEAD ".global .u32 g; .entry k(.param .u64 a) { .reg .b64 %w; .reg .b32 %r<4>;"
                   " .reg .pred p, q;\n"
                   "ld.param.u64 %w, [a+8];\n"             /* 0 */
                   "ld.global.v2.u32 {%r0, _}, [%w+-4];\n" /* 1 */
                   "st.global.u32 [g], -1;\n"              /* 2 */
                   "setp.lt.and.s32 p|q, %r0, -7, !p;\n"   /* 3 */
                   "mov.u32 %r1, %tid.x;\n"                /* 4 */
                   "ld.u32 %r1, [256];\n"                  /* 5 */
                   "call (a), g, (%r0, 5);\n"              /* 6 */
                   "mov.u64 %w, g+12;\n"                   /* 7 */
                   "mov.f32 %r2, -1.5;\n"                  /* 8 */
                   "}");
    const ptx_func *k = ptx_find_func(&m, "k");
    const ptx_operand *o = &nth(k, 0)->operand[1];
    ck_assert(o->kind == PO_ADDR && o->elem[0].kind == PO_SYMBOL && o->bits == 8);
    ck_assert_str_eq(o->elem[0].var->name, "a");
    o = nth(k, 1)->operand;
    ck_assert(o[0].kind == PO_VECTOR && o[0].num_elem == 2 && o[0].elem[1].kind == PO_SINK);
    ck_assert(o[1].elem[0].kind == PO_REG && o[1].bits == (uint64_t)-4);
    o = nth(k, 2)->operand;
    ck_assert(o[0].elem[0].kind == PO_SYMBOL && o[1].kind == PO_INT && o[1].bits == UINT64_MAX);
    o = nth(k, 3)->operand;
    ck_assert(o[0].kind == PO_PAIR && o[0].num_elem == 2);
    ck_assert_str_eq(o[0].elem[1].var->name, "q");
    ck_assert(o[2].bits == (uint64_t)-7 && o[3].negated && o[3].kind == PO_REG);
    ck_assert_str_eq(nth(k, 4)->operand[1].name, "%tid.x");
    o = &nth(k, 5)->operand[1];
    ck_assert(o->elem[0].kind == PO_INT && o->elem[0].bits == 256 && o->bits == 0);
    o = nth(k, 6)->operand;
    ck_assert(o[0].kind == PO_LIST && o[0].num_elem == 1 && o[2].kind == PO_LIST &&
              o[2].num_elem == 2);
    o = nth(k, 7)->operand;
    ck_assert(o[1].kind == PO_SYMBOL && o[1].bits == 12);
    ck_assert(nth(k, 8)->operand[1].bits == 0xBFF8000000000000);
    ptx_free(&m);
}

TEST(test_scopes) {
    ptx_module m = parse(HEAD ".entry k() { .reg .b32 %r<2>; mov.u32 %r1, 1;\n"
                              "{ .reg .b64 %r1; mov.u64 %r1, 2;\n"
                              "  { .reg .f32 %r1; mov.f32 %r1, 0f00000000; mov.u32 %r0, 3; }\n"
                              "  mov.u64 %r1, 4; }\n"
                              "mov.u32 %r1, 5; }");
    static const enum ptx_type want[] = {PT_B32, PT_B64, PT_F32, PT_B32, PT_B64, PT_B32};
    const ptx_func *k = ptx_find_func(&m, "k");
    ck_assert_int_eq(k->num_regs, 4);
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(nth(k, i)->operand[0].var->type, want[i]);
    ck_assert_ptr_eq(nth(k, 0)->operand[0].var, nth(k, 5)->operand[0].var);
    ck_assert_int_ne(nth(k, 0)->operand[0].var->index, nth(k, 1)->operand[0].var->index);
    ptx_free(&m);
}

TEST(test_register_ranges) {
    ptx_module m =
        parse(HEAD ".entry k() { .reg .b32 %r<3>, x, %q<2>; mov.u32 %r2, x; mov.u32 %q1, %r3; }");
    const ptx_func *k = ptx_find_func(&m, "k");
    ck_assert_int_eq(k->num_regs, 6);
    ck_assert(nth(k, 0)->operand[0].kind == PO_REG && nth(k, 0)->operand[1].kind == PO_REG);
    ck_assert_msg(nth(k, 1)->operand[1].kind == PO_NAME, "%%r<3> ends at %%r2");
    ptx_free(&m);
}

TEST(test_positions) {
    ptx_module m = parse(
        HEAD ".file 1 \"a.cu\"\n.file 2 \"dir/b.h\", 123, 456\n"
             ".entry k() {\n"
             ".loc 1 10 3\nmov.u32 %a, 0;\n"
             ".loc 2 20 0\nmov.u32 %a, 1;\n"
             ".loc 2 30 7, function_name $L__info_string0, inlined_at 1 12 5\nmov.u32 %a, 2;\n"
             ".loc 2 31 7, function_name $L__info_string0+16, inlined_at 1 13 5\nmov.u32 %a, 3;\n"
             ".loc 1 0 0\nmov.u32 %a, 4;\n"
             // the toolkit's headers: the call's line, however deep
             ".loc 3 40 1, function_name $L__info_string0, inlined_at 1 14 5\nmov.u32 %a, 5;\n"
             ".loc 4 50 1, function_name $L__info_string0, inlined_at 3 40 1\nmov.u32 %a, 6;\n"
             ".loc 4 51 1, function_name $L__info_string0, inlined_at 2 30 7\nmov.u32 %a, 7;\n"
             ".loc 4 52 1\nmov.u32 %a, 8;\n"
             "}\n.func f() { ret; }\n"
             ".file 3 \"/usr/local/cuda/bin/../targets/x86_64-linux/include/cuda_pipeline.h\"\n"
             ".file 4 \"/opt/nvidia/include/cuda_pipeline_helpers.h\"\n");
    static const int want[][2] = {{1, 10}, {2, 20}, {2, 30}, {2, 31}, {2, 31},
                                  {1, 14}, {1, 14}, {2, 30}, {4, 52}};
    const ptx_func *k = ptx_find_func(&m, "k");
    for (int i = 0; i < 9; i++) {
        ck_assert_int_eq(nth(k, i)->file, want[i][0]);
        ck_assert_int_eq(nth(k, i)->line, want[i][1]);
    }
    ck_assert_int_eq(k->line, 10);
    ck_assert_str_eq(m.files[1], "a.cu");
    ck_assert_str_eq(m.files[2], "dir/b.h");
    ck_assert_msg(nth(ptx_find_func(&m, "f"), 0)->line == 0,
                  "a function has no line of the one before it");
    ptx_free(&m);
}

TEST(test_merged_lines) {
    ptx_module m = parse(HEAD ".entry k() {\n.reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
                              ".loc 1 10 3\nmov.u32 %r1, 0;\nbra.uni L2;\n"
                              "L1:\n.loc 1 0 5\nld.global.u32 %r2, [%rd1];\n"
                              "ld.global.u32 %r3, [%rd1];\nst.global.u32 [%rd1], %r1;\n"
                              ".loc 1 20 3\nadd.u32 %r1, %r1, %r2;\n"
                              ".loc 1 0 5\nld.global.u32 %r2, [%rd1];\n"
                              ".loc 1 21 3\nadd.u32 %r1, %r1, %r2;\n"
                              "L2:\nret;\n}\n");
    const ptx_func *k = ptx_find_func(&m, "k");
    static const int want[] = {10, 10, 10, 20, 10, 10, 20, 20, 21};
    for (int i = 0; i < 9; i++)
        ck_assert_int_eq(nth(k, i)->line, want[i]);
    ptx_free(&m);
}

TEST(test_first_statement) {
    ptx_module m = parse(HEAD ".entry named() {\n.loc 1 10 0\nmov.u32 %a, 0;\n"
                              ".loc 1 11 3\nmov.u32 %a, 1;\n}\n"
                              ".entry left_out() {\n.loc 1 21 3\nmov.u32 %a, 1;\n}\n");
    ck_assert_int_eq(nth(ptx_find_func(&m, "named"), 0)->statement, 1);
    ck_assert_int_eq(nth(ptx_find_func(&m, "named"), 1)->statement, 2);
    ck_assert_msg(nth(ptx_find_func(&m, "left_out"), 0)->statement == 2,
                  "clang 19 names no head of a function that has nothing to do there");
    ptx_free(&m);
}

TEST(test_params) {
    ptx_module m = parse(
        HEAD
        ".func (.param .b32 r) f(.param .b32 x);\n"
        ".entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b, .param .align 8 .b8 c[12], "
        ".param .u16 d)\n"
        ".maxntid 16, 4, 1 .minnctapersm 2 { ret; }\n"
        ".func (.param .b32 r) f(.param .b32 x) { ret; }");
    const ptx_func *k = ptx_find_func(&m, "k"), *f = ptx_find_func(&m, "f");
    static const uint32_t offsets[] = {0, 8, 16, 28}, sizes[] = {1, 8, 12, 2};
    ck_assert_int_eq(k->num_params, 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(k->params[i]->offset, offsets[i]);
        ck_assert_uint_eq(k->params[i]->size, sizes[i]);
    }
    ck_assert_uint_eq(k->param_bytes, 30);
    ck_assert_int_eq(k->max_threads, 64);
    ck_assert(f->first != NULL && f->num_rets == 1); /* the definition, not the declaration */
    ptx_free(&m);
}

TEST(test_initial_values) {
    ptx_module m = parse(HEAD ".global .align 4 .u32 a[2][2] = {{1, 2}, {0xFFFFFFFF}};\n"
                              ".const .f32 b[3] = {1.5, -0.25, 0f40000000};\n"
                              ".global .f64 c = -2.0;\n"
                              ".global .b8 d[4] = {-1, 300, 7};\n"
                              ".global .u64 e[3] = {a, generic(a)+4, 5};\n"
                              ".extern .shared .align 16 .b8 dyn[];\n"
                              ".global .v2 .f32 g = {1.0, 2.0};\n"
                              ".visible .global .align 32 .s16 h = -3;");
    static const uint32_t a[] = {1, 2, 0xFFFFFFFF, 0};
    static const uint32_t b[] = {0x3FC00000, 0xBE800000, 0x40000000},
                          g[] = {0x3F800000, 0x40000000};
    static const uint64_t c = 0xC000000000000000;
    static const uint8_t d[] = {0xFF, 44, 7, 0};
    static const int16_t h = -3;
    ck_assert(memcmp(ptx_find_global(&m, "a")->init, a, sizeof a) == 0);
    ck_assert(memcmp(ptx_find_global(&m, "b")->init, b, sizeof b) == 0);
    ck_assert(memcmp(ptx_find_global(&m, "c")->init, &c, sizeof c) == 0);
    ck_assert(memcmp(ptx_find_global(&m, "d")->init, d, sizeof d) == 0);
    ck_assert(memcmp(ptx_find_global(&m, "g")->init, g, sizeof g) == 0);
    ck_assert(memcmp(ptx_find_global(&m, "h")->init, &h, sizeof h) == 0);
    ck_assert_uint_eq(ptx_find_global(&m, "h")->align, 32);
    const ptx_var *dyn = ptx_find_global(&m, "dyn");
    ck_assert(dyn->size == 0 && dyn->align == 16 && dyn->is_extern && dyn->space == PS_SHARED);
    const ptx_reloc *r = ptx_find_global(&m, "e")->relocs; /* the last one first */
    ck_assert_str_eq(r->symbol, "a");
    ck_assert(r->offset == 8 && r->addend == 4 && r->next->offset == 0 && r->next->next == NULL);
    ck_assert_uint_eq(ptx_find_global(&m, "e")->init[16], 5);
    ptx_free(&m);
}

TEST(test_what_is_skipped) {
    ptx_module m = parse(
        HEAD ".section .debug_abbrev\n{\n.b8 1, 2, 3;\n.b64 $L__x;\n{ .b8 4 }\n}\n"
             ".pragma \"nounroll\";\n.entry k() { .pragma \"used\"; .loc 1 1 1 ; ; L: proto: "
             ".callprototype (.param .b32 _) _ (.param .b32 _);\n ret; }\n.weak .func g() { }\n"
             ".section .debug_loc { }");
    const ptx_func *k = ptx_find_func(&m, "k");
    ck_assert_int_eq(k->num_instrs, 2); /* the label and ret */
    ck_assert_ptr_nonnull(ptx_find_func(&m, "g")->first);
    ptx_free(&m);
}

/* ---- errors ---- */

static const struct {
    const char *text, *message;
} malformed[] = {
    {"", "PTX line 1: no .version: this is not PTX"},
    {"int main(void) { return 0; }", "PTX line 1: expected a declaration, found 'int'"},
    {".version x", "PTX line 1: a malformed .version"},
    {".version 66666666666666666666666.5", "PTX line 1: a malformed .version"},
    {".version 6000000000.5", "PTX line 1: a malformed .version"},
    {".version 0", "PTX line 1: a malformed .version"},
    {HEAD ".address_size 32", "PTX line 4: only 64-bit PTX is supported"},
    {HEAD "\n\n.entry k( { }", "PTX line 6: parameters other than .param are not supported"},
    {HEAD ".entry k() {\nadd.u32 %r1 %r2;\n}", "PTX line 5: expected ';', found '%r2'"},
    {HEAD ".entry k() {\nadd.u32 ,;\n}", "PTX line 5: expected an operand, found ','"},
    {HEAD ".entry k() {\nmov.u32 %r1, 0x;\n}", "PTX line 5: can't read '0x'"},
    {HEAD ".entry k() {\nmov.u32 %r1, 99999999999999999999;\n}",
     "PTX line 5: can't read '99999999999999999999'"},
    {HEAD ".entry k() {\nret;\n", "PTX line 6: expected an instruction, found ''"},
    {HEAD ".entry k() {\n@%p1 ret;\n}", "PTX line 5: '%p1' is not a predicate"},
    {HEAD ".entry k() { .reg .b32 %r;\n@%r ret;\n}", "PTX line 5: '%r' is not a predicate"},
    {HEAD ".entry k() {\n@5 ret;\n}", "PTX line 5: expected a predicate after '@'"},
    {HEAD ".entry k() {\nmov.u32 %r1, -%r2;\n}", "PTX line 5: expected a number after '-'"},
    {HEAD ".entry k() {\nmov.u32 %r1, !5;\n}", "PTX line 5: expected a predicate after '!'"},
    {HEAD ".entry k() {\nld.u32 %r1, [];\n}", "PTX line 5: an empty address"},
    {HEAD ".entry k() {\n.reg .b33 %r;\n}", "PTX line 5: unknown type '.b33'"},
    {HEAD ".entry k() {\n.reg .b32 %r<9999999>;\n}", "PTX line 5: more than 1048576 registers"},
    {HEAD ".reg .b32 %r;", "PTX line 4: a register outside a function"},
    {HEAD ".global x;", "PTX line 4: a declaration without a type"},
    {HEAD ".global .align 3 .b8 x;", "PTX line 4: alignment 3 is not a power of two up to 65536"},
    {HEAD ".global .u32 x[2] = {1, 2, 3};",
     "PTX line 4: more initial values than 'x' has elements"},
    {HEAD ".global .f32 x = 1;",
     "PTX line 4: a whole number as the initial value of 'x', which has a floating-point type"},
    {HEAD ".global .u32 x = 1.5;",
     "PTX line 4: a floating-point number as the initial value of 'x', which has another type"},
    {HEAD ".global .u32 x = generic(y);", "PTX line 4: the address of 'y' needs 8 bytes"},
    {HEAD ".global .u64 x = generic(y;", "PTX line 4: expected ')', found ';'"},
    {HEAD ".global .u64 x = -y;", "PTX line 4: expected a number after '-'"},
    {HEAD ".global .u8 x[1152921504606846976][1152921504606846976];",
     "PTX line 4: an array of an impossible size"},
    {HEAD ".section .debug {\n{ .b8 1", "PTX line 5: the text ends inside braces"},
    {HEAD ".func .attribute(", "PTX line 4: the text ends inside a directive"},
    {HEAD ".global .attribute(.managed", "PTX line 4: the text ends inside a directive"},
    {HEAD ".pragma \"x\"", "PTX line 4: the text ends inside a directive"},
    {HEAD ".pragma \"x", "PTX line 4: can't read 'x'"},
    {HEAD ".file x", "PTX line 4: expected a whole number, found 'x'"},
    {HEAD ".file 1000000 \"x\"", "PTX line 4: a malformed .file"},
    {HEAD ".loc 1 2;", "PTX line 4: expected a whole number, found ';'"},
    {HEAD ".entry k(.param .b8 x[0]) { }", "PTX line 4: parameter 'x' has an impossible size"},
    {HEAD ".entry k() {\na.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r %r;\n}",
     "PTX line 5: 'a' has more than 16 modifiers"},
    {HEAD ".entry k() {\na 1,2,3,4,5,6,7,8,9,10,11;\n}",
     "PTX line 5: 'a' has more than 10 operands"},
    {HEAD ".entry k() {\na {{{{{{1}}}}}};\n}", "PTX line 5: operands nested too deep"},
    {HEAD "/* never closed", NULL}, /* a comment may end with the text */
};

TEST_EACH(test_errors_name_their_line, sizeof malformed / sizeof *malformed) {
    ptx_module m;
    char err[300] = "";
    bool oom = true;
    const bool ok =
        ptx_parse(&m, malformed[_i].text, strlen(malformed[_i].text), err, sizeof err, &oom);
    ck_assert(!oom);
    if (malformed[_i].message == NULL) {
        ck_assert_msg(ok, "%s", err);
        ptx_free(&m);
        return;
    }
    ck_assert_msg(!ok, "taken: %s", malformed[_i].text);
    ck_assert_str_eq(err, malformed[_i].message);
}

TEST(test_deep_nesting_is_an_error) {
    char text[4096];
    snprintf(text, sizeof text, "%s.entry k() %0100d", HEAD, 0);
    memset(text + strlen(text) - 100, '{', 100);
    ptx_module m;
    char err[300] = "";
    bool oom;
    ck_assert(!ptx_parse(&m, text, strlen(text), err, sizeof err, &oom));
    ck_assert_str_eq(err, "PTX line 4: blocks nested more than 32 deep");
}

TEST(test_every_prefix_is_handled) {
    const char *text = HEAD ".file 1 \"a\"\n"
                            ".global .u32 x[2] = {1, 2};\n"
                            ".func (.param .b32 r) f(.param .b32 a) { ret; }\n"
                            ".entry k(.param .u64 p) .maxntid 1 { .reg .pred q; .reg .b32 %r<2>;\n"
                            ".loc 1 2 3, inlined_at 1 2 3\n"
                            "@!q ld.v2.f32 {%r0, _}, [x+-4]; L: mov.u32 %r0, -1.5; }";
    const size_t full = strlen(text);
    for (size_t len = 0; len <= full; len++) {
        char *exact = malloc(len + 1);
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, text, len);
        ptx_module m;
        char err[300] = "";
        bool oom;
        if (ptx_parse(&m, exact, len, err, sizeof err, &oom))
            ptx_free(&m);
        else
            ck_assert_msg(strncmp(err, "PTX line ", 9) == 0, "%s", err);
        free(exact);
    }
}

int main(void) {
    return run_tests((struct suite){.name = "core_parse"});
}
