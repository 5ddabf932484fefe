/*
 * opcodes.h: the PTX instructions that the virtual GPU knows, a row each. A row says what an
 * instruction is, to all who ask: its name, the function that lowers it, where control goes, what
 * it does to memory, what it counts as. Whoever adds an instruction adds a row here and writes its
 * function; nobody compares an opcode's name with a text.
 *
 * Contract: ptx_decode finds an instruction's row, and reads those of its modifiers that more than
 * one reader asks for into fields. It knows, and refuses, no combination of modifiers: that is the
 * lowering function's business.
 */
#pragma once

#include "vgpu/src/core/ptx.h"

/* Where control goes behind an instruction whose guard, if it has one, is true. */
enum ptx_flow {
    GOES_ON,       /* to the next instruction */
    GOES_TO_LABEL, /* bra */
    GOES_BY_TABLE, /* brx.idx: to one of a table's labels */
    GOES_TO_CALLEE,
    GOES_TO_CALLER,
    GOES_NOWHERE /* exit: the lanes are done */
};

/* What an instruction does to memory. */
enum ptx_memory {
    MEM_NONE,
    MEM_LOAD,
    MEM_STORE,
    MEM_ATOMIC,    /* atom */
    MEM_REDUCTION, /* red: an atomic operation without a result */
    MEM_COPY,      /* cp.async: a load now, a store at some time until the copy is waited for */
    MEM_MBAR,      /* what changes or looks at an mbarrier */
    MEM_FENCE
};

/* Which operation of the counters (vgpu/src/count) an instruction on floats is. */
enum ptx_work { WORK_NONE, WORK_FMA, WORK_ADD, WORK_MUL, WORK_SPECIAL, WORK_MATRIX };

enum ptx_trait {
    NO_RESULT = 1, /* no operand is a destination; to say so of one that has one costs a register */
    MEETING = 2,   /* threads of the block meet here */
    APART = 4,     /* it may wait or end, or asks who is there: where lanes have a guard that is
                      false, they take a branch around it */
    A_MATRIX = 8,  /* it loads or stores a matrix of a warp: where it lies and how long its rows are
                      says which addresses the lanes take */
    READS_CARRY = 16 /* of an addition before it, which is in no register */
};

struct lowerer;
typedef void ptx_lower_fn(struct lowerer *lw, const ptx_instr *in);

/*
 * ROW(ID, name, function that lowers it, other fields of ptx_opcode). A row that gives none is an
 * ordinary instruction: its first operand is its destination, it goes on to the next, touches no
 * memory, and counts as no operation. A name may go on with the modifiers that follow the opcode:
 * an instruction's row is the one with the longest name that fits.
 */
