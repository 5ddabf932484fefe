/*
 * lower_ops.c: which function lowers an instruction, by its opcode. The functions are in the files
 * of the instructions' families.
 */
#include "vgpu/src/core/lower_parts.h"

#include <string.h>

static const struct {
    const char *op;
    void (*lower)(lowerer *lw, const ptx_instr *in);
} table[] = {
    {"add", lower_add},
    {"sub", lower_add},
    {"addc", lower_addc},
    {"subc", lower_addc},
    {"mul", lower_mul},
    {"mad", lower_mul},
    {"madc", lower_madc},
    {"mul24", lower_mul24},
    {"mad24", lower_mul24},
    {"sad", lower_sad},
    {"div", lower_signed},
    {"rem", lower_signed},
    {"min", lower_signed},
    {"max", lower_signed},
    {"abs", lower_abs},
    {"neg", lower_neg},
    {"fma", lower_fma},
    {"rcp", lower_unary_float},
    {"sqrt", lower_unary_float},
    {"copysign", lower_copysign},
    {"rsqrt", lower_special_float},
    {"sin", lower_special_float},
    {"cos", lower_special_float},
    {"lg2", lower_special_float},
    {"ex2", lower_special_float},
    {"tanh", lower_special_float},
    {"dp4a", lower_dp4a},
    {"dp2a", lower_dp2a},
    {"vabsdiff2", lower_vabsdiff},
    {"vabsdiff4", lower_vabsdiff},
    {"fns", lower_fns},
    {"bmsk", lower_bmsk},
    {"szext", lower_szext},
    {"and", lower_logic},
    {"or", lower_logic},
    {"xor", lower_logic},
    {"not", lower_logic},
    {"cnot", lower_logic},
    {"shl", lower_shift},
    {"shr", lower_shift},
    {"popc", lower_count},
    {"clz", lower_count},
    {"bfind", lower_bfind},
    {"brev", lower_brev},
    {"bfe", lower_bfe},
    {"bfi", lower_bfi},
    {"lop3", lower_lop3},
    {"shf", lower_shf},
    {"prmt", lower_prmt},
    {"setp", lower_setp},
    {"set", lower_set},
    {"selp", lower_selp},
    {"slct", lower_slct},
    {"testp", lower_testp},
    {"mov", lower_mov},
    {"cvt", lower_cvt},
    {"cvta", lower_cvta},
    {"isspacep", lower_isspacep},
    {"ld", lower_ld},
    {"ldu", lower_ld},
    {"st", lower_st},
    {"atom", lower_atom},
    {"red", lower_atom},
    {"bar", lower_bar},
    {"barrier", lower_bar},
    {"shfl", lower_shfl},
    {"vote", lower_vote},
    {"match", lower_match},
    {"activemask", lower_activemask},
    {"redux", lower_redux},
    {"trap", lower_trap},
    {"membar", lower_fence},
    {"fence", lower_fence},
    {"prefetch", lower_nothing},
    {"prefetchu", lower_nothing},
    {"nanosleep", lower_nothing},
    {"brkpt", lower_nothing},
    {"pmevent", lower_nothing},
    {"mma", lower_mma},
    {"wmma", lower_wmma},
    {"ldmatrix", lower_ldmatrix},
    {"stmatrix", lower_ldmatrix},
    {"movmatrix", lower_movmatrix},
    {"cp", lower_cp},
    {"mbarrier", lower_mbarrier},
    {"vgpu", lower_vgpu},
};

const char *lower_opcode(size_t i) {
    return i < sizeof table / sizeof *table ? table[i].op : NULL;
}

void lower_instruction(lowerer *lw, const ptx_instr *in) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].op, in->op) == 0) {
            table[i].lower(lw, in);
            return;
        }
    }
    lower_unsupported(lw);
}

bool lower_needs_branch(const ptx_instr *in) {
    static const char *const names[] = {
        "call",  "ret",  "exit", "bar",      "barrier",  "shfl",      "vote",     "match",
        "redux", "trap", "mma",  "ldmatrix", "stmatrix", "movmatrix", "mbarrier", "vgpu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], in->op) == 0)
            return true;
    return strcmp(in->op, "wmma") == 0 && lower_has(in, "mma");
}
