/* vgpucc_arch.c: see vgpucc_arch.h. */
#include "vgpu/tools/vgpucc_arch.h"

#include "vgpu/tools/vgpucc_args.h"
#include "vgpu/tools/vgpucc_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the command line ---- */

static void ask_one(arch *known, int number, bool specific) {
    if (known->given && (known->number == ARCH_ANY || number < known->number))
        return;
    known->specific = specific || (known->given && known->number == number && known->specific);
    known->number = number;
    known->given = true;
}

void arch_ask(arch *known, const char *value) {
    bool any = false;
    for (const char *at = value; (at = strchr(at, '_')) != NULL; at++) {
        char *end = NULL;
        const long number = strtol(at + 1, &end, 10);
        if (end == at + 1 || number < 10 || number > 999)
            continue;
        ask_one(known, number < ARCH_OLDEST ? ARCH_OLDEST : (int)number,
                *end == 'a' || *end == 'f');
        any = true;
    }
    if (!any) /* native, all, all-major */
        *known = (arch){.number = ARCH_ANY, .given = true};
}

static int number_of(const arch *known) {
    return known->given ? known->number : ARCH_DEFAULT;
}

int arch_macro(const arch *known) {
    const int number = number_of(known);
    return 10 * (number == ARCH_ANY || number > ARCH_DEFAULT ? ARCH_DEFAULT : number);
}

/* ---- instructions ---- */

/* By the PTX manual's "Target ISA Notes": an instruction, with these words among its modifiers,
 * since which architecture. Where several rows fit, the newest counts. What CUDA's own headers do
 * in another way on older ones (halves, bfloat16) is not here. */
typedef struct since {
    const char *name, *words;
    int number;
    bool specific; /* sm_90a has it, sm_90 has not */
} since;

/* clang-format off */
static const since table[] = {
    {"match",                 "",              70, false},
    {"nanosleep",             "",              70, false},
    {"atom",                  "cas b16",       70, false},
    {"atom",                  "b128",          90, false},
    {"bmsk",                  "",              70, false},
    {"szext",                 "",              70, false},
    {"tanh",                  "",              75, false},
    {"redux",                 "",              80, false},
    {"redux",                 "f32",          100, true},
    {"elect",                 "",              90, false},
    {"cvt",                   "tf32",          80, false},
    {"cvt",                   "e4m3x2",        89, false},
    {"cvt",                   "e5m2x2",        89, false},
    {"add",                   "f32x2",        100, false},
    {"mul",                   "f32x2",        100, false},
    {"fma",                   "f32x2",        100, false},
    {"ldmatrix",              "",              75, false},
    {"movmatrix",             "",              75, false},
    {"stmatrix",              "",              90, false},
    {"wmma",                  "",              70, false},
    {"wmma",                  "s8",            72, false},
    {"wmma",                  "u8",            72, false},
    {"wmma",                  "s4",            75, false},
    {"wmma",                  "u4",            75, false},
    {"wmma",                  "b1",            75, false},
    {"wmma",                  "bf16",          80, false},
    {"wmma",                  "tf32",          80, false},
    {"wmma",                  "f64",           80, false},
    {"mma",                   "",              70, false},
    {"mma",                   "m16n8k8",       75, false},
    {"mma",                   "m8n8k16",       75, false},
    {"mma",                   "m8n8k32",       75, false},
    {"mma",                   "m8n8k128",      75, false},
    {"mma",                   "m16n8k4",       80, false},
    {"mma",                   "m16n8k16",      80, false},
    {"mma",                   "m16n8k32",      80, false},
    {"mma",                   "m16n8k64",      80, false},
    {"mma",                   "m16n8k128",     80, false},
    {"mma",                   "m16n8k256",     80, false},
    {"mma",                   "bf16",          80, false},
    {"mma",                   "tf32",          80, false},
    {"mma",                   "f64",           80, false},
    {"mma",                   "m16n8k4 f64",   90, false},
    {"mma",                   "m16n8k8 f64",   90, false},
    {"mma",                   "m16n8k16 f64",  90, false},
    {"mma",                   "e4m3",          89, false},
    {"mma",                   "e5m2",          89, false},
    {"mma.sp",                "",              80, false},
    {"wgmma",                 "",              90, true},
    {"tcgen05",               "",             100, true},
    {"cp.async",              "",              80, false},
    {"cp.async.bulk",         "",              90, false},
    {"cp.reduce.async.bulk",  "",              90, false},
    {"mbarrier",              "",              80, false},
    {"mbarrier.try_wait",     "",              90, false},
    {"mbarrier.expect_tx",    "",              90, false},
    {"mbarrier.complete_tx",  "",              90, false},
    {"mbarrier",              "expect_tx",     90, false},
    {"discard",               "",              80, false},
    {"applypriority",         "",              80, false},
    {"createpolicy",          "",              80, false},
    {"ld",                    "L2::cache_hint", 80, false},
    {"st",                    "L2::cache_hint", 80, false},
    {"fence.proxy",           "async",         90, false},
    {"fence.mbarrier_init",   "",              90, false},
    {"fence",                 "cluster",       90, false},
    {"barrier.cluster",       "",              90, false},
    {"mapa",                  "",              90, false},
    {"getctarank",            "",              90, false},
    {"st.async",              "",              90, false},
    {"red.async",             "",              90, false},
    {"multimem",              "",              90, false},
    {"tensormap",             "",              90, true},
    {"griddepcontrol",        "",              90, false},
    {"setmaxnreg",            "",              90, true},
};
/* clang-format on */

