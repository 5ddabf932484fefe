/*
 * asked.c: what an editor asks while the program is held (asked.h), and the answers. A question is
 * lines: its name, then its fields. WARP, LANE and FRAME say as whose one looks; a lane of -1 is
 * the warp's first that lives.
 *
 *     hello                                  modules, sources
 *     knows COMMAND                          is there such a command?
 *     threads                                the running block, its warps, who is in focus
 *     frames WARP LANE                       functions that the thread is in
 *     vars WARP LANE FRAME SCOPE             locals, parameters, shared, globals, builtins
 *     lanes WARP                             where each lane is
 *     parts WARP LANE FRAME START COUNT EXPR   elements, fields, what a pointer points to
 *     eval WARP LANE FRAME FORMAT EXPR       a value
 *     set WARP LANE FRAME VALUE OF NAME      a number is changed: the part NAME of OF
 *     focus WARP LANE FRAME                  who steps
 *     break WHERE CONDITION HITS LOG         FILE:LINE or FUNCTION
 *     watchable WARP LANE FRAME OF NAME      an id of the place
 *     watch ID CONDITION HITS
 *     delete NUMBER
 *     ignore FILTERS                         bits of enum dbg_filter
 *     entry                                  hold at the first line of the next kernel
 *     source PATH                            its text
 *
 * An answer is a JSON object; "wrong", if it is there, is a sentence. Contract: any question is
 * read without harm. A question changes what is in focus, and nothing else that it does not name.
 *
 * Long, since it is one table of questions and what each needs.
 */
#include "vgpu/src/debug/back.h"
#include "vgpu/src/debug/parts.h"
#include "vgpu/src/debug/wire.h"

#include "vgpu/src/count/json_out.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FIELDS = 8, MOST_PARTS = 10000, MOST_PREVIEW = 32 };

typedef struct question {
    vg_debug *d;
    vg_json *j;
    const char *field[MOST_FIELDS];
    int count;
} question;

static const char *text_at(const question *q, int i) {
    return i < q->count ? q->field[i] : "";
}

static long number_at(const question *q, int i) {
    return strtol(text_at(q, i), NULL, 10);
}

/* ---- as whom one looks ---- */

static int first_alive(const warp *w) {
    return w->alive != 0 ? __builtin_ctz(w->alive) : 0;
}

/* Turns to the thread that the fields from i on name. False, and said. */
static bool turn(question *q, int i, bool frame) {
    vg_debug *d = q->d;
    if (!dbg_is_held(d))
        return false;
    block *b = d->warp->block;
    const long n = number_at(q, i), asked = number_at(q, i + 1);
    if (n < 0 || n >= b->num_warps || asked >= VG_LANES) {
        dbg_wrong(d, "the block has the warps 0 to %d, each 32 lanes", b->num_warps - 1);
        return false;
    }
    warp *w = &b->warps[n];
    const int lane = asked < 0 ? first_alive(w) : (int)asked;
    if ((w != d->warp || lane != d->lane || d->num_frames == 0) && !dbg_focus(d, w, lane)) {
        dbg_wrong(d, "lane %d of warp %ld has ended", lane, n);
        return false;
    }
    const long f = frame ? number_at(q, i + 2) : 0;
    if (f < 0 || (f > 0 && f >= d->num_frames)) {
        dbg_wrong(d, "the thread has the frames 0 to %d", d->num_frames - 1);
        return false;
    }
    d->selected = (int)f;
    return true;
}

static void write_dim(vg_json *j, const char *name, vg_dim3 v) {
    char text[64];
    snprintf(text, sizeof text, "(%u,%u,%u)", v.x, v.y, v.z);
    vg_json_text(j, name, text);
}

/* ---- values ---- */

/* A name of CUDA's own: threadIdx and its kin. */
static bool builtin(vg_debug *d, const char *name, dbg_symbol *to) {
    const dbg_env env = dbg_here(d);
    for (const char *at = name; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) && *at != '_')
            return false;
    *to = (dbg_symbol){0};
    return d->warp != NULL && env.find(env.self, name, to) && to->var == NULL && !to->scalar;
}

