/* core_cfg_test.c: the flow graph and where lanes meet again,
 * on graphs small enough to see through. */
#include "common/tests/suite.h"
#include "vgpu/src/core/cfg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct graph {
    ptx_module module;
    cfg *g;
} graph;

static graph build(const char *head, const char *body) {
    graph r;
    char text[4096], err[300] = "";
    bool oom;
    snprintf(text, sizeof text,
             ".version 7.0 .target sm_70 .address_size 64\n%s { .reg .pred p, q; %s }", head, body);
    ck_assert_msg(ptx_parse(&r.module, text, strlen(text), err, sizeof err, &oom), "%s", err);
    jmp_buf escape;
    ck_assert(setjmp(escape) == 0);
    r.module.arena.escape = &escape;
    const ptx_instr *astray = NULL;
    r.g = cfg_build(&r.module.arena, r.module.funcs, &astray);
    ck_assert_ptr_nonnull(r.g);
    return r;
}

/* The immediate post-dominator of the block with this label, as a label; "end", or "none". */
static const char *meeting(const graph *r, const char *label) {
    const int b = cfg_label(r->g, label);
    ck_assert_msg(b >= 0, "no label %s", label);
    const int i = r->g->block[b].ipdom;
    return i < 0                   ? "none"
           : i == r->g->num_blocks ? "end"
                                   : r->g->instr[r->g->block[i].first]->label;
}

static bool is_join(const graph *r, const char *label) {
    return r->g->block[cfg_label(r->g, label)].is_join;
}

TEST(test_diamond) {
    graph r = build(".entry k()", "A: @p bra C; B: add; bra D; C: sub; D: mul; ret;");
    ck_assert_int_eq(r.g->num_blocks, 4);
    ck_assert_str_eq(meeting(&r, "A"), "D");
    ck_assert_str_eq(meeting(&r, "B"), "D");
    ck_assert_str_eq(meeting(&r, "C"), "D");
    ck_assert_str_eq(meeting(&r, "D"), "end");
    ck_assert(is_join(&r, "D") && !is_join(&r, "B") && !is_join(&r, "C"));
    ck_assert_int_eq(r.g->block[0].num_succ, 2);
    ck_assert_int_eq(r.g->block[0].succ[0], 2);
    ck_assert_int_eq(r.g->block[0].succ[1], 1);
    ptx_free(&r.module);
}

TEST(test_if_without_else) {
    graph r = build(".entry k()", "A: @p bra C; B: add; C: mul; ret;");
    ck_assert_str_eq(meeting(&r, "A"), "C");
    ck_assert(is_join(&r, "C"));
    ptx_free(&r.module);
}

TEST(test_loop_with_break) {
    graph r = build(".entry k()",
                    "A: mov; L: @p bra OUT; B: add; @q bra OUT; C: sub; bra L; OUT: mul; ret;");
    ck_assert_str_eq(meeting(&r, "A"), "L");
    ck_assert_str_eq(meeting(&r, "L"), "OUT");
    ck_assert_str_eq(meeting(&r, "B"), "OUT");
    ck_assert_str_eq(meeting(&r, "C"), "L");
    ck_assert(is_join(&r, "OUT") && !is_join(&r, "L"));
    ptx_free(&r.module);
}

TEST(test_loop_with_continue) {
    graph r =
        build(".entry k()", "L: add; @p bra NEXT; B: sub; NEXT: mul; @q bra L; OUT: mov; ret;");
    ck_assert_str_eq(meeting(&r, "L"), "NEXT");
    ck_assert_str_eq(meeting(&r, "NEXT"), "OUT");
    ck_assert(is_join(&r, "NEXT") && is_join(&r, "OUT"));
    ptx_free(&r.module);
}

