/*
 * complete.c: how a line that a person has begun to type may go on: its last word. What stands
 * before that word says what may come: behind `print s.` the fields of s, behind `thread` threads.
 */
#include "vgpu/src/debug/parts.h"

#include <ctype.h>
#include <string.h>

static const char separators[] = " \t()[]{},;+-*/%&|!<>=?:.~^";

typedef struct completion {
    const char *args; /* behind the command */
    const char *word; /* the last of the line */
    size_t len;
    char **offer; /* each once */
    size_t count;
    bool full; /* out of memory */
} completion;

static void offer_part(completion *c, const char *name, size_t len) {
    if (len < c->len || strncmp(name, c->word, c->len) != 0 || c->full)
        return;
    for (size_t i = 0; i < c->count; i++)
        if (strlen(c->offer[i]) == len && strncmp(c->offer[i], name, len) == 0)
            return;
    char **more = realloc(c->offer, (c->count + 1) * sizeof *more);
    c->offer = more != NULL ? more : c->offer;
    c->full = more == NULL || (more[c->count] = strndup(name, len)) == NULL;
    c->count += !c->full;
}

static void offer(completion *c, const char *name) {
    if (name != NULL)
        offer_part(c, name, strlen(name));
}

static void offer_number(completion *c, int number) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    offer(c, text);
}

/* "(1,2,0)", of which a part may be there: what is left of it. */
static void offer_place(completion *c, vg_dim3 at) {
    char text[48];
    const size_t there = (size_t)(c->word - c->args);
    snprintf(text, sizeof text, "(%u,%u,%u)", at.x, at.y, at.z);
    if (there <= strlen(text) && strncmp(text, c->args, there) == 0)
        offer(c, text + there);
}

/* ---- names ---- */