/* Elements that lie there, of this size: to the end of the memory. */
static uint64_t room_at(const vg_debug *d, uint64_t at, uint64_t size) {
    const op generic = {.space = PS_GENERIC};
    range r;
    if (size == 0 || d->warp == NULL || !vg_resolve(d->warp, &generic, d->lane, at, &r) ||
        r.end < at)
        return 0;
    return (r.end - at) / size;
}

/* How many elements an array or a pointer has; 0: it is neither, or nothing lies there. */
static uint64_t elements_of(const vg_debug *d, const dbg_memory *m, const dbg_value *v) {
    char why[DBG_ERROR];
    dbg_value a, b;
    if (v->var == NULL) {
        if (v->type.stars == 0)
            return 0;
        const dbg_type t = dbg_pointee(&v->type);
        return room_at(d, v->u, dbg_size_of(&t));
    }
    if (!dbg_is_array(v) || dbg_side(v) > 0)
        return dbg_side(v);
    /* extern __shared__: as much as the launch gave */
    if (!dbg_element(m, v, 0, &a, why) || !dbg_element(m, v, 1, &b, why))
        return 0;
    return room_at(d, a.at, b.at - a.at);
}

static int fields_of(const dbg_value *v) {
    char name[DBG_PATH];
    int n = 0;
    while (v->var != NULL && !dbg_is_array(v) && dbg_field_name(v, n, name) != NULL)
        n++;
    return n;
}

static void preview(const vg_debug *d, const dbg_memory *m, const dbg_value *v, int *left,
                    FILE *to);

static void preview_part(const vg_debug *d, const dbg_memory *m, bool read, const dbg_value *e,
                         int *left, FILE *to) {
    if (read)
        preview(d, m, e, left, to);
    else
        fputs("?", to);
}

/* A value in one short line: the first numbers of what has many. */
static void preview(const vg_debug *d, const dbg_memory *m, const dbg_value *v, int *left,
                    FILE *to) {
    char why[DBG_ERROR], name[DBG_PATH];
    dbg_value e;
    if (v->var == NULL) {
        dbg_write(m, v, 0, to);
        (*left)--;
        return;
    }
    const uint64_t count = elements_of(d, m, v);
    const int fields = fields_of(v);
    fputc('{', to);
    for (uint64_t i = 0; i<count && * left> 0; i++) {
        fputs(i > 0 ? ", " : "", to);
        const bool read = dbg_element(m, v, (int64_t)i, &e, why);
        preview_part(d, m, read, &e, left, to);
        if (*left <= 0 && i + 1 < count)
            fputs(", …", to);
    }
    for (int i = 0; i<fields && * left> 0; i++) {
        fprintf(to, "%s%s = ", i > 0 ? ", " : "", dbg_field_name(v, i, name));
        const bool read = dbg_field(m, v, name, &e, why);
        preview_part(d, m, read, &e, left, to);
        if (*left <= 0 && i + 1 < fields)
            fputs(", …", to);
    }
    fputc('}', to);
}

/* What is known of a type in words; "": nothing. */
static void type_of(const dbg_value *v, char *to, size_t len) {
    to[0] = '\0';
    if (v->var == NULL)
        snprintf(to, len, "%s%s%.*s", v->type.name, v->type.stars > 0 ? " " : "", v->type.stars,
                 "****");
    else if (v->path[0] == '\0')
        snprintf(to, len, "%s", v->var->type);
}

