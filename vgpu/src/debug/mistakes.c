/*
 * mistakes.c: what the checkers find: a race's second access and a read of what nobody has written
 * hold the thread that is about to make them; what only the kernel's end shows is told there.
 */
#include "vgpu/src/debug/back.h"
#include "vgpu/src/debug/parts.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *name;
    enum dbg_catch what;
} kinds[] = {
    {"race", DBG_CATCH_RACE}, {"uninitialised", DBG_CATCH_UNSET}, {"wrong", DBG_CATCH_WRONG}};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- which are told already ---- */

static bool same_place(const vg_site *a, const vg_site *b) {
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* One mistake is told once, whichever thread or launch makes it again. */
static bool same_mistake(const vg_finding *a, const vg_finding *b) {
    if (a->kind != b->kind || a->num_sites != b->num_sites || strcmp(a->kernel, b->kernel) != 0 ||
        strcmp(a->object, b->object) != 0)
        return false;
    if (a->num_sites < 2)
        return a->num_sites == 0 || same_place(&a->site[0], &b->site[0]);
    return (same_place(&a->site[0], &b->site[0]) && same_place(&a->site[1], &b->site[1])) ||
           (same_place(&a->site[0], &b->site[1]) && same_place(&a->site[1], &b->site[0]));
}

bool dbg_was_told(const vg_debug *d, const vg_finding *f) {
    for (int i = 0; i < d->num_told; i++)
        if (same_mistake(d->told[i], f))
            return true;
    return false;
}

/* False: out of memory, or told. */
static bool remember(vg_debug *d, const vg_finding *f) {
    vg_finding *kept = d->num_told < DBG_TOLD && !dbg_was_told(d, f) ? malloc(sizeof *kept) : NULL;
    if (kept == NULL)
        return false;
    *kept = *f;
    d->told[d->num_told++] = kept;
    return true;
}

/* ---- in words ---- */

/* The breakpoint that leads to a site; sides of length 1 tell nothing. */
static void write_way(const vg_debug *d, const vg_site *s, FILE *to) {
    const struct {
        const char *name;
        uint32_t at, side;
    } all[] = {{"threadIdx.x", s->thread.x, d->block_side.x},
               {"threadIdx.y", s->thread.y, d->block_side.y},
               {"threadIdx.z", s->thread.z, d->block_side.z},
               {"blockIdx.x", s->block.x, d->grid_side.x},
               {"blockIdx.y", s->block.y, d->grid_side.y},
               {"blockIdx.z", s->block.z, d->grid_side.z}};
    const char *parting = "if";
    fprintf(to, "    break %s:%d", dbg_base(s->file), s->line);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].side > 1) {
            fprintf(to, " %s %s == %u", parting, all[i].name, all[i].at);
            parting = "&&";
        }
    }
    fputc('\n', to);
}

/* Both sides, each with the breakpoint that leads there when the program runs anew. */
static void say_finding(vg_debug *d, const vg_finding *f) {
    fprintf(d->out, "%s%s%s\n", vgpu_found_words(f->kind), f->object[0] != '\0' ? ": " : "",
            f->object);
    for (int i = 0; i < f->num_sites; i++) {
        const vg_site *s = &f->site[i];
        fprintf(d->out, "  %s at %s:%d", s->action != NULL ? s->action : "seen", s->file, s->line);
        if (s->has_thread)
            fprintf(d->out, " by block (%u,%u,%u), thread (%u,%u,%u)", s->block.x, s->block.y,
                    s->block.z, s->thread.x, s->thread.y, s->thread.z);
        fputc('\n', d->out);
        if (s->has_thread && s->line != 0)
            write_way(d, s, d->out);
    }
}

void vg_debug_findings(vg_debug *d, const vg_findings *list, int first) {
    int count = 0;
    for (int i = first; i < vg_findings_count(list) && dbg_is_owner(d); i++) {
        const vg_finding *f = vg_findings_get(list, i);
        if (f->said || dbg_was_told(d, f) ||
            !dbg_holds_at(d, f->kind)) /* what stopped the kernel has been seen */
            continue;
        if (count++ == 0)
            fputs("The kernel has ended. Found in it:\n", d->out);
        say_finding(d, f);
    }
    if (count > 0) {
        dbg_tell_found(d, list, first);
        dbg_listen(d);
    }
    dbg_back_end(d);
}

