/*
 * told.c: what an editor is told without asking: why the program is held, where a breakpoint came
 * to stand, what the checkers found; and the breaks that only count, or only say something.
 */
#include "vgpu/src/debug/back.h"
#include "vgpu/src/debug/parts.h"
#include "vgpu/src/debug/wire.h"

#include "vgpu/src/count/json_out.h"

#include <ctype.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Lines of logpoints are shown together: so many bytes, or what came in so many ms. */
enum { MOST_LOGGED = 8192, LOG_MS = 100 };

/* ---- facts ---- */

typedef struct fact {
    char *text;
    size_t len;
    FILE *to;
    vg_json j;
} fact;

/* Who only looks, or runs up to an earlier moment, tells nothing. */
static bool begin(const vg_debug *d, fact *f, const char *name) {
    *f = (fact){NULL, 0, NULL, {0}};
    f->to = d->editor.on && !dbg_back_is_away(d) ? open_memstream(&f->text, &f->len) : NULL;
    if (f->to == NULL)
        return false;
    vg_json_begin(&f->j, f->to);
    vg_json_inline(&f->j);
    vg_json_object(&f->j, NULL);
    vg_json_text(&f->j, "fact", name);
    return true;
}

static void tell(vg_debug *d, fact *f) {
    vg_json_object_end(&f->j);
    vg_json_end(&f->j);
    if (fclose(f->to) == 0 && !dbg_say(d->socket, 'f', f->text, f->len))
        _exit(125);
    free(f->text);
}

void dbg_tell_held(vg_debug *d, const char *why, enum dbg_reason reason, int number) {
    static const struct {
        const char *reason, *kind;
    } words[DBG_REASONS] = {[DBG_BY_STEP] = {"step", ""},
                            [DBG_BY_BREAK] = {"breakpoint", ""},
                            [DBG_BY_FUNCTION] = {"function breakpoint", ""},
                            [DBG_BY_WATCH] = {"data breakpoint", ""},
                            [DBG_BY_PAUSE] = {"pause", ""},
                            [DBG_BY_ENTRY] = {"entry", ""},
                            [DBG_BY_FAULT] = {"exception", "fault"},
                            [DBG_BY_RACE] = {"exception", "race"},
                            [DBG_BY_UNWRITTEN] = {"exception", "uninitialised"}};
    fact f;
    if (!begin(d, &f, "held"))
        return;
    vg_json_text(&f.j, "reason", words[reason].reason);
    vg_json_text(&f.j, "kind", words[reason].kind);
    vg_json_text(&f.j, "text", why);
    vg_json_count(&f.j, "number", (uint64_t)number);
    vg_json_count(&f.j, "warp", d->warp_index);
    vg_json_count(&f.j, "lane", (uint64_t)d->lane);
    tell(d, &f);
}

void dbg_tell_placed(vg_debug *d, dbg_break *b) {
    fact f;
    if (b->number == 0 || b->num_spots == 0 || b->told == b->spot[0].line ||
        !begin(d, &f, "placed"))
        return;
    b->told = b->spot[0].line;
    vg_json_count(&f.j, "number", (uint64_t)b->number);
    vg_json_count(&f.j, "line", (uint64_t)b->told);
    tell(d, &f);
}

void dbg_tell_gone(vg_debug *d, const dbg_break *b) {
    fact f;
    if (!begin(d, &f, "gone"))
        return;
    vg_json_count(&f.j, "number", (uint64_t)b->number);
    tell(d, &f);
}

bool dbg_holds_at(const vg_debug *d, enum vgpu_found kind) {
    const uint32_t filter = kind == VGPU_FOUND_RACE            ? DBG_RACES
                            : kind == VGPU_FOUND_UNINITIALIZED ? DBG_UNWRITTEN
                                                               : DBG_FAULTS;
    return (d->editor.ignored & filter) == 0;
}

void dbg_tell_found(vg_debug *d, const vg_findings *list, int first) {
    fact f;
    if (!begin(d, &f, "found"))
        return;
    vg_json_array(&f.j, "sites");
    for (int i = first; i < vg_findings_count(list); i++) {
        const vg_finding *found = vg_findings_get(list, i);
        const bool news = !found->said && !dbg_was_told(d, found) && dbg_holds_at(d, found->kind);
        for (int k = 0; k < found->num_sites && news; k++) {
            const vg_site *s = &found->site[k];
            char name[160];
            snprintf(name, sizeof name, "%s: %s by block (%u,%u,%u), thread (%u,%u,%u)",
                     vgpu_found_words(found->kind), s->action != NULL ? s->action : "seen",
                     s->block.x, s->block.y, s->block.z, s->thread.x, s->thread.y, s->thread.z);
            vg_json_object(&f.j, NULL);
            vg_json_text(&f.j, "kind", vgpu_found_name(found->kind));
            vg_json_text(&f.j, "name", s->has_thread ? name : vgpu_found_words(found->kind));
            vg_json_text(&f.j, "path", s->file);
            vg_json_count(&f.j, "line", s->line > 0 ? (uint64_t)s->line : 0);
            vg_json_text(&f.j, "message", found->message);
            vg_json_object_end(&f.j);
        }
    }
    vg_json_array_end(&f.j);
    tell(d, &f);
}