/* Members of the object that tell of a value; format: 0, or as print's. */
static void write_value(vg_debug *d, vg_json *j, const char *expr, const dbg_value *v,
                        char format) {
    const dbg_env env = dbg_here(d);
    char *text = NULL, type[136];
    size_t len = 0;
    int left = MOST_PREVIEW;
    FILE *to = open_memstream(&text, &len);
    if (to == NULL)
        return;
    if (format != 0 && v->var == NULL)
        dbg_write(&env.memory, v, format, to);
    else
        preview(d, &env.memory, v, &left, to);
    (void)fclose(to);
    type_of(v, type, sizeof type);
    vg_json_text(j, "expr", expr);
    vg_json_text(j, "value", text);
    vg_json_text(j, "type", type);
    vg_json_count(j, "indexed", elements_of(d, &env.memory, v));
    vg_json_count(j, "named", (uint64_t)fields_of(v));
    vg_json_bool(j, "place", v->placed && v->var == NULL);
    free(text);
}

static void write_builtin(vg_json *j, const char *name, const dbg_symbol *s) {
    char text[64];
    snprintf(text, sizeof text, "(%u, %u, %u)", s->xyz[0], s->xyz[1], s->xyz[2]);
    vg_json_text(j, "expr", name);
    vg_json_text(j, "value", text);
    vg_json_text(j, "type", strcmp(name + strlen(name) - 3, "Idx") == 0 ? "uint3" : "dim3");
    vg_json_count(j, "indexed", 0);
    vg_json_count(j, "named", 3);
    vg_json_bool(j, "place", false);
}

/* An object for what this expression gives. */
static void write_part(vg_debug *d, vg_json *j, const char *name, const char *expr) {
    const dbg_env env = dbg_here(d);
    char why[DBG_ERROR];
    dbg_symbol s;
    dbg_value v;
    vg_json_object(j, NULL);
    vg_json_text(j, "name", name);
    if (builtin(d, expr, &s)) {
        write_builtin(j, expr, &s);
    } else if (dbg_eval(&env, expr, &v, why)) {
        write_value(d, j, expr, &v, 0);
    } else {
        char text[DBG_ERROR + 4];
        snprintf(text, sizeof text, "<%s>", why);
        vg_json_text(j, "expr", expr);
        vg_json_text(j, "value", text);
    }
    vg_json_object_end(j);
}

/* ---- what is asked: threads, frames ---- */

static void hello(question *q) {
    const vg_debug *d = q->d;
    q->d->editor.on = true;
    vg_json_count(q->j, "modules", (uint64_t)d->num_modules);
    vg_json_array(q->j, "sources");
    for (int m = 0; m < d->num_modules; m++)
        for (int i = 0; i < d->module[m]->num_sources; i++)
            vg_json_text(q->j, NULL, d->module[m]->sources[i].path);
    vg_json_array_end(q->j);
}

static void knows(question *q) {
    vg_json_bool(q->j, "known", dbg_has_command(text_at(q, 1)));
}

static void threads(question *q) {
    const vg_debug *d = q->d;
    if (!dbg_is_held(q->d))
        return;
    const block *b = d->warp->block;
    write_dim(q->j, "block", b->index);
    write_dim(q->j, "grid", d->launch->grid);
    vg_json_text(q->j, "kernel", d->launch->kernel->info.pretty);
    vg_json_count(q->j, "warp", d->warp_index);
    vg_json_count(q->j, "lane", (uint64_t)d->lane);
    vg_json_count(q->j, "frame", (uint64_t)d->selected);
    vg_json_array(q->j, "warps");
    for (int i = 0; i < b->num_warps; i++) {
        const warp *w = &b->warps[i];
        if (w->alive == 0)
            continue;
        vg_json_object(q->j, NULL);
        vg_json_count(q->j, "warp", (uint64_t)i);
        write_dim(q->j, "first", vg_thread_of(w, first_alive(w)));
        write_dim(q->j, "last", vg_thread_of(w, 31 - __builtin_clz(w->alive)));
        vg_json_text(q->j, "does", dbg_what_it_does(w, first_alive(w)));
        vg_json_object_end(q->j);
    }
    vg_json_array_end(q->j);
}