/* ---- while the kernel runs ---- */

/* An access that is not carried out yet will be a mistake: the thread is held when all checkers
 * have seen the access. */
void dbg_notice(void *self, const vg_finding *f, int now) {
    vg_debug *d = self;
    const enum dbg_catch what = f->kind == VGPU_FOUND_RACE ? DBG_CATCH_RACE : DBG_CATCH_UNSET;
    if (!dbg_is_owner(d) || d->names == NULL || (d->catches & what) == 0 ||
        d->num_noticed == DBG_NOTICED || !remember(d, f))
        return;
    d->noticed[d->num_noticed] = d->told[d->num_told - 1];
    d->noticed_site[d->num_noticed++] = now;
}

static char *words_of(const vg_debug *d, const vg_finding *f, int now) {
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);
    if (to == NULL)
        return NULL;
    fprintf(to, "%s\nHeld before it is %s.", f->message, f->site[now].action);
    if (f->num_sites == 2 && f->site[1 - now].line != 0) {
        fputs(" To the other side, from the start:\n", to);
        write_way(d, &f->site[1 - now], to);
    }
    if (fclose(to) != 0)
        return NULL;
    if (len > 0 && text[len - 1] == '\n')
        text[len - 1] = '\0';
    return text;
}

void dbg_hold_noticed(vg_debug *d, const vg_access *a) {
    const int count = dbg_back_follows(d) ? 0 : d->num_noticed;
    d->num_noticed = 0;
    for (int i = 0; i < count; i++) {
        const vg_finding *f = d->noticed[i];
        const vg_dim3 t = f->site[d->noticed_site[i]].thread;
        const uint32_t n = (t.z * d->block_side.y + t.y) * d->block_side.x + t.x;
        if (n / VG_LANES != a->warp->index || !dbg_focus(d, a->warp, (int)(n % VG_LANES)))
            continue;
        char *text = words_of(d, f, d->noticed_site[i]);
        d->editor.why = f->kind == VGPU_FOUND_RACE ? DBG_BY_RACE : DBG_BY_UNWRITTEN;
        if (d->editor.on && !dbg_back_is_away(d))
            fprintf(d->out, "%s\n", text != NULL ? text : f->message);
        dbg_hold(d, text != NULL ? text : f->message);
        free(text);
    }
}

/* ---- catch ---- */

void dbg_write_catches(const vg_debug *d, FILE *to) {
    fputs("catch", to);
    for (int i = 0; i < KINDS; i++)
        if ((d->catches & kinds[i].what) != 0)
            fprintf(to, " %s", kinds[i].name);
    fputs(d->catches == 0 ? " none\n" : "\n", to);
}

static void say_catches(vg_debug *d) {
    for (int i = 0; i < KINDS; i++)
        fprintf(d->out, "%-14s %s\n", kinds[i].name,
                (d->catches & kinds[i].what) != 0 ? "holds its thread" : "holds nobody");
}

/* The kinds that the words name; false: one of them names none. */
static bool read_kinds(const char *args, unsigned *to) {
    *to = 0;
    for (const char *at = args; *at != '\0'; at += strspn(at, " \t,")) {
        const size_t n = strcspn(at, " \t,");
        int k = 0;
        while (k < KINDS && strncmp(kinds[k].name, at, n) != 0)
            k++;
        if (k < KINDS)
            *to |= kinds[k].what;
        else if (n == 3 && strncmp(at, "all", n) == 0)
            *to = DBG_CATCH_ALL;
        else if (n != 4 || strncmp(at, "none", n) != 0)
            return false;
        at += n;
    }
    return true;
}

const char *dbg_catch_name(size_t number) {
    return number < KINDS        ? kinds[number].name
           : number == KINDS     ? "all"
           : number == KINDS + 1 ? "none"
                                 : NULL;
}

void dbg_do_catch(vg_debug *d, const char *args) {
    unsigned wanted = d->catches;
    if (args[0] != '\0' && !read_kinds(args, &wanted)) {
        dbg_wrong(d, "expected some of race, uninitialised, wrong; or all; or none; found \"%s\"",
                  args);
        return;
    }
    d->catches = wanted;
    say_catches(d);
    if (args[0] != '\0')
        dbg_tell_kept(d);
}
