/* core_opcodes_test.c: an instruction finds its row, and its modifiers are read. */
#include "common/tests/suite.h"
#include "vgpu/src/core/opcodes.h"

#include <stdio.h>
#include <string.h>

/* Of "add.rn.f32"; the text that it hangs in is the next call's. */
static ptx_instr decoded(const char *text) {
    static char copy[200];
    ptx_instr in = {0};
    snprintf(copy, sizeof copy, "%s", text);
    char *rest = copy;
    in.op = strsep(&rest, ".");
    while (rest != NULL && in.num_mods < PTX_MAX_MODS)
        in.mod[in.num_mods++] = strsep(&rest, ".");
    ptx_decode(&in);
    return in;
}

TEST(test_every_row_is_found_by_its_name) {
    for (int id = PTX_UNKNOWN + 1; id < PTX_CODES; id++) {
        const ptx_opcode *row = ptx_opcode_of((enum ptx_code)id);
        ck_assert_msg(decoded(row->name).code == row, "%s", row->name);
        ck_assert_msg(row->lower != NULL, "%s", row->name);
        ck_assert_int_eq(row->id, id);
    }
}

TEST(test_the_longest_name_counts) {
    static const struct {
        const char *text;
        enum ptx_code id;
    } known[] = {
        {"bar.sync", PTX_BAR},
        {"bar.warp.sync", PTX_BAR_WARP},
        {"bar.warps.sync", PTX_BAR},
        {"barrier.sync", PTX_BARRIER},
        {"wmma.load.a.sync.aligned", PTX_WMMA_LOAD},
        {"wmma", PTX_UNKNOWN},
        {"wmma.loa.a.sync", PTX_UNKNOWN},
        {"cp.async.ca.shared.global", PTX_CP_CA},
        {"cp.async.bulk.shared.global", PTX_UNKNOWN},
        {"cp.async", PTX_UNKNOWN},
        {"mbarrier.arrive.shared.b64", PTX_MB_ARRIVE},
        {"mbarrier.arrive_drop.shared.b64", PTX_MB_DROP},
        {"ad.f32", PTX_UNKNOWN},
        {"adds.f32", PTX_UNKNOWN},
        {"", PTX_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ck_assert_msg(decoded(known[i].text).code->id == known[i].id, "%s", known[i].text);
}

TEST(test_a_label_is_no_instruction) {
    ptx_instr label = {.label = "L"};
    ptx_decode(&label);
    ck_assert_int_eq(label.code->id, PTX_UNKNOWN);
    ck_assert_int_eq(label.code->flow, GOES_ON);
    ck_assert_ptr_null(label.code->lower);
}

TEST(test_modifiers) {
    ptx_instr in = decoded("atom.acq_rel.gpu.shared::cta.cas.b64");
    ck_assert(in.order == ORDER_ACQ_REL && in.scope == SCOPE_GPU && in.space == PS_SHARED);
    ck_assert(in.atom == ATOM_CAS && in.type[0] == PT_B64 && in.type[1] == PT_NONE);
    in = decoded("membar.gl");
    ck_assert(in.scope == SCOPE_GPU && in.order == ORDER_NONE && in.type[0] == PT_NONE);
    in = decoded("ld.volatile.param::entry.u16");
    ck_assert(in.order == ORDER_VOLATILE && in.space == PS_PARAM && in.atom == ATOM_NONE);
    in = decoded("cp.async.ca.shared.global");
    ck_assert(in.space == PS_SHARED && in.scope == SCOPE_NONE);
    in = decoded("mma.sync.aligned.m16n8k8.row.col.f32.tf32.bf16x2.f64.f16");
    ck_assert(in.type[0] == PT_F32 && in.type[1] == PT_TF32 && in.type[2] == PT_BF16X2 &&
              in.type[3] == PT_F64);
}

TEST(test_nothing_is_left_of_what_was_before) {
    ptx_instr in = decoded("red.release.sys.global.add.f32");
    ck_assert(in.order == ORDER_RELEASE && in.scope == SCOPE_SYSTEM && in.atom == ATOM_ADD);
    in.op = "bra";
    in.num_mods = 0;
    ptx_decode(&in);
    ck_assert_int_eq(in.code->id, PTX_BRA);
    ck_assert(in.order == ORDER_NONE && in.scope == SCOPE_NONE && in.atom == ATOM_NONE);
    ck_assert(in.space == PS_GENERIC && in.type[0] == PT_NONE);
}

int main(void) {
    return run_tests((struct suite){.name = "core_opcodes"});
}