static void frames(question *q) {
    const vg_debug *d = q->d;
    if (!turn(q, 1, false))
        return;
    vg_json_count(q->j, "lane", (uint64_t)d->lane);
    write_dim(q->j, "thread", dbg_thread(d));
    vg_json_array(q->j, "frames");
    for (int i = 0; i < d->num_frames && d->at.line != 0; i++) {
        const vg_frame *f = &d->frame[i];
        const vg_source *s = dbg_source(d, i == 0 ? d->at.file : f->file);
        vg_json_object(q->j, NULL);
        vg_json_text(q->j, "name", f->func != NULL ? f->func->name : f->code->func->name);
        vg_json_text(q->j, "path", s != NULL ? s->path : "");
        vg_json_count(q->j, "line", (uint64_t)(i == 0 ? d->at.line : f->line));
        vg_json_object_end(q->j);
    }
    vg_json_array_end(q->j);
}

static void lanes(question *q) {
    const vg_debug *d = q->d;
    if (!turn(q, 1, false))
        return;
    warp *w = d->warp;
    vg_json_array(q->j, "lanes");
    for (uint32_t m = w->alive; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        vg_stop_at at;
        if (!vg_inspect_where(d->in, w, lane, &at))
            continue;
        vg_json_object(q->j, NULL);
        vg_json_count(q->j, "lane", (uint64_t)lane);
        write_dim(q->j, "thread", vg_thread_of(w, lane));
        vg_json_count(q->j, "line", (uint64_t)at.line);
        vg_json_text(q->j, "does", dbg_what_it_does(w, lane));
        vg_json_object_end(q->j);
    }
    vg_json_array_end(q->j);
}

static void focus(question *q) {
    (void)turn(q, 1, true);
}

/* ---- variables ---- */

/* Does another variable of this name that is alive lie further in? */
static bool is_hidden(const vg_debug *d, const vg_named_func *f, const vg_named_var *v) {
    for (int i = 0; i < f->num_vars; i++) {
        const vg_named_var *o = &f->vars[i];
        if (o != v && strcmp(o->name, v->name) == 0 && dbg_is_alive(d, o) &&
            (o->scope > v->scope || (o->scope == v->scope && o > v)))
            return true;
    }
    return false;
}

static void write_vars(question *q, const vg_named_func *f, const char *scope) {
    vg_debug *d = q->d;
    const bool shared = strcmp(scope, "shared") == 0, globals = strcmp(scope, "globals") == 0,
               parameters = strcmp(scope, "parameters") == 0;
    for (int i = 0; f != NULL && i < f->num_vars; i++) {
        const vg_named_var *v = &f->vars[i];
        const bool module = f->symbol == NULL;
        if (dbg_is_shared(d, v) != shared || module != (globals || (shared && module)))
            continue;
        if (!module && !shared && (v->parameter != parameters || !dbg_is_alive(d, v)))
            continue;
        if (module || !is_hidden(d, f, v))
            write_part(d, q->j, v->name, v->name);
    }
}

static void vars(question *q) {
    static const char *const builtins[] = {"threadIdx", "blockIdx", "blockDim", "gridDim",
                                           "warpSize"};
    vg_debug *d = q->d;
    const char *scope = text_at(q, 4);
    if (!turn(q, 1, true))
        return;
    vg_json_array(q->j, "vars");
    if (strcmp(scope, "builtins") == 0) {
        for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
            write_part(d, q->j, builtins[i], builtins[i]);
    } else if (d->num_frames > 0 && d->names != NULL) {
        write_vars(q, d->frame[d->selected].func, scope);
        if (d->names->num_funcs > 0 && (scope[0] == 's' || scope[0] == 'g'))
            write_vars(q, &d->names->funcs[0], scope);
    }
    vg_json_array_end(q->j);
}

