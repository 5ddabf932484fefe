/*
 * breaks_typed.c: what a person types about breakpoints and watched places: makes them, lists them,
 * changes them, and writes down those that outlive a program. What they do is in breaks.c.
 */
#include "vgpu/src/debug/parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- places in the source ---- */

/* The source that a person means by a path or its end; NULL file: the first of the modules. */
static const vg_source *source_named(const vg_debug *d, const char *name) {
    for (int m = 0; m < d->num_modules; m++) {
        for (int i = 0; i < d->module[m]->num_sources; i++) {
            const vg_source *s = &d->module[m]->sources[i];
            const size_t n = strlen(s->path), k = name != NULL ? strlen(name) : 0;
            if (name == NULL || (n >= k && strcmp(s->path + n - k, name) == 0 &&
                                 (n == k || s->path[n - k - 1] == '/')))
                return s;
        }
    }
    return NULL;
}

static int lines_of(const vg_source *s) {
    int n = 0;
    for (size_t i = 0; i < s->len; i++)
        n += s->text[i] == '\n';
    return n + (s->len > 0 && s->text[s->len - 1] != '\n');
}

static bool is_function(const vg_debug *d, const char *name) {
    for (int m = 0; m < d->num_modules; m++)
        for (int i = 1; i < d->module[m]->num_funcs; i++)
            if (vg_name_fits(d->module[m]->funcs[i].name, name, "") != 0)
                return true;
    return false;
}

/* What the person calls a place, into the break. False, and said. */
static bool read_where(vg_debug *d, const char *where, dbg_break *b) {
    char file[DBG_COMMAND];
    const char *colon = strrchr(where, ':');
    const bool lone = where[0] != '\0' && where[strspn(where, "0123456789")] == '\0';
    snprintf(b->where, sizeof b->where, "%s", where);
    if (!lone && (colon == NULL || colon[1] == '\0' ||
                  strspn(colon + 1, "0123456789") != strlen(colon + 1))) {
        if (!is_function(d, where))
            dbg_wrong(d,
                      "expected FILE:LINE, LINE or a function of the program's device code, "
                      "found \"%s\"",
                      where);
        return is_function(d, where);
    }
    snprintf(file, sizeof file, "%.*s", lone ? 0 : (int)(colon - where), where);
    const vg_source *here = d->num_frames > 0 ? dbg_source(d, d->frame[d->selected].file) : NULL;
    const vg_source *s = lone && here != NULL ? here : source_named(d, lone ? NULL : file);
    b->line = atoi(lone ? where : colon + 1);
    if (s == NULL) {
        if (lone)
            dbg_wrong(d, "the program has no names of its kernels: vgpucc -g compiles them in");
        else
            dbg_wrong(d, "no kernel comes from a file \"%s\"", file);
        return false;
    }
    if (b->line < 1 || b->line > lines_of(s)) {
        dbg_wrong(d, "%s has the lines 1 to %d", dbg_base(s->path), lines_of(s));
        return false;
    }
    b->path = s->path;
    snprintf(b->where, sizeof b->where, "%.*s:%d", DBG_COMMAND - 16, dbg_base(s->path), b->line);
    return true;
}

/* ---- commands ---- */

static dbg_break *new_break(vg_debug *d) {
    for (int i = 0; i < DBG_BREAKS; i++)
        if (d->list[i].number == 0)
            return &d->list[i];
    dbg_wrong(d, "there are %d breakpoints, and no more can be: delete some", DBG_BREAKS);
    return NULL;
}

/* "WHERE if CONDITION": cuts the text in two at the first word that is "if". */
static const char *cut_condition(char *text) {
    const char *condition = "";
    for (char *at = text + strspn(text, " \t"); *at != '\0';) {
        const size_t word = strcspn(at, " \t(");
        if (word == 2 && strncmp(at, "if", word) == 0) {
            condition = at + word + strspn(at + word, " \t");
            *at = '\0';
            break;
        }
        at += word + (at[word] != '\0');
    }
    for (size_t n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]); n--)
        text[n - 1] = '\0';
    return condition;
}

dbg_break *dbg_make_break(vg_debug *d, const char *where, const dbg_break *like) {
    dbg_break b = *like, *to = new_break(d);
    if (to == NULL || (where != NULL && !read_where(d, where, &b)))
        return NULL;
    b.number = ++d->last_number;
    if (d->launch != NULL)
        dbg_find_spots_of(d, d->launch, &b);
    *to = b;
    return to;
}