/* What of "lab::inner::" stands before the word. */
static size_t qualifier_length(const completion *c) {
    const char *at = c->word;
    while (at - c->args >= 3 && at[-1] == ':' && at[-2] == ':') {
        at -= 2;
        while (at > c->args && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
            at--;
    }
    return (size_t)(c->word - at);
}

/* A name of the program from each of its parts on that begins as what is said; the arguments of a
 * template are left out, as they may be. */
static void offer_name(completion *c, const char *name) {
    const size_t before = qualifier_length(c);
    int depth = 0;
    for (const char *at = name; *at != '\0'; at++) {
        depth += *at == '<' ? 1 : *at == '>' ? -1 : 0;
        const bool starts = depth == 0 && (at == name || (at - name > 1 && at[-1] == ':'));
        if (starts && strncmp(at, c->word - before, before) == 0)
            offer_part(c, at + before, strcspn(at + before, "<"));
    }
}

static void offer_commands(completion *c) {
    for (size_t i = 0; dbg_command_name(i) != NULL; i++)
        offer(c, dbg_command_name(i));
    offer(c, "quit");
}

static void offer_functions(const vg_debug *d, completion *c) {
    for (int m = 0; m < d->num_modules; m++)
        for (int f = 1; f < d->module[m]->num_funcs; f++)
            offer_name(c, d->module[m]->funcs[f].name);
}

static void offer_files(const vg_debug *d, completion *c) {
    for (int m = 0; m < d->num_modules; m++)
        for (int s = 0; s < d->module[m]->num_sources; s++)
            offer(c, dbg_base(d->module[m]->sources[s].path));
}

static void offer_fields(completion *c, const dbg_value *v) {
    char name[DBG_PATH];
    for (int i = 0; v->var != NULL && !dbg_is_array(v) && dbg_field_name(v, i, name) != NULL; i++)
        offer(c, name);
}

static void offer_variables(vg_debug *d, completion *c) {
    static const char *const builtins[] = {"threadIdx", "blockIdx", "blockDim", "gridDim",
                                           "warpSize"};
    const vg_named_func *f = d->num_frames > 0 ? d->frame[d->selected].func : NULL;
    const vg_named_func *all = d->names != NULL ? &d->names->funcs[0] : NULL;
    const dbg_env env = dbg_here(d);
    char why[DBG_ERROR];
    dbg_value self;
    if (qualifier_length(c) == 0) {
        for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
            offer(c, builtins[i]);
        for (int i = 0; f != NULL && i < f->num_vars; i++)
            if (dbg_is_alive(d, &f->vars[i]))
                offer(c, f->vars[i].name);
        for (int i = 0; f != NULL && i < f->num_consts; i++)
            offer(c, f->consts[i].name);
        if (dbg_eval(&env, "*this", &self, why))
            offer_fields(c, &self);
    }
    for (int i = 0; all != NULL && i < all->num_vars; i++)
        offer_name(c, all->vars[i].name);
    for (int i = 0; all != NULL && i < all->num_consts; i++)
        offer_name(c, all->consts[i].name);
    for (int i = 0; d->names != NULL && i < d->names->num_values; i++)
        offer(c, d->names->values[i].name);
}

/* ---- fields ---- */

/* Where the operand that ends at `end` begins: names, fields, and what stands in brackets. */
static const char *operand_before(const char *from, const char *end) {
    const char *at = end;
    while (at > from) {
        const char c = at[-1];
        if (c == ']' || c == ')') {
            int depth = 0;
            do {
                at--;
                depth += *at == ']' || *at == ')' ? 1 : *at == '[' || *at == '(' ? -1 : 0;
            } while (at > from && depth > 0);
        } else if (isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':') {
            at--;
        } else if (c == '>' && at - from > 1 && at[-2] == '-') {
            at -= 2;
        } else {
            break;
        }
    }
    return at;
}

/* False: the word is no field's. */
static bool complete_field(vg_debug *d, completion *c) {
    const bool arrow = c->word - c->args > 2 && strncmp(c->word - 2, "->", 2) == 0;
    const char *end = c->word - (arrow ? 2 : 1);
    const dbg_env env = dbg_here(d);
    char text[DBG_COMMAND], why[DBG_ERROR];
    dbg_symbol s = {0};
    dbg_value v;
    if (c->word == c->args || (!arrow && c->word[-1] != '.'))
        return false;
    const char *start = operand_before(c->args, end);
    snprintf(text, sizeof text, arrow ? "*(%.*s)" : "%.*s", (int)(end - start), start);
    if (!arrow && env.find(env.self, text, &s) && s.var == NULL && !s.scalar) {
        offer(c, "x");
        offer(c, "y");
        offer(c, "z");
    } else if (dbg_eval(&env, text, &v, why)) {
        offer_fields(c, &v);
    }
    return true;
}

/* ---- commands ---- */

static void offer_breaks(const vg_debug *d, completion *c) {
    for (int i = 0; i < DBG_BREAKS; i++)
        if (d->list[i].number != 0)
            offer_number(c, d->list[i].number);
}

static void offer_threads(const vg_debug *d, completion *c) {
    for (int lane = 0; d->warp != NULL && lane < VG_LANES; lane++)
        if ((d->warp->alive >> lane & 1) != 0)
            offer_place(c, vg_thread_of(d->warp, lane));
}

static void offer_block(const vg_debug *d, completion *c) {
    if (d->warp != NULL)
        offer_place(c, d->warp->block->index);
}

static void offer_warps(const vg_debug *d, completion *c) {
    for (int i = 0; d->warp != NULL && i < d->warp->block->num_warps; i++)
        offer_number(c, i);
}

static void offer_lanes(const vg_debug *d, completion *c) {
    for (int lane = 0; d->warp != NULL && lane < VG_LANES; lane++)
        if ((d->warp->alive >> lane & 1) != 0)
            offer_number(c, lane);
}

static void offer_frames(const vg_debug *d, completion *c) {
    for (int i = 0; i < d->num_frames; i++)
        offer_number(c, i);
}

static void offer_displays(const vg_debug *d, completion *c) {
    for (int i = 0; i < DBG_DISPLAYS; i++)
        if (d->display[i] != NULL)
            offer_number(c, i + 1);
}

static void offer_subjects(const vg_debug *d, completion *c) {
    (void)d;
    for (size_t i = 0; dbg_info_name(i) != NULL; i++)
        offer(c, dbg_info_name(i));
}

static void offer_catches(const vg_debug *d, completion *c) {
    (void)d;
    for (size_t i = 0; dbg_catch_name(i) != NULL; i++)
        offer(c, dbg_catch_name(i));
}

static void offer_var(const vg_debug *d, completion *c) {
    (void)d;
    offer(c, "var");
}

static void offer_places(const vg_debug *d, completion *c) {
    offer_functions(d, c);
    if (qualifier_length(c) == 0)
        offer_files(d, c);
}

static void offer_if(const vg_debug *d, completion *c) {
    (void)d;
    offer(c, "if");
}

/* What may come first behind a command, and second; what is left out is an expression. */
static const struct {
    const char *command;
    void (*first)(const vg_debug *d, completion *c);
    void (*second)(const vg_debug *d, completion *c);
} arguments[] = {
    {"break", offer_places, offer_if},   {"tbreak", offer_places, offer_if},
    {"list", offer_functions, NULL},     {"info", offer_subjects, NULL},
    {"catch", offer_catches, NULL},      {"thread", offer_threads, NULL},
    {"block", offer_block, NULL},        {"warp", offer_warps, NULL},
    {"lane", offer_lanes, NULL},         {"frame", offer_frames, NULL},
    {"delete", offer_breaks, NULL},      {"enable", offer_breaks, NULL},
    {"disable", offer_breaks, NULL},     {"condition", offer_breaks, NULL},
    {"undisplay", offer_displays, NULL}, {"set", offer_var, NULL},
};

/* How many words have ended before the last. */
static int words_before(const completion *c) {
    int n = 0;
    for (const char *at = c->args; at < c->word;) {
        const size_t len = strcspn(at, " \t");
        if (at + len >= c->word)
            break;
        n += len > 0;
        at += len + 1;
    }
    return n;
}

static void complete_argument(vg_debug *d, const char *command, completion *c) {
    const int before = words_before(c);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        if (strcmp(arguments[i].command, command) != 0 || before > 1)
            continue;
        if (before == 0)
            arguments[i].first(d, c);
        else if (arguments[i].second != NULL)
            arguments[i].second(d, c);
        if (before == 0 || arguments[i].second != NULL)
            return;
    }
    if (!complete_field(d, c))
        offer_variables(d, c);
}

void dbg_complete(vg_debug *d, const char *line, FILE *to) {
    const char *first = line + strspn(line, " \t");
    const size_t len = strcspn(first, " \t/(");
    completion c = {.word = line + strlen(line)};
    while (c.word > line && strchr(separators, c.word[-1]) == NULL)
        c.word--;
    c.len = strlen(c.word);
    const char *command = dbg_command_called(first, len);
    c.args = first + len + (first[len] == '/' ? strcspn(first + len, " \t") : 0);
    c.args += strspn(c.args, " \t");
    if (first[len] == '\0') { /* a command's name may hold a separator: reverse-step */
        c.word = first;
        c.len = len;
        offer_commands(&c);
    } else if (command == NULL || strcmp(command, "help") == 0) {
        c.word = c.args;
        c.len = strlen(c.word);
        offer_commands(&c);
    } else if (first[len] == '/' && strpbrk(first, " \t") == NULL) { /* a format: print/x */
        c.full = true;
    } else {
        complete_argument(d, command, &c);
    }
    for (size_t i = 0; i < c.count; i++) {
        fprintf(to, "%s\n", c.offer[i]);
        free(c.offer[i]);
    }
    free(c.offer);
}