/* Part of this expression: "[3]", or a field's name. Of "": the name itself. */
static void part_of(const char *expr, const char *part, char *to, size_t len) {
    const char *at = expr, *dot = expr[0] == '\0' || strchr("[", part[0]) != NULL ? "" : ".";
    while (isalnum((unsigned char)*at) || (*at != '\0' && strchr("_.[]", *at) != NULL))
        at++;
    const bool plain = *at == '\0'; /* a name or an element can stand as it is */
    snprintf(to, len, "%s%.*s%s%s%.64s", plain ? "" : "(", DBG_COMMAND - 80, expr, plain ? "" : ")",
             dot, part);
}

static void write_elements(question *q, const char *expr, uint64_t count) {
    const uint64_t start = strtoull(text_at(q, 4), NULL, 10);
    const uint64_t wanted = strtoull(text_at(q, 5), NULL, 10);
    const uint64_t most = wanted == 0 || wanted > MOST_PARTS ? MOST_PARTS : wanted;
    for (uint64_t i = start; i < count && i - start < most; i++) {
        char part[32], whole[DBG_COMMAND];
        snprintf(part, sizeof part, "[%" PRIu64 "]", i);
        part_of(expr, part, whole, sizeof whole);
        write_part(q->d, q->j, part, whole);
    }
}

static void write_fields(question *q, const char *expr, const dbg_value *v) {
    char name[DBG_PATH], whole[DBG_COMMAND];
    for (int i = 0; dbg_field_name(v, i, name) != NULL; i++) {
        part_of(expr, name, whole, sizeof whole);
        write_part(q->d, q->j, name, whole);
    }
}

static void parts(question *q) {
    vg_debug *d = q->d;
    const char *expr = text_at(q, 6);
    char why[DBG_ERROR], whole[DBG_COMMAND];
    dbg_symbol s;
    dbg_value v;
    if (!turn(q, 1, true))
        return;
    const dbg_env env = dbg_here(d);
    const bool own = builtin(d, expr, &s);
    if (!own && !dbg_eval(&env, expr, &v, why)) {
        dbg_wrong(d, "%s", why);
        return;
    }
    vg_json_array(q->j, "vars");
    for (int i = 0; own && i < 3; i++) {
        const char name[] = {(char)('x' + i), '\0'};
        snprintf(whole, sizeof whole, "%.400s.%s", expr, name);
        write_part(d, q->j, name, whole);
    }
    if (!own && fields_of(&v) > 0)
        write_fields(q, expr, &v);
    else if (!own)
        write_elements(q, expr, elements_of(d, &env.memory, &v));
    vg_json_array_end(q->j);
}

static void eval(question *q) {
    vg_debug *d = q->d;
    const char *expr = text_at(q, 5);
    char why[DBG_ERROR];
    dbg_symbol s;
    dbg_value v;
    if (!turn(q, 1, true))
        return;
    const dbg_env env = dbg_here(d);
    if (builtin(d, expr, &s))
        write_builtin(q->j, expr, &s);
    else if (dbg_eval(&env, expr, &v, why))
        write_value(d, q->j, expr, &v, text_at(q, 4)[0]);
    else
        dbg_wrong(d, "%s", why);
}

static void set(question *q) {
    vg_debug *d = q->d;
    char why[DBG_ERROR], place[DBG_COMMAND], text[2 * DBG_COMMAND];
    dbg_value v;
    if (!turn(q, 1, true))
        return;
    const dbg_env env = dbg_here(d);
    part_of(text_at(q, 5), text_at(q, 6), place, sizeof place);
    snprintf(text, sizeof text, "%s = %s", place, text_at(q, 4));
    if (!dbg_assign(&env, text, &v, why)) {
        dbg_wrong(d, "%s", why);
        return;
    }
    dbg_keep_change(d, &v);
    write_value(d, q->j, place, &v, 0);
}

/* ---- breaks ---- */