TEST(test_nested_loops) {
    graph r = build(".entry k()",
                    "I: mov; OUTER: @p bra DONE; J: mov; INNER: @q bra NEXT; BODY: add; bra INNER;"
                    "NEXT: add; bra OUTER; DONE: mov; ret;");
    ck_assert_str_eq(meeting(&r, "OUTER"), "DONE");
    ck_assert_str_eq(meeting(&r, "INNER"), "NEXT");
    ck_assert_str_eq(meeting(&r, "BODY"), "INNER");
    ck_assert_str_eq(meeting(&r, "NEXT"), "OUTER");
    ptx_free(&r.module);
}

TEST(test_goto_out_of_two_loops) {
    graph r =
        build(".entry k()",
              "OUTER: mov; INNER: @p bra DONE; B: @q bra INNER; C: bra OUTER; DONE: mov; ret;");
    ck_assert_str_eq(meeting(&r, "INNER"), "DONE");
    ck_assert_str_eq(meeting(&r, "B"), "INNER");
    ptx_free(&r.module);
}

TEST(test_endless_loop) {
    graph r = build(".entry k()", "A: @p bra FOREVER; B: add; ret; FOREVER: sub; bra FOREVER;");
    ck_assert_str_eq(meeting(&r, "FOREVER"), "none");
    ck_assert_str_eq(meeting(&r, "B"), "end");
    /* the only way to the end is through B, whatever the other lanes do for ever */
    ck_assert_str_eq(meeting(&r, "A"), "B");
    ptx_free(&r.module);
}

TEST(test_endless_alone) {
    graph r = build(".entry k()", "A: add; @p bra A; B: sub; bra A;");
    ck_assert_str_eq(meeting(&r, "A"), "none");
    ck_assert_str_eq(meeting(&r, "B"), "none");
    ptx_free(&r.module);
}

TEST(test_unreachable_code) {
    graph r =
        build(".entry k()", "A: @p bra C; B: add; bra D; DEAD: sub; bra C; C: mul; D: mov; ret;");
    ck_assert_str_eq(meeting(&r, "A"), "D");
    ck_assert_str_eq(meeting(&r, "DEAD"), "C");
    ptx_free(&r.module);
}

/* Lanes that come to a bare ret are gone: they wait for nobody, and nobody for them. */
TEST(test_no_meeting_at_the_kernels_ret) {
    graph r =
        build(".entry k()", "A: @p bra RET; B: add; bar.sync 0; C: @q bra RET; D: mov; RET: ret;");
    ck_assert_str_eq(meeting(&r, "A"), "end");
    ck_assert_str_eq(meeting(&r, "C"), "end");
    ck_assert(!is_join(&r, "RET"));
    ptx_free(&r.module);
    r = build(".entry k()",
              "A: @p bra RET; B: add; RET: st; ret;"); /* something is done before it */
    ck_assert_str_eq(meeting(&r, "A"), "RET");
    ptx_free(&r.module);
}

TEST(test_functions_meet_at_their_end) {
    graph r = build(".func f()", "A: @p bra RET; B: add; C: @q ret; D: mov; RET: ret;");
    ck_assert_str_eq(meeting(&r, "A"), "end"); /* for C leaves by another way */
    ck_assert_str_eq(meeting(&r, "C"), "end");
    ck_assert_int_eq(r.g->block[cfg_label(r.g, "C")].num_succ, 2);
    ptx_free(&r.module);
    r = build(".func f()", "A: @p bra RET; B: add; RET: ret;");
    ck_assert_str_eq(meeting(&r, "A"), "RET"); /* they go on, in the caller */
    ck_assert(is_join(&r, "RET"));
    ptx_free(&r.module);
    r = build(".func f()", "A: @p bra EXIT; B: add; bra EXIT; EXIT: exit;");
    ck_assert_str_eq(meeting(&r, "A"), "end");
    ptx_free(&r.module);
}