/* ---- breaks that count, and that say something ---- */

bool dbg_count_read(const char *text, dbg_count *to) {
    static const char *const signs[] = {"==", ">=", "<=", ">", "<", "%"};
    const char *at = text + strspn(text, " \t");
    char *end = NULL;
    *to = (dbg_count){"", 0};
    if (*at == '\0')
        return true;
    snprintf(to->sign, sizeof to->sign, "==");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strncmp(at, signs[i], strlen(signs[i])) == 0) {
            snprintf(to->sign, sizeof to->sign, "%s", signs[i]);
            at += strlen(signs[i]);
            break;
        }
    }
    at += strspn(at, " \t");
    if (!isdigit((unsigned char)*at))
        return false;
    to->number = strtoull(at, &end, 10);
    return end[strspn(end, " \t")] == '\0' && (to->sign[0] != '%' || to->number > 0);
}

bool dbg_count_holds(const dbg_count *c, uint64_t hits) {
    switch (c->sign[0]) {
    case '\0': return true;
    case '%': return hits % c->number == 0;
    case '=': return hits == c->number;
    case '>': return c->sign[1] == '=' ? hits >= c->number : hits > c->number;
    default: return c->sign[1] == '=' ? hits <= c->number : hits < c->number;
    }
}

static uint64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* "row {row} is done": what stands in braces is computed. */
static void write_log(vg_debug *d, const char *text) {
    const dbg_env env = dbg_here(d);
    for (const char *at = text; *at != '\0';) {
        const size_t plain = strcspn(at, "{");
        const char *end = strchr(at + plain, '}');
        char expr[DBG_COMMAND], why[DBG_ERROR];
        dbg_value v;
        fwrite(at, 1, end != NULL ? plain : strlen(at), d->out);
        if (end == NULL)
            break;
        at += plain + 1;
        snprintf(expr, sizeof expr, "%.*s", (int)(end - at), at);
        if (dbg_eval(&env, expr, &v, why))
            dbg_write(&env.memory, &v, 0, d->out);
        else
            fprintf(d->out, "<%s>", why);
        at = end + 1;
    }
    fputc('\n', d->out);
}

/* Calls with another thread in focus. Who was in focus stays: a step of that thread may be under
 * way. */
static bool as_thread(vg_debug *d, const dbg_break *b, warp *w, int lane,
                      bool (*call)(vg_debug *d, const dbg_break *b)) {
    warp *const was_warp = d->warp;
    const int was_lane = d->lane;
    const uint64_t was_block = d->block;
    const uint32_t was_index = d->warp_index;
    const vg_stop_at was_at = d->at;
    const bool answer = dbg_focus(d, w, lane) && call(d, b);
    d->warp = was_warp;
    d->lane = was_lane;
    d->block = was_block;
    d->warp_index = was_index;
    d->at = was_at;
    d->num_frames = d->depth = 0; /* looked for anew when it is held */
    return answer;
}

static bool write_log_of(vg_debug *d, const dbg_break *b) {
    write_log(d, b->log);
    return true;
}

static void log_of(vg_debug *d, const dbg_break *b, warp *w, int lane) {
    (void)as_thread(d, b, w, lane, write_log_of);
    const uint64_t now = now_ms();
    if (ftell(d->out) < MOST_LOGGED && now - d->editor.logged_at < LOG_MS)
        return;
    d->editor.logged_at = now;
    dbg_flush(d);
}

/* Who looks back counts nothing, but knows which hit it was; one that nobody counted holds. */
bool dbg_break_stops(vg_debug *d, const dbg_break *b, warp *w, int lane) {
    if (dbg_back_looks(d)) {
        const uint64_t number = dbg_back_hit_number(d, b);
        return b->log[0] == '\0' && (number == 0 || dbg_count_holds(&b->count, number));
    }
    if (!dbg_count_holds(&b->count, b->hits))
        return false;
    if (b->log[0] != '\0')
        log_of(d, b, w, lane);
    return b->log[0] == '\0';
}

static bool condition_holds(vg_debug *d, const dbg_break *b) {
    const dbg_env env = dbg_here(d);
    char why[DBG_ERROR];
    dbg_value v;
    if (dbg_eval(&env, b->condition, &v, why))
        return v.var != NULL || dbg_is_true(&v);
    fprintf(d->out, "Watchpoint %d counts each change: \"%s\" cannot be told: %s.\n", b->number,
            b->condition, why);
    return true;
}

bool dbg_watch_stops(vg_debug *d, dbg_break *b, warp *w, int lane) {
    const uint32_t size = dbg_size_of(&b->type);
    const void *now = vg_generic_at(w, lane, b->at, size);
    const bool counts = b->condition[0] == '\0' || as_thread(d, b, w, lane, condition_holds);
    if (counts)
        dbg_back_hit(d, b);
    if (counts && dbg_break_stops(d, b, w, lane))
        return true;
    if (now != NULL) /* the next change is one from this */
        memcpy(b->old, now, size);
    return false;
}