static bool read_when(question *q, int i, dbg_break *to) {
    if (strlen(text_at(q, i)) >= DBG_COMMAND || strlen(text_at(q, i + 2)) >= DBG_COMMAND) {
        dbg_wrong(q->d, "a condition or message has at most %d bytes", DBG_COMMAND - 1);
        return false;
    }
    if (!dbg_count_read(text_at(q, i + 1), &to->count)) {
        dbg_wrong(q->d, "expected a count of hits, as in 5, >= 5 or %% 10, found \"%.100s\"",
                  text_at(q, i + 1));
        return false;
    }
    dbg_set_condition(to, text_at(q, i));
    snprintf(to->log, sizeof to->log, "%s", text_at(q, i + 2));
    return true;
}

static void make_break(question *q) {
    dbg_break b = {.enabled = true};
    if (!read_when(q, 2, &b))
        return;
    const dbg_break *made = dbg_make_break(q->d, text_at(q, 1), &b);
    if (made == NULL)
        return;
    vg_json_count(q->j, "number", (uint64_t)made->number);
    vg_json_count(q->j, "line", (uint64_t)(made->num_spots > 0 ? made->spot[0].line : made->line));
    vg_json_bool(q->j, "placed", made->num_spots > 0);
}

static void watchable(question *q) {
    vg_debug *d = q->d;
    char why[DBG_ERROR], expr[DBG_COMMAND], id[2 * DBG_COMMAND];
    dbg_value v;
    if (!turn(q, 1, true))
        return;
    part_of(text_at(q, 4), text_at(q, 5), expr, sizeof expr);
    const dbg_env env = dbg_here(d);
    if (!dbg_eval(&env, expr, &v, why)) {
        dbg_wrong(d, "%s", why);
    } else if (!v.placed || v.var != NULL) {
        dbg_wrong(d, "only a number in memory can be watched: one element, one field");
    } else if (v.bits != 0) {
        dbg_wrong(d, "%s", dbg_no_watch_of_bits);
    } else {
        snprintf(id, sizeof id, "%" PRIu64 " %" PRIu64 " %u %d %" PRIu64 " %d %u %d %.127s|%.*s",
                 d->launches, d->block, d->warp_index, d->lane, v.at, (int)v.type.encoding,
                 v.type.size, v.type.stars, v.type.name, DBG_COMMAND - 1, expr);
        vg_json_text(q->j, "id", id);
    }
}

/* An id as watchable made it: an address counts only in the launch and the block it was had in. */
static bool read_watched(vg_debug *d, const char *id, dbg_break *b) {
    uint64_t launch = 0;
    int encoding = 0, end = 0;
    if (sscanf(id, "%" SCNu64 " %" SCNu64 " %u %d %" SCNu64 " %d %u %d %127[^|]|%n", &launch,
               &b->block, &b->warp, &b->lane, &b->at, &encoding, &b->type.size, &b->type.stars,
               b->type.name, &end) != 9 ||
        end == 0 || encoding < 0 || encoding >= VG_ENCODINGS || b->lane < 0 ||
        b->lane >= VG_LANES || b->type.size > 8 || b->type.stars < 0 || b->type.stars > 4 ||
        dbg_size_of(&b->type) == 0) {
        dbg_wrong(d, "this is not a place that dataBreakpointInfo named");
        return false;
    }
    b->type.encoding = (enum vg_encoding)encoding;
    snprintf(b->where, sizeof b->where, "%s", id + end);
    const bool own = (b->at & VG_WINDOW_MASK) != 0; /* a thread's, or a block's */
    const void *now = d->warp != NULL && (!own || (launch == d->launches && b->block == d->block))
                          ? vg_generic_at(d->warp, b->lane, b->at, dbg_size_of(&b->type))
                          : NULL;
    if (now != NULL && (b->at & VG_WINDOW_MASK) == VG_LOCAL_WINDOW) {
        const block *k = d->warp->block;
        now = b->warp < (uint32_t)k->num_warps
                  ? vg_generic_at(&k->warps[b->warp], b->lane, b->at, dbg_size_of(&b->type))
                  : NULL;
    }
    if (now == NULL) {
        dbg_wrong(d, "%s is no longer there: its thread or its block has ended", b->where);
        return false;
    }
    memcpy(b->old, now, dbg_size_of(&b->type));
    return true;
}