/* A guarded exit takes lanes away and is no path of the graph. */
TEST(test_guarded_exit_is_no_branch) {
    graph r = build(".entry k()", "A: @p bra C; B: @q exit; C: add; st; ret;");
    ck_assert_str_eq(meeting(&r, "A"), "C");
    ck_assert(is_join(&r, "C"));
    ptx_free(&r.module);
    r = build(".entry k()", "A: @p bra C; B: @q ret; C: add; st; ret;");
    ck_assert_str_eq(meeting(&r, "A"), "C");
    ptx_free(&r.module);
}

TEST(test_labels_in_a_row) {
    graph r = build(".entry k()", "bra B; A: B: C: add; @p bra A; ret;");
    ck_assert_int_eq(cfg_label(r.g, "A"), 1);
    ck_assert_int_eq(cfg_label(r.g, "B"), 1);
    ck_assert_int_eq(cfg_label(r.g, "C"), 1);
    ck_assert_int_eq(cfg_label(r.g, "D"), -1);
    ptx_free(&r.module);
}

TEST(test_missing_label) {
    ptx_module m;
    char err[300];
    bool oom;
    const char *text = ".version 7.0 .target sm_70\n.entry k() { add;\n bra NOWHERE; }";
    ck_assert(ptx_parse(&m, text, strlen(text), err, sizeof err, &oom));
    jmp_buf escape;
    ck_assert(setjmp(escape) == 0);
    m.arena.escape = &escape;
    const ptx_instr *astray = NULL;
    ck_assert_ptr_null(cfg_build(&m.arena, m.funcs, &astray));
    ck_assert_int_eq(astray->ptx_line, 3);
    ptx_free(&m);
}

/* ---- against a slow definition ---- */

enum { NODES = 12 };

/* True if every path from `from` to the end goes through `through`: remove it and look. */
static bool reaches_end(const cfg *g, int from, int without, bool *seen) {
    if (from == without)
        return false;
    if (from == g->num_blocks)
        return true;
    if (seen[from])
        return false;
    seen[from] = true;
    for (int s = 0; s < g->block[from].num_succ; s++)
        if (reaches_end(g, g->block[from].succ[s], without, seen))
            return true;
    return false;
}

static bool post_dominates(const cfg *g, int d, int b) {
    bool seen[NODES + 2] = {false}, again[NODES + 2] = {false};
    return d != b && reaches_end(g, b, -1, seen) && !reaches_end(g, b, d, again);
}

/* The strict post-dominator that all others post-dominate: the nearest. */
static int slow_ipdom(const cfg *g, int b) {
    for (int d = 0; d <= g->num_blocks; d++) {
        bool nearest = post_dominates(g, d, b);
        for (int e = 0; e <= g->num_blocks && nearest; e++)
            nearest = e == d || !post_dominates(g, e, b) || post_dominates(g, e, d);
        if (nearest)
            return d;
    }
    return -1;
}

TEST_EACH(test_random_graphs, 300) {
    srand((unsigned)_i + 1);
    char body[2048];
    size_t n = 0;
    for (int b = 0; b < NODES; b++) {
        n += (size_t)snprintf(body + n, sizeof body - n, "L%d: add; ", b);
        const int kind = rand() % 8;
        n += (size_t)(kind == 0  ? snprintf(body + n, sizeof body - n, "st; ret; ")
                      : kind < 3 ? snprintf(body + n, sizeof body - n, "bra L%d; ", rand() % NODES)
                      : kind < 7
                          ? snprintf(body + n, sizeof body - n, "@p bra L%d; ", rand() % NODES)
                          : 0);
    }
    graph r = build(".entry k()", body);
    for (int b = 0; b < r.g->num_blocks; b++) {
        ck_assert_msg(r.g->block[b].ipdom == slow_ipdom(r.g, b),
                      "graph %d: block %d meets at %d, not %d: %s", _i, b, slow_ipdom(r.g, b),
                      r.g->block[b].ipdom, body);
    }
    ptx_free(&r.module);
}

int main(void) {
    return run_tests((struct suite){.name = "core_cfg"});
}
