/*
 * opcodes.c: see opcodes.h. A row is found by a hash of its opcode: every instruction of a
 * module is looked up, run or not.
 */
#include "vgpu/src/core/opcodes.h"

#include <pthread.h>
#include <string.h>

#define PTX_ROW(ID, NAME, FUNCTION, ...)                                                           \
    [PTX_##ID] = {.id = PTX_##ID, .name = (NAME), .lower = (FUNCTION), __VA_ARGS__},
static const ptx_opcode opcodes[] = {[PTX_UNKNOWN] = {.name = ""}, PTX_OPCODES(PTX_ROW)};
#undef PTX_ROW

/* ---- finding ---- */

enum { BUCKETS = 256 };

static enum ptx_code first_row[BUCKETS], next_row[PTX_CODES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Of a name up to its first dot. */
static unsigned hash(const char *name) {
    unsigned h = 2166136261u;
    for (; *name != '\0' && *name != '.'; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return (h ^ h >> 16) % BUCKETS;
}

static void fill(void) {
    for (int id = PTX_CODES - 1; id > PTX_UNKNOWN; id--) {
        enum ptx_code *first = &first_row[hash(opcodes[id].name)];
        next_row[id] = *first;
        *first = (enum ptx_code)id;
    }
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
}

const ptx_opcode *ptx_opcode_of(enum ptx_code id) {
    return &opcodes[id];
}