static void watch(question *q) {
    dbg_break b = {.enabled = true, .watches = true};
    if (!dbg_is_held(q->d) || !read_when(q, 2, &b) || !read_watched(q->d, text_at(q, 1), &b))
        return;
    const dbg_break *made = dbg_make_break(q->d, NULL, &b);
    if (made != NULL)
        vg_json_count(q->j, "number", (uint64_t)made->number);
}

static void take_away(question *q) {
    dbg_do_delete(q->d, text_at(q, 1)[0] != '\0' ? text_at(q, 1) : "0");
}

static void ignore(question *q) {
    vg_debug *d = q->d;
    d->editor.ignored = (uint32_t)number_at(q, 1) & DBG_ALL_FILTERS;
    d->catches = (d->catches & DBG_CATCH_WRONG) |
                 (dbg_holds_at(d, VGPU_FOUND_RACE) ? DBG_CATCH_RACE : 0) |
                 (dbg_holds_at(d, VGPU_FOUND_UNINITIALIZED) ? DBG_CATCH_UNSET : 0);
}

static void entry(question *q) {
    q->d->editor.entry = true;
}

static void source(question *q) {
    const vg_debug *d = q->d;
    for (int m = 0; m < d->num_modules; m++) {
        for (int i = 0; i < d->module[m]->num_sources; i++) {
            const vg_source *s = &d->module[m]->sources[i];
            char *text = strcmp(s->path, text_at(q, 1)) == 0 ? strndup(s->text, s->len) : NULL;
            if (text == NULL)
                continue;
            vg_json_text(q->j, "text", text);
            free(text);
            return;
        }
    }
    dbg_wrong(q->d, "the program has no source \"%s\"", text_at(q, 1));
}

/* ---- questions ---- */

static const struct {
    const char *name;
    void (*answer)(question *q);
} all[] = {{"hello", hello},   {"knows", knows},      {"threads", threads},
           {"frames", frames}, {"vars", vars},        {"lanes", lanes},
           {"parts", parts},   {"eval", eval},        {"set", set},
           {"focus", focus},   {"break", make_break}, {"watchable", watchable},
           {"watch", watch},   {"delete", take_away}, {"ignore", ignore},
           {"entry", entry},   {"source", source}};

static void read_fields(question *q, char *text) {
    for (char *at = text; at != NULL && q->count < MOST_FIELDS;) {
        q->field[q->count++] = at;
        at = strchr(at, '\n');
        if (at != NULL)
            *at++ = '\0';
    }
}

static void answer(question *q) {
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, text_at(q, 0)) == 0) {
            all[i].answer(q);
            return;
        }
    }
    dbg_wrong(q->d, "nobody knows the question \"%.100s\"", text_at(q, 0));
}

/* What commands would have said goes into the answer. */
void dbg_answer(vg_debug *d, char *text) {
    char *said = NULL, *json = NULL;
    size_t said_len = 0, len = 0;
    FILE *const out = d->out, *to = open_memstream(&json, &len);
    vg_json j;
    question q = {.d = d, .j = &j};
    d->out = open_memstream(&said, &said_len);
    if (to == NULL || d->out == NULL)
        _exit(125);
    read_fields(&q, text);
    vg_json_begin(&j, to);
    vg_json_inline(&j);
    vg_json_object(&j, NULL);
    answer(&q);
    (void)fclose(d->out);
    d->out = out;
    while (said_len > 0 && strchr(".\n", said[said_len - 1]) != NULL)
        said[--said_len] = '\0';
    if (d->failed)
        vg_json_text(&j, "wrong", said);
    d->failed = false;
    vg_json_object_end(&j);
    vg_json_end(&j);
    if (fclose(to) != 0 || !dbg_say(d->socket, 'a', json, len))
        _exit(125);
    free(said);
    free(json);
}