/* clang-format off */
#define PTX_OPCODES(ROW)                                                                           \
    /* arithmetic: lower_arith.c */                                                                \
    ROW(ADD,       "add",       lower_add,           .work = WORK_ADD)                             \
    ROW(SUB,       "sub",       lower_add,           .work = WORK_ADD)                             \
    ROW(ADDC,      "addc",      lower_addc,          .is = READS_CARRY)                            \
    ROW(SUBC,      "subc",      lower_addc,          .is = READS_CARRY)                            \
    ROW(MUL,       "mul",       lower_mul,           .work = WORK_MUL)                             \
    ROW(MAD,       "mad",       lower_mul,           .work = WORK_FMA)                             \
    ROW(MADC,      "madc",      lower_madc,          .is = READS_CARRY)                            \
    ROW(MUL24,     "mul24",     lower_mul24)                                                       \
    ROW(MAD24,     "mad24",     lower_mul24)                                                       \
    ROW(SAD,       "sad",       lower_sad)                                                         \
    ROW(DIV,       "div",       lower_signed,        .work = WORK_SPECIAL)                         \
    ROW(REM,       "rem",       lower_signed)                                                      \
    ROW(MIN,       "min",       lower_signed)                                                      \
    ROW(MAX,       "max",       lower_signed)                                                      \
    ROW(ABS,       "abs",       lower_abs)                                                         \
    ROW(NEG,       "neg",       lower_neg)                                                         \
    ROW(FMA,       "fma",       lower_fma,           .work = WORK_FMA)                             \
    ROW(RCP,       "rcp",       lower_unary_float,   .work = WORK_SPECIAL)                         \
    ROW(SQRT,      "sqrt",      lower_unary_float,   .work = WORK_SPECIAL)                         \
    ROW(COPYSIGN,  "copysign",  lower_copysign)                                                    \
    ROW(RSQRT,     "rsqrt",     lower_special_float, .work = WORK_SPECIAL)                         \
    ROW(SIN,       "sin",       lower_special_float, .work = WORK_SPECIAL)                         \
    ROW(COS,       "cos",       lower_special_float, .work = WORK_SPECIAL)                         \
    ROW(LG2,       "lg2",       lower_special_float, .work = WORK_SPECIAL)                         \
    ROW(EX2,       "ex2",       lower_special_float, .work = WORK_SPECIAL)                         \
    ROW(TANH,      "tanh",      lower_special_float, .work = WORK_SPECIAL)                         \
    ROW(DP4A,      "dp4a",      lower_dp4a)                                                        \
    ROW(DP2A,      "dp2a",      lower_dp2a)                                                        \
    ROW(VABSDIFF2, "vabsdiff2", lower_vabsdiff)                                                    \
    ROW(VABSDIFF4, "vabsdiff4", lower_vabsdiff)                                                    \
    /* bits: lower_bits.c */                                                                       \
    ROW(FNS,   "fns",   lower_fns)                                                                 \
    ROW(BMSK,  "bmsk",  lower_bmsk)                                                                \
    ROW(SZEXT, "szext", lower_szext)                                                               \
    ROW(AND,   "and",   lower_logic)                                                               \
    ROW(OR,    "or",    lower_logic)                                                               \
    ROW(XOR,   "xor",   lower_logic)                                                               \
    ROW(NOT,   "not",   lower_logic)                                                               \
    ROW(CNOT,  "cnot",  lower_logic)                                                               \
    ROW(SHL,   "shl",   lower_shift)                                                               \
    ROW(SHR,   "shr",   lower_shift)                                                               \
    ROW(POPC,  "popc",  lower_count)                                                               \
    ROW(CLZ,   "clz",   lower_count)                                                               \
    ROW(BFIND, "bfind", lower_bfind)                                                               \
    ROW(BREV,  "brev",  lower_brev)                                                                \
    ROW(BFE,   "bfe",   lower_bfe)                                                                 \
    ROW(BFI,   "bfi",   lower_bfi)                                                                 \
    ROW(LOP3,  "lop3",  lower_lop3)                                                                \
    ROW(SHF,   "shf",   lower_shf)                                                                 \
    ROW(PRMT,  "prmt",  lower_prmt)                                                                \
    /* comparing and choosing: lower_compare.c */                                                  \
    ROW(SETP,  "setp",  lower_setp)                                                                \
    ROW(SET,   "set",   lower_set)                                                                 \
    ROW(SELP,  "selp",  lower_selp)                                                                \
    ROW(SLCT,  "slct",  lower_slct)                                                                \
    ROW(TESTP, "testp", lower_testp)                                                               \
    /* moving: lower_move.c */                                                                     \
    ROW(MOV,      "mov",      lower_mov)                                                           \
    ROW(CVT,      "cvt",      lower_cvt)                                                           \
    ROW(CVT_PACK, "cvt.pack", lower_cvt_pack)                                                      \
    ROW(CVTA,     "cvta",     lower_cvta)                                                          \
    ROW(ISSPACEP, "isspacep", lower_isspacep)                                                      \
    /* memory: lower_mem.c */                                                                      \
    ROW(LD,        "ld",        lower_ld,      .memory = MEM_LOAD)                                 \
    ROW(LDU,       "ldu",       lower_ld,      .memory = MEM_LOAD)                                 \
    ROW(ST,        "st",        lower_st,      .memory = MEM_STORE, .is = NO_RESULT)               \
    ROW(ATOM,      "atom",      lower_atom,    .memory = MEM_ATOMIC)                               \
    ROW(RED,       "red",       lower_atom,    .memory = MEM_REDUCTION, .is = NO_RESULT)           \
    ROW(MEMBAR,    "membar",    lower_fence,   .memory = MEM_FENCE, .is = NO_RESULT)               \
    ROW(FENCE,     "fence",     lower_fence,   .memory = MEM_FENCE, .is = NO_RESULT)               \
    ROW(PREFETCH,  "prefetch",  lower_nothing, .is = NO_RESULT)                                    \
    ROW(PREFETCHU, "prefetchu", lower_nothing, .is = NO_RESULT)                                    \
    /* textures: lower_texture.c. Their memory is not named by an operand. */                      \
    ROW(TEX,       "tex",       lower_tex)                                                         \
    /* barriers and warps: lower_warp.c. Of bar's forms only bar.red has a result. */              \
    ROW(BAR,        "bar",            lower_bar,       .is = MEETING | NO_RESULT | APART)          \
    ROW(BARRIER,    "barrier",        lower_bar,       .is = MEETING | NO_RESULT | APART)          \
    ROW(BAR_WARP,   "bar.warp",       lower_bar_warp,  .is = NO_RESULT | APART)                    \
    ROW(SHFL,       "shfl",           lower_shfl,      .is = APART)                                \
    ROW(VOTE,       "vote",           lower_vote,      .is = APART)                                \
    ROW(MATCH,      "match",          lower_match,     .is = APART)                                \
    ROW(ELECT,      "elect",          lower_elect,     .is = APART)                                \
    ROW(REDUX,      "redux",          lower_redux,     .is = APART)                                \
    ROW(ACTIVEMASK, "activemask",     lower_activemask)                                            \
    ROW(NANOSLEEP,  "nanosleep",      lower_nothing,   .is = NO_RESULT)                            \
    ROW(BRKPT,      "brkpt",          lower_nothing,   .is = NO_RESULT)                            \
    ROW(PMEVENT,    "pmevent",        lower_nothing,   .is = NO_RESULT)                            \
    /* kernels run one after the other: the one before has always ended */                         \
    ROW(GRIDDEP,    "griddepcontrol", lower_nothing,   .is = NO_RESULT)                            \
    ROW(TRAP,       "trap",           lower_trap,      .is = NO_RESULT | APART)                    \
    ROW(GRID_SYNC,  "vgpu.grid.sync", lower_grid_sync, .is = NO_RESULT | APART)                    \
    /* matrices: lower_tensor.c */                                                                 \
    ROW(MMA,        "mma",        lower_mma,       .work = WORK_MATRIX, .is = APART)               \
    ROW(WMMA_MMA,   "wmma.mma",   lower_wmma,      .work = WORK_MATRIX, .is = APART)               \
    ROW(WMMA_LOAD,  "wmma.load",  lower_wmma_move, .memory = MEM_LOAD, .is = A_MATRIX)             \
    ROW(WMMA_STORE, "wmma.store", lower_wmma_move, .memory = MEM_STORE,                            \
        .is = NO_RESULT | A_MATRIX)                                                                \
    ROW(LDMATRIX,   "ldmatrix",   lower_ldmatrix,  .memory = MEM_LOAD, .is = APART)                \
    ROW(STMATRIX,   "stmatrix",   lower_ldmatrix,  .memory = MEM_STORE, .is = NO_RESULT | APART)   \
    ROW(MOVMATRIX,  "movmatrix",  lower_movmatrix, .is = APART)                                    \
    /* copies in the background, mbarriers: lower_async.c */                                       \
    ROW(CP_CA,       "cp.async.ca",           lower_cp, .memory = MEM_COPY, .is = NO_RESULT)       \
    ROW(CP_CG,       "cp.async.cg",           lower_cp, .memory = MEM_COPY, .is = NO_RESULT)       \
    ROW(CP_COMMIT,   "cp.async.commit_group", lower_cp_commit,   .is = NO_RESULT)                  \
    ROW(CP_WAIT,     "cp.async.wait_group",   lower_cp_wait,     .is = NO_RESULT)                  \
    ROW(CP_WAIT_ALL, "cp.async.wait_all",     lower_cp_wait_all, .is = NO_RESULT)                  \
    ROW(CP_ARRIVE,   "cp.async.mbarrier",     lower_cp_arrive,   .is = NO_RESULT)                  \
    ROW(MB_INIT,    "mbarrier.init",  lower_mb_init,  .memory = MEM_MBAR, .is = NO_RESULT | APART) \
    ROW(MB_INVAL,   "mbarrier.inval", lower_mb_inval, .memory = MEM_MBAR, .is = NO_RESULT | APART) \
    ROW(MB_ARRIVE,  "mbarrier.arrive",        lower_mb_arrive, .memory = MEM_MBAR, .is = APART)    \
    ROW(MB_DROP,    "mbarrier.arrive_drop",   lower_mb_arrive, .memory = MEM_MBAR, .is = APART)    \
    ROW(MB_TEST,    "mbarrier.test_wait",     lower_mb_test,   .memory = MEM_MBAR, .is = APART)    \
    ROW(MB_TRY,     "mbarrier.try_wait",      lower_mb_test,   .memory = MEM_MBAR, .is = APART)    \
    ROW(MB_PENDING, "mbarrier.pending_count", lower_mb_pending, .is = APART)                       \
    /* control flow: lower_flow.c, lower_calls.c */                                                \
    ROW(BRA,  "bra",  lower_bra,  .flow = GOES_TO_LABEL, .is = NO_RESULT)                          \
    ROW(BRX,  "brx",  lower_brx,  .flow = GOES_BY_TABLE, .is = NO_RESULT)                          \
    ROW(CALL, "call", lower_call, .flow = GOES_TO_CALLEE, .is = NO_RESULT | APART)                 \
    ROW(RET,  "ret",  lower_ret,  .flow = GOES_TO_CALLER, .is = NO_RESULT | APART)                 \
    ROW(EXIT, "exit", lower_exit, .flow = GOES_NOWHERE, .is = NO_RESULT | APART)