void dbg_do_break(vg_debug *d, const char *args, bool once) {
    char where[DBG_COMMAND], condition[DBG_COMMAND];
    snprintf(where, sizeof where, "%s", args);
    snprintf(condition, sizeof condition, "%s", cut_condition(where));
    dbg_break like = {.enabled = true, .once = once};
    if (where[0] == '\0' && d->num_frames > 0)
        snprintf(where, sizeof where, "%d", d->frame[d->selected].line);
    dbg_set_condition(&like, condition);
    const dbg_break *b = dbg_make_break(d, where, &like);
    if (b == NULL)
        return;
    fprintf(d->out, "Breakpoint %d at %s", b->number, b->where);
    if (b->num_spots > 0 && b->path != NULL && b->spot[0].line != b->line)
        fprintf(d->out, ", which means line %d", b->spot[0].line);
    fputs(".\n", d->out);
    dbg_tell_kept(d);
}

const char dbg_no_watch_of_bits[] =
    "a bit field shares its bytes with its neighbours, and cannot be watched: a breakpoint with a "
    "condition on it holds";

void dbg_do_watch(vg_debug *d, const char *args) {
    const dbg_env env = dbg_here(d);
    char why[DBG_ERROR];
    dbg_value v;
    if (d->warp == NULL) {
        dbg_wrong(d, "no kernel runs: watch something when one is held");
        return;
    }
    if (!dbg_eval(&env, args, &v, why)) {
        dbg_wrong(d, "%s", why);
        return;
    }
    if (!v.placed || v.var != NULL) {
        dbg_wrong(d, "expected one number in memory, as in watch As[3][4]");
        return;
    }
    if (v.bits != 0) {
        dbg_wrong(d, "%s", dbg_no_watch_of_bits);
        return;
    }
    dbg_break like = {.enabled = true,
                      .watches = true,
                      .type = v.type,
                      .at = v.at,
                      .block = d->block,
                      .warp = d->warp_index,
                      .lane = d->lane};
    snprintf(like.where, sizeof like.where, "%s", args);
    dbg_to_bytes(&v, like.old);
    const dbg_break *b = dbg_make_break(d, NULL, &like);
    if (b != NULL)
        fprintf(d->out, "Watchpoint %d: %s\n", b->number, args);
}

static dbg_break *numbered(vg_debug *d, const char *text) {
    const int number = atoi(text);
    for (int i = 0; i < DBG_BREAKS; i++)
        if (number > 0 && d->list[i].number == number)
            return &d->list[i];
    dbg_wrong(d, "there is no breakpoint \"%s\": info breakpoints lists them", text);
    return NULL;
}

void dbg_do_delete(vg_debug *d, const char *args) {
    if (args[0] == '\0') {
        memset(d->list, 0, sizeof d->list);
    } else {
        dbg_break *b = numbered(d, args);
        if (b != NULL)
            *b = (dbg_break){0};
    }
    dbg_tell_kept(d);
}

void dbg_do_enable(vg_debug *d, const char *args, bool enabled) {
    for (int i = 0; i < DBG_BREAKS && args[0] == '\0'; i++)
        d->list[i].enabled = enabled;
    dbg_break *b = args[0] != '\0' ? numbered(d, args) : NULL;
    if (b != NULL)
        b->enabled = enabled;
    dbg_tell_kept(d);
}

void dbg_do_condition(vg_debug *d, const char *args) {
    dbg_break *b = numbered(d, args);
    if (b == NULL)
        return;
    const char *text = args + strspn(args, "0123456789");
    dbg_set_condition(b, text + strspn(text, " \t"));
    if (d->launch != NULL)
        dbg_find_spots_of(d, d->launch, b);
    dbg_tell_kept(d);
}

void dbg_info_breaks(vg_debug *d) {
    int count = 0;
    for (int i = 0; i < DBG_BREAKS; i++) {
        const dbg_break *b = &d->list[i];
        if (b->number == 0)
            continue;
        if (count++ == 0)
            fputs("Num  Kind        On   Hits  Where\n", d->out);
        fprintf(d->out, "%-4d %-11s %-4s %-5" PRIu64 " %s%s%s\n", b->number,
                b->watches ? "watchpoint"
                : b->once  ? "once"
                           : "breakpoint",
                b->enabled ? "yes" : "no", b->hits, b->where, b->condition[0] != '\0' ? " if " : "",
                b->condition);
    }
    if (count == 0)
        fputs("There are no breakpoints.\n", d->out);
}

void dbg_write_kept(const vg_debug *d, FILE *to) {
    for (int i = 0; i < DBG_BREAKS; i++) {
        const dbg_break *b = &d->list[i];
        if (b->number == 0 || b->watches)
            continue;
        fprintf(to, "#last %d\n%s %s%s%s\n", b->number - 1, b->once ? "tbreak" : "break", b->where,
                b->condition[0] != '\0' ? " if " : "", b->condition);
        if (!b->enabled)
            fprintf(to, "disable %d\n", b->number);
    }
    fprintf(to, "#last %d\n", d->last_number);
    dbg_write_catches(d, to);
    for (int i = 0; i < DBG_DISPLAYS; i++)
        if (d->display[i] != NULL)
            fprintf(to, "display %s\n", d->display[i]);
}