/* An instruction of a header of ours that does on any architecture what CUDA's own header does. */
#define ON_ANY "/* on any */"

/* Is this word among the dotted ones? */
static bool has_word(const char *dotted, size_t length, const char *word, size_t n) {
    for (const char *at = dotted, *end = dotted + length;
         (at = memmem(at, (size_t)(end - at), word, n)) != NULL; at++)
        if (at > dotted && at[-1] == '.' && (at + n == end || at[n] == '.'))
            return true;
    return false;
}

static bool fits(const since *row, const char *dotted, size_t length) {
    const size_t n = strlen(row->name);
    if (length < n || strncmp(dotted, row->name, n) != 0 || (length > n && dotted[n] != '.'))
        return false;
    for (const char *word = row->words; *word;) {
        const size_t w = strcspn(word, " ");
        if (!has_word(dotted, length, word, w))
            return false;
        word += w + (word[w] == ' ');
    }
    return true;
}

/* The row of an instruction, "cp.async.ca.shared.global"; NULL: all have it. */
static const since *row_of(const char *dotted, size_t length) {
    const since *newest = NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (fits(&table[i], dotted, length) &&
            (newest == NULL || table[i].number > newest->number ||
             (table[i].number == newest->number && table[i].specific)))
            newest = &table[i];
    return newest;
}

static bool has(const arch *known, const since *row) {
    const int number = number_of(known);
    return number == ARCH_ANY || (number >= row->number && (!row->specific || known->specific));
}

/* ---- the text ---- */

enum { MOST_TOLD = 20 };

typedef struct scan {
    const arch *known;
    const char *text, *input;
    unsigned file;
    unsigned long line; /* 0: not known yet */
    struct {
        const since *row;
        unsigned long line;
    } told[MOST_TOLD];
    int num_told;
} scan;

/* The name that ".file N "…"" gives; or the input's. */
static const char *file_name(const scan *s, size_t *length) {
    char head[32];
    snprintf(head, sizeof head, "\t.file\t%u \"", s->file);
    const char *at = strstr(s->text, head);
    at = at ? at + strlen(head) : s->input;
    if (strncmp(at, "./", 2) == 0)
        at += 2;
    *length = at == s->input ? strlen(at) : strcspn(at, "\"");
    return at;
}

static void tell(scan *s, const since *row, const char *dotted, size_t length) {
    for (int i = 0; i < s->num_told; i++)
        if (s->told[i].row == row && s->told[i].line == s->line)
            return;
    if (s->num_told == MOST_TOLD)
        return;
    s->told[s->num_told].row = row;
    s->told[s->num_told++].line = s->line;
    size_t n;
    const char *name = file_name(s, &n), *letter = row->specific ? "a" : "";
    fprintf(stderr,
            "%.*s:%lu:1: error: the instruction %.*s needs sm_%d%s%s, and device code is compiled "
            "for sm_%d: give -arch=sm_%d%s\n",
            (int)n, name, s->line, (int)length, dotted, row->number, letter,
            row->specific ? "" : " or later", number_of(s->known), row->number, letter);
}

/* One instruction, behind its guard or label: "@%p1 cp.async.ca.shared.global [%r1], …". */
static void look_at(scan *s, const char *at, const char *end) {
    while (at < end && (isspace((unsigned char)*at) || *at == '{'))
        at++;
    if (at < end && *at == '@')
        while (at < end && !isspace((unsigned char)*at))
            at++;
    while (at < end && isspace((unsigned char)*at))
        at++;
    size_t length = 0;
    while (at + length < end && (isalnum((unsigned char)at[length]) || strchr("._:", at[length])))
        length++;
    const since *row = length > 0 && isalpha((unsigned char)*at) ? row_of(at, length) : NULL;
    if (row != NULL && !has(s->known, row))
        tell(s, row, at, length);
}

static void look_at_line(scan *s, const char *line, size_t length) {
    unsigned file;
    unsigned long number;
    const char *end = line + length;
    if (strncmp(line, "\t.loc\t", 6) == 0 && sscanf(line + 6, "%u %lu", &file, &number) == 2) {
        if (number > 0) {
            s->file = file;
            s->line = number;
        }
        return;
    }
    if (memmem(line, length, ON_ANY, strlen(ON_ANY)) != NULL)
        return;
    while (line < end) {
        const char *semicolon = memchr(line, ';', (size_t)(end - line));
        look_at(s, line, semicolon ? semicolon : end);
        line = semicolon ? semicolon + 1 : end;
    }
}

bool arch_has_all(const arch *known, const char *ptx, const char *input) {
    if (!known->given)
        return true;
    size_t length = 0;
    char *text = read_file(ptx, &length);
    scan s = {.known = known, .text = text, .input = input};
    for (const char *at = text; at && *at;) {
        const size_t n = strcspn(at, "\n");
        look_at_line(&s, at, n);
        at += n + (at[n] == '\n');
    }
    free(text);
    return s.num_told == 0;
}