/* clang-format on */

/* PTX_ADD, PTX_SUB …: for those who must tell two instructions of one function apart. */
#define PTX_ROW(id, ...) PTX_##id,
enum ptx_code { PTX_UNKNOWN, PTX_OPCODES(PTX_ROW) PTX_CODES };
#undef PTX_ROW

typedef struct ptx_opcode {
    enum ptx_code id;
    const char *name;
    ptx_lower_fn *lower; /* NULL: unknown */
    enum ptx_flow flow;
    enum ptx_memory memory;
    enum ptx_work work;
    unsigned is; /* of enum ptx_trait */
} ptx_opcode;

/* The functions: each is in the file that the list names. */
#define PTX_ROW(id, name, function, ...) ptx_lower_fn function;
PTX_OPCODES(PTX_ROW)
#undef PTX_ROW

/* Fills in->code, and the fields that modifiers give, from in->op and in->mod. Labels, and what
 * nobody knows, become the row PTX_UNKNOWN: it goes on, and cannot be lowered. */
void ptx_decode(ptx_instr *in);
/* The row of an id; PTX_UNKNOWN, too. */
const ptx_opcode *ptx_opcode_of(enum ptx_code id);
/* The m, n and k of a matrix instruction, its modifier m16n8k8. False: it has no such modifier. */
bool ptx_matrix_shape(const ptx_instr *in, int *m, int *n, int *k);
