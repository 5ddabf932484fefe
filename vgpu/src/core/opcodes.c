/*
 * opcodes.c: see opcodes.h. Rows and modifiers are found by a hash of their names: every
 * instruction of a module is decoded, run or not.
 */
#include "vgpu/src/core/opcodes.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define PTX_ROW(ID, NAME, FUNCTION, ...)                                                           \
    [PTX_##ID] = {.id = PTX_##ID, .name = (NAME), .lower = (FUNCTION), __VA_ARGS__},
static const ptx_opcode opcodes[] = {[PTX_UNKNOWN] = {.name = ""}, PTX_OPCODES(PTX_ROW)};
#undef PTX_ROW

enum modifier_kind { MOD_NONE, MOD_TYPE, MOD_SPACE, MOD_ORDER, MOD_SCOPE, MOD_ATOM };

typedef struct modifier {
    const char *name;
    enum modifier_kind kind;
    int value;
} modifier;

/* Those that more than one reader asks for; types (ptx_type_name) come to them. */
static const modifier known_modifiers[] = {
    {"global", MOD_SPACE, PS_GLOBAL},
    {"const", MOD_SPACE, PS_CONST},
    {"shared", MOD_SPACE, PS_SHARED},
    {"shared::cta", MOD_SPACE, PS_SHARED},
    {"local", MOD_SPACE, PS_LOCAL},
    {"param", MOD_SPACE, PS_PARAM},
    {"param::entry", MOD_SPACE, PS_PARAM},
    {"param::func", MOD_SPACE, PS_PARAM},
    {"volatile", MOD_ORDER, ORDER_VOLATILE},
    {"relaxed", MOD_ORDER, ORDER_RELAXED},
    {"acquire", MOD_ORDER, ORDER_ACQUIRE},
    {"release", MOD_ORDER, ORDER_RELEASE},
    {"acq_rel", MOD_ORDER, ORDER_ACQ_REL},
    {"cta", MOD_SCOPE, SCOPE_BLOCK},
    {"cluster", MOD_SCOPE, SCOPE_CLUSTER},
    {"gpu", MOD_SCOPE, SCOPE_GPU},
    {"gl", MOD_SCOPE, SCOPE_GPU},
    {"sys", MOD_SCOPE, SCOPE_SYSTEM},
    {"add", MOD_ATOM, ATOM_ADD},
    {"min", MOD_ATOM, ATOM_MIN},
    {"max", MOD_ATOM, ATOM_MAX},
    {"and", MOD_ATOM, ATOM_AND},
    {"or", MOD_ATOM, ATOM_OR},
    {"xor", MOD_ATOM, ATOM_XOR},
    {"exch", MOD_ATOM, ATOM_EXCH},
    {"cas", MOD_ATOM, ATOM_CAS},
    {"inc", MOD_ATOM, ATOM_INC},
    {"dec", MOD_ATOM, ATOM_DEC},
};

/* ---- finding ---- */

enum { BUCKETS = 256, LAST_TYPE = PT_PRED };

static enum ptx_code first_row[BUCKETS], next_row[PTX_CODES];
static modifier modifiers[BUCKETS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Of a name up to its first dot. */
static unsigned hash(const char *name) {
    unsigned h = 2166136261u;
    for (; *name != '\0' && *name != '.'; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return (h ^ h >> 16) % BUCKETS;
}

static void add_modifier(modifier m) {
    unsigned h = hash(m.name);
    while (modifiers[h].kind != MOD_NONE)
        h = (h + 1) % BUCKETS;
    modifiers[h] = m;
}

static void fill(void) {
    for (int id = PTX_CODES - 1; id > PTX_UNKNOWN; id--) {
        enum ptx_code *first = &first_row[hash(opcodes[id].name)];
        next_row[id] = *first;
        *first = (enum ptx_code)id;
    }
    for (size_t i = 0; i < sizeof known_modifiers / sizeof *known_modifiers; i++)
        add_modifier(known_modifiers[i]);
    for (int t = PT_NONE + 1; t <= LAST_TYPE; t++)
        add_modifier((modifier){ptx_type_name((enum ptx_type)t), MOD_TYPE, t});
}

static const modifier *find_modifier(const char *name) {
    unsigned h = hash(name);
    while (modifiers[h].kind != MOD_NONE && strcmp(modifiers[h].name, name) != 0)
        h = (h + 1) % BUCKETS;
    return &modifiers[h];
}

/* True if `name` begins with `word` and ends there or goes on with a dot; *rest is what follows. */
static bool begins_with(const char *name, const char *word, const char **rest) {
    const size_t len = strlen(word);
    *rest = name + len;
    return strncmp(name, word, len) == 0 && (**rest == '\0' || **rest == '.');
}

/* Into how many words of the instruction a row's name goes; 0: it is not the instruction's. */
static int words_of(const char *name, const ptx_instr *in) {
    const char *rest;
    if (!begins_with(name, in->op, &rest))
        return 0;
    int words = 1;
    for (; *rest == '.'; words++)
        if (words > in->num_mods || !begins_with(rest + 1, in->mod[words - 1], &rest))
            return 0;
    return words;
}

static const ptx_opcode *find_row(const ptx_instr *in) {
    enum ptx_code best = PTX_UNKNOWN;
    int most = 0;
    for (enum ptx_code id = first_row[hash(in->op)]; id != PTX_UNKNOWN; id = next_row[id]) {
        const int words = words_of(opcodes[id].name, in);
        if (words > most) {
            most = words;
            best = id;
        }
    }
    return &opcodes[best];
}

/* ---- what others ask ---- */

void ptx_decode(ptx_instr *in) {
    pthread_once(&once, fill);
    in->code = in->op != NULL ? find_row(in) : &opcodes[PTX_UNKNOWN];
    in->space = PS_GENERIC;
    in->order = ORDER_NONE;
    in->scope = SCOPE_NONE;
    in->atom = ATOM_NONE;
    int types = 0;
    for (int i = 0; i < in->num_mods; i++) {
        const modifier *m = find_modifier(in->mod[i]);
        if (m->kind == MOD_TYPE && types < PTX_MAX_TYPES)
            in->type[types++] = (enum ptx_type)m->value;
        else if (m->kind == MOD_SPACE && in->space == PS_GENERIC)
            in->space = (enum ptx_space)m->value;
        else if (m->kind == MOD_ORDER && in->order == ORDER_NONE)
            in->order = (enum ptx_order)m->value;
        else if (m->kind == MOD_SCOPE && in->scope == SCOPE_NONE)
            in->scope = (enum ptx_scope)m->value;
        else if (m->kind == MOD_ATOM && in->atom == ATOM_NONE)
            in->atom = (enum ptx_atom)m->value;
    }
    while (types < PTX_MAX_TYPES)
        in->type[types++] = PT_NONE;
}

const ptx_opcode *ptx_opcode_of(enum ptx_code id) {
    return &opcodes[id];
}

bool ptx_matrix_shape(const ptx_instr *in, int *m, int *n, int *k) {
    for (int i = 0; i < in->num_mods; i++) {
        int length = 0;
        if (sscanf(in->mod[i], "m%3dn%3dk%3d%n", m, n, k, &length) == 3 &&
            in->mod[i][length] == '\0')
            return true;
    }
    return false;
}
