/*
 * ptx.h: PTX text as a tree. The parser knows the grammar, not the instructions: an instruction is
 * its opcode's name, the modifiers after the dots and its operands. opcodes.h says what they mean.
 *
 * Contract: everything hangs in the module's arena and lives as long as it. Malformed text ends the
 * parse with a message that names the PTX line; nothing malformed is guessed at.
 */
#pragma once

#include "vgpu/src/core/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_type {
    PT_NONE,
    PT_B8,
    PT_B16,
    PT_B32,
    PT_B64,
    PT_B128,
    PT_U8,
    PT_U16,
    PT_U32,
    PT_U64,
    PT_S8,
    PT_S16,
    PT_S32,
    PT_S64,
    PT_U16X2,
    PT_S16X2,
    PT_F16,
    PT_F16X2,
    PT_BF16,
    PT_BF16X2,
    PT_TF32,
    PT_F32,
    PT_F64,
    PT_PRED
};

enum ptx_space { PS_GENERIC, PS_REG, PS_GLOBAL, PS_CONST, PS_SHARED, PS_LOCAL, PS_PARAM };

/* A variable or a register. Registers `%f<8>` are declared one by one, on demand. */
typedef struct ptx_var {
    const char *name;
    enum ptx_space space;
    enum ptx_type type; /* element type */
    uint32_t align;
    uint64_t size; /* bytes in all; 0 for `extern shared x[]` */
    bool is_extern;
    bool is_static;           /* seen by its own module alone */
    bool is_borrowed;         /* declared here: the address is another module's */
    bool is_blank;            /* the source gives it no value (vgpu/tools/vgpucc_blank.h) */
    uint8_t *init;            /* size bytes, or NULL: zeros */
    struct ptx_reloc *relocs; /* initialisers that are addresses of other variables */
    int index;            /* registers: number within the function; params: number in the list */
    uint32_t offset;      /* params of a function: byte offset in its parameter block */
    uint64_t address;     /* filled by the loader: where the variable is */
    struct ptx_var *next; /* hash chain of the scope */
} ptx_var;

typedef struct ptx_reloc {
    uint64_t offset; /* in the initialised variable */
    const char *symbol;
    int64_t addend;
    struct ptx_reloc *next;
} ptx_reloc;

enum ptx_operand_kind {
    PO_NONE,
    PO_REG,    /* var                                   */
    PO_INT,    /* bits: a 64-bit integer                */
    PO_FLOAT,  /* bits: the 32-bit pattern of 0f…       */
    PO_DOUBLE, /* bits: the 64-bit pattern of 0d… or of a decimal literal */
    PO_SYMBOL, /* var, plus offset in bits              */
    PO_NAME,   /* name not (yet) declared: label, function, special register %tid.x */
    PO_ADDR,   /* [base + bits]: base is elem[0], a PO_REG, PO_SYMBOL, PO_NAME or PO_INT */
    PO_VECTOR, /* {elem[0], elem[1], …}                 */
    PO_LIST,   /* (elem[0], …) of a call                */
    PO_PAIR,   /* p|q: elem[0], elem[1]                 */
    PO_SINK    /* _                                     */
};

typedef struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated; /* !p, or -r */
    ptx_var *var;
    const char *name;
    uint64_t bits;
    struct ptx_operand *elem;
    int num_elem;
} ptx_operand;

/* Of an access to memory or a fence; volatile, none of PTX's orders, stands in their place. */
enum ptx_order {
    ORDER_NONE,
    ORDER_VOLATILE,
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL
};

/* Who sees things in that order: .cta, .cluster, .gpu (or .gl), .sys. */
enum ptx_scope { SCOPE_NONE, SCOPE_BLOCK, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYSTEM };

/* What atom, red and redux do. */
enum ptx_atom {
    ATOM_NONE,
    ATOM_ADD,
    ATOM_MIN,
    ATOM_MAX,
    ATOM_AND,
    ATOM_OR,
    ATOM_XOR,
    ATOM_EXCH,
    ATOM_CAS,
    ATOM_INC,
    ATOM_DEC
};

enum { PTX_MAX_MODS = 16, PTX_MAX_TYPES = 4, PTX_MAX_OPERANDS = 10 };

typedef struct ptx_instr {
    const char *op;                /* "fma"                */
    const struct ptx_opcode *code; /* what that is: opcodes.h; never NULL */
    const char *mod[PTX_MAX_MODS]; /* "rn", "f32"          */
    int num_mods;
    /* What modifiers say, those that more than one reader asks for: the first of each kind. */
    enum ptx_type type[PTX_MAX_TYPES]; /* in their order; PT_NONE behind the last */
    enum ptx_space space;
    enum ptx_order order;
    enum ptx_scope scope;
    enum ptx_atom atom;
    ptx_operand operand[PTX_MAX_OPERANDS];
    int num_operands;
    ptx_var *guard;     /* @%p                  */
    bool guard_negated; /* @!%p                 */
    int ptx_line;       /* in the PTX text      */
    int file, line;     /* .loc in force; line 0 when the compiler gave none */
    int loc;            /* while parsing: which .loc, counted from 1 */
    int statement;      /* positions that the function has named so far; 1: its head, 0: none */
    const char *label;  /* set on pseudo instructions "label" */
    struct ptx_instr *next;
} ptx_instr;

/* NAME: .branchtargets L0, L1, …; of brx.idx */
typedef struct ptx_table {
    const char *name;
    const char **label;
    int count;
    struct ptx_table *next;
} ptx_table;

typedef struct ptx_func {
    const char *name;
    bool is_entry, is_extern;
    bool is_static;                /* seen by its own module alone */
    const struct vg_module *owner; /* whose instructions these are (link.c); NULL: this module's */
    int file_base;                 /* of another module's: where its files begin among this one's */
    ptx_var **params;
    int num_params;
    ptx_var **rets;
    int num_rets;
    uint32_t param_bytes; /* of all params, laid out in order */
    ptx_instr *first;
    int num_instrs, num_regs;
    ptx_table *tables;
    ptx_var **vars; /* shared, local and param variables declared in the body */
    int num_vars;
    int max_threads; /* .maxntid's product, 0 when not given */
    int line;        /* first .loc line of the body */
    int file;
    struct ptx_func *next;
} ptx_func;

enum { PTX_SCOPE_BUCKETS = 256 };

typedef struct ptx_module {
    vg_arena arena;
    int version; /* 60: PTX 6.0 */
    int target;  /* 70: sm_70   */
    ptx_var **vars;
    int num_vars;
    ptx_func *funcs; /* in the order of the text */
    char **files;    /* by .file number; NULL where none */
    int num_files;
    ptx_var *globals[PTX_SCOPE_BUCKETS];
} ptx_module;

/* Parses text into *module (zeroed by the callee). False with a one-line message in err, and
 * nothing to free, when the text is not PTX or memory ran out (then *oom is set). */
bool ptx_parse(ptx_module *module, const char *text, size_t len, char *err, size_t errlen,
               bool *oom);
void ptx_free(ptx_module *module);

ptx_func *ptx_find_func(const ptx_module *module, const char *name);
/* NULL when there is none of that name. */
const ptx_table *ptx_find_table(const ptx_func *func, const char *name);
ptx_var *ptx_find_global(const ptx_module *module, const char *name);
/* Bytes of one element; 0 for PT_NONE, 4 for PT_PRED. */
uint32_t ptx_type_size(enum ptx_type type);
/* As PTX writes it; "" for PT_NONE. */
const char *ptx_type_name(enum ptx_type type);
