/*
 * core_loops_test.c: which registers decide whether a loop goes on, on loops small enough to see
 * through. Rows have no names, so they are counted, and where one is as wide as no other, known by
 * that.
 */
#include "common/tests/suite.h"
#include "vgpu/src/core/opcodes.h"
#include "vgpu/src/core/program.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LOOPS = 4 };

typedef struct found {
    int num_loops;
    int rows[MOST_LOOPS], wide[MOST_LOOPS], preds[MOST_LOOPS]; /* of each loop */
    int named;                                                 /* branches that know their loop */
} found;

static const char HEAD[] =
    ".version 7.0 .target sm_70 .address_size 64\n"
    ".func (.param .b32 r) asks() { st.param.b32 [r], 1; ret; }\n"
    ".entry k(.param .u64 at) { .reg .pred %p<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
    " ld.param.u64 %rd1, [at]; mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u64 %rd2, 0;\n";

static found find(const char *body) {
    char text[4096];
    vg_fault fault;
    found r = {0};
    const int n = snprintf(text, sizeof text, "%s%s }", HEAD, body);
    vg_mem *mem = vg_mem_create(1u << 20);
    vg_module *m = vg_module_load(text, (size_t)n, mem, &fault);
    ck_assert_msg(m != NULL, "%s", fault.text);
    vg_kernel *k = vg_module_kernel(m, "k");
    ck_assert_msg(vg_kernel_prepare(k, true, &fault), "%s", fault.text);
    const program *p = &k->observed;
    r.num_loops = p->num_loops;
    for (int i = 0; i < p->num_loops && i < MOST_LOOPS; i++) {
        r.rows[i] = p->loops[i]->count;
        for (int j = 0; j < p->loops[i]->count; j++) {
            r.wide[i] += p->loops[i]->row[j].width == 8;
            r.preds[i] += p->loops[i]->row[j].width == 1;
        }
    }
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        r.named += o->ptx != NULL && o->ptx->code->flow == GOES_TO_LABEL && o->c != 0;
    }
    vg_module_unload(m, mem);
    vg_mem_destroy(mem);
    return r;
}

/* while (*at == 0) tries++; */
TEST(test_a_counter_that_is_not_looked_at) {
    const found f = find("L: add.s32 %r2, %r2, 1; ld.volatile.u32 %r1, [%rd1];"
                         " setp.eq.s32 %p1, %r1, 0; @%p1 bra L;"
                         " st.global.u32 [%rd1], %r2; ret;");
    ck_assert_int_eq(f.num_loops, 1);
    ck_assert_int_eq(f.rows[0], 3); /* %p1, %r1, %rd1 */
    ck_assert_int_eq(f.preds[0], 1);
    ck_assert_int_eq(f.wide[0], 1);
    ck_assert_int_eq(f.named, 1);
}

TEST(test_a_counter_that_is) {
    const found f = find("L: add.s32 %r2, %r2, 1; add.s32 %r3, %r2, %r1;"
                         " setp.lt.s32 %p1, %r3, 9; @%p1 bra L; ret;");
    ck_assert_int_eq(f.num_loops, 1);
    ck_assert_int_eq(f.rows[0], 4); /* %p1, %r1, %r2, %r3 */
}

/* What comes round by way of another register decides, too; what is made of it does not. */
TEST(test_a_chain) {
    const found f = find("L: mov.u64 %rd3, %rd4; mov.u64 %rd4, %rd5; add.s64 %rd5, %rd5, 8;"
                         " cvt.u32.u64 %r3, %rd3; mul.lo.s32 %r4, %r3, 3;"
                         " setp.lt.u64 %p1, %rd3, %rd2; @%p1 bra L; ret;");
    ck_assert_int_eq(f.num_loops, 1);
    ck_assert_int_eq(f.wide[0], 4); /* %rd2 … %rd5 */
    ck_assert_int_eq(f.rows[0], 5);
}

/* Both conditions of a loop with a break, and the condition under which a register is written. */
TEST(test_guards) {
    const found f = find("L: setp.eq.s32 %p2, %r4, 1; @%p2 bra OUT;"
                         " setp.gt.s32 %p3, %r5, 1; @%p3 mov.u32 %r1, %r6;"
                         " setp.lt.s32 %p1, %r1, 9; @%p1 bra L; OUT: ret;");
    ck_assert_int_eq(f.num_loops, 1);
    ck_assert_int_eq(f.preds[0], 3);
    ck_assert_int_eq(f.rows[0], 7); /* and %r1, %r4, %r5, %r6 */
    ck_assert_int_eq(f.named, 2);
}

/* A loop in a loop is one with it: the inner one's branch looks at the outer one's condition. */
TEST(test_nested) {
    const found f = find("O: mov.u32 %r1, 0; I: add.s32 %r1, %r1, 1;"
                         " setp.lt.s32 %p1, %r1, 9; @%p1 bra I;"
                         " add.s32 %r2, %r2, 1; setp.lt.s32 %p2, %r2, 9; @%p2 bra O; ret;");
    ck_assert_int_eq(f.num_loops, 1);
    ck_assert_int_eq(f.rows[0], 4);
    ck_assert_int_eq(f.named, 2);
}

TEST(test_one_after_the_other) {
    const found f = find("A: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra A;"
                         " B: add.s64 %rd2, %rd2, 1; setp.lt.s64 %p2, %rd2, 9; @%p2 bra B; ret;");
    ck_assert_int_eq(f.num_loops, 2);
    ck_assert_int_eq(f.wide[0] + f.wide[1], 1);
    ck_assert_int_eq(f.rows[0], 2);
    ck_assert_int_eq(f.rows[1], 2);
}

/* What a function does, or a carry that no register holds, is not followed: nothing is named. */
TEST(test_not_known) {
    ck_assert_int_eq(find("L: { .param .b32 r; call (r), asks, (); ld.param.b32 %r1, [r]; }"
                          " setp.lt.s32 %p1, %r1, 9;"
                          " @%p1 bra L; ret;")
                         .num_loops,
                     0);
    ck_assert_int_eq(find("L: add.cc.u32 %r1, %r1, 1; addc.u32 %r2, %r2, 0;"
                          " setp.lt.u32 %p1, %r2, 9; @%p1 bra L; ret;")
                         .num_loops,
                     0);
    ck_assert_int_eq(find("L: add.cc.u32 %r1, %r1, 1; addc.u32 %r2, %r2, 0;"
                          " ld.volatile.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0;"
                          " @%p1 bra L; ret;")
                         .rows[0],
                     3);
}

TEST(test_no_loop) {
    ck_assert_int_eq(
        find("setp.lt.s32 %p1, %r1, 9; @%p1 bra E; add.s32 %r1, %r1, 1; E: ret;").num_loops, 0);
}

int main(void) {
    return run_tests((struct suite){.name = "core_loops"});
}
