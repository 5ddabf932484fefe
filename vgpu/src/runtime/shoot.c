/* shoot.c: see shoot.h. */
#include "vgpu/src/runtime/shoot.h"

#include "vgpu/src/count/install.h"
#include "vgpu/src/film/film.h"
#include "vgpu/src/film/film_page.h"
#include "vgpu/src/memory/settings.h"
#include "vgpu/src/runtime/fatbin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MEMORY = 1 << 28 }; /* bytes of all allocations */
#define NO_BLOCK UINT64_MAX

/* One allocation's bytes, before the launch and after. Pinned memory stays as the launch left it
 * (before is NULL): the host may be waiting for it, or the kernel for the host. */
typedef struct kept {
    uint8_t *host, *before, *after;
    uint64_t size;
} kept;

struct vg_shot {
    kept *list;
    size_t count;
    int first_finding;
};

/* What the process has filmed so far; with the context's lock held. */
static struct {
    uint64_t launches;
    bool filmed, mistake; /* a launch; one that had a mistake */
    bool said;            /* why nothing can be filmed */
} the;

static void say_not(vg_context *ctx, const vg_function *fn, const char *why) {
    if (!the.said)
        vg_tell(ctx,
                VG_NOTE(NOT_FILMED, .name = why, .kernel = vg_kernel_get_info(fn->kernel)->pretty));
    the.said = true;
}

static void free_shot(vg_shot *s) {
    for (size_t i = 0; i < s->count; i++) {
        free(s->list[i].before);
        free(s->list[i].after);
    }
    free(s->list);
    free(s);
}

static bool keep_memory(vg_context *ctx, vg_shot *s) {
    size_t count = 0;
    uint64_t total = 0;
    const vg_alloc *live = vg_mem_live(ctx->mem, &count);
    s->list = calloc(count + 1, sizeof *s->list);
    for (size_t i = 0; s->list != NULL && i < count; i++) {
        const vg_alloc *a = &live[i];
        total += a->size;
        kept *k = &s->list[s->count];
        *k = (kept){.host = a->host, .size = a->size};
        s->count++;
        if (a->kind == VG_MEM_PINNED)
            continue;
        if (total <= MOST_MEMORY)
            k->before = malloc((size_t)a->size + 1);
        if (k->before == NULL)
            return false;
        memcpy(k->before, a->host, (size_t)a->size);
    }
    return s->list != NULL;
}

/* A setting's number; one that is too large for the type is the largest. False: it is none. */
static bool number_of(const char *name, uint64_t fallback, uint64_t *number) {
    const char *text = vg_setting(name);
    *number = fallback;
    if (text == NULL || *text == '\0')
        return true;
    *number = strtoull(text, NULL, 10);
    return text[strspn(text, "0123456789")] == '\0';
}

/* X[,Y[,Z]]: what is left out is 0. False: it is something else. */
static bool read_block(const char *text, uint64_t at[3]) {
    for (int i = 0; i < 3; i++) {
        const size_t digits = strspn(text, "0123456789");
        if (digits == 0)
            return false;
        at[i] = strtoull(text, NULL, 10);
        text += digits;
        if (*text == '\0')
            return true;
        if (*text++ != ',')
            return false;
    }
    return false;
}

static bool is_film_wanted(void) {
    const char *path = vg_setting("VGPU_FILM");
    return path != NULL && *path != '\0';
}

/* A launch that was asked for by its number and never came. */
static void say_launches(void) {
    uint64_t wanted;
    if (number_of("VGPU_FILM_LAUNCH", 0, &wanted) && wanted > the.launches)
        fprintf(stderr,
                "vgpu: no film: launch %.40s is not there: the program launched %" PRIu64
                " kernel%s\n",
                vg_setting("VGPU_FILM_LAUNCH"), the.launches, the.launches == 1 ? "" : "s");
}

vg_shot *vg_shoot_begin(vg_context *ctx, const vg_function *fn) {
    if (!is_film_wanted() || the.mistake)
        return NULL;
    uint64_t wanted;
    if (!number_of("VGPU_FILM_LAUNCH", 0, &wanted)) {
        say_not(ctx, fn, "VGPU_FILM_LAUNCH is not a number: launches count from 1");
        return NULL;
    }
    if (the.launches++ == 0 && wanted != 0)
        atexit(say_launches);
    if (wanted != 0 && wanted != the.launches)
        return NULL;
    if (fn->fatbin->watched.ptx == NULL) {
        say_not(
            ctx, fn,
            vg_fatbin_is_container(fn->fatbin->wrapper)
                ? "nvcc compiled it, and keeps no variables in memory: clang makes kernels that "
                  "can be filmed (vgpucc -g without --front nvcc)"
                : "it was compiled without -g: only kernels compiled with vgpucc -g can be filmed");
        return NULL;
    }
    if (vg_kernel_get_info(fn->kernel)->uses_heap) {
        say_not(ctx, fn, "it calls malloc or free, whose memory cannot be put back");
        return NULL;
    }
    vg_shot *s = calloc(1, sizeof *s);
    if (s == NULL || !keep_memory(ctx, s)) {
        say_not(ctx, fn, "it works on more than 256 MB: take a smaller size");
        if (s != NULL)
            free_shot(s);
        return NULL;
    }
    s->first_finding = vg_findings_count(vg_check_findings(ctx->check));
    return s;
}

/* ---- the watched run ---- */

/* Variables of the module start as those of the graded build did. */
static void copy_variables(vg_context *ctx, const vg_module *from, const vg_module *to,
                           const vg_shot *s) {
    for (int i = 0; i < to->ptx.num_vars; i++) {
        const ptx_var *v = to->ptx.vars[i];
        uint64_t addr = 0, size = 0;
        if (v->address == 0 || !vg_module_symbol(from, v->name, &addr, &size) || size != v->size)
            continue;
        const uint8_t *host = vg_mem_at(ctx->mem, addr, size);
        for (size_t k = 0; k < s->count; k++)
            if (s->list[k].host == host)
                memcpy(vg_mem_at(ctx->mem, v->address, size), s->list[k].before, (size_t)size);
    }
}

static void swap_memory(vg_shot *s, bool to_before) {
    for (size_t i = 0; i < s->count; i++) {
        kept *k = &s->list[i];
        if (to_before)
            memcpy(k->after, k->host, (size_t)k->size);
        if (!to_before || k->before != NULL)
            memcpy(k->host, to_before ? k->before : k->after, (size_t)k->size);
    }
}

static bool make_room(vg_shot *s) {
    for (size_t i = 0; i < s->count; i++) {
        s->list[i].after = malloc((size_t)s->list[i].size + 1);
        if (s->list[i].after == NULL)
            return false;
    }
    return true;
}

/* The block that the launch's first mistake is in; the first block without. One that was asked for
 * and is not there: NO_BLOCK. */
static uint64_t block_of_interest(vg_context *ctx, const vg_shot *s, const vg_launch_params *p,
                                  const vg_fault *fault) {
    const char *text = vg_setting("VGPU_FILM_BLOCK");
    vg_dim3 b = {0, 0, 0};
    if (text != NULL && *text != '\0') {
        uint64_t at[3] = {0, 0, 0};
        if (!read_block(text, at) || at[0] >= p->grid.x || at[1] >= p->grid.y || at[2] >= p->grid.z)
            return NO_BLOCK;
        b = (vg_dim3){(uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]};
    } else if (fault != NULL) {
        b = fault->block;
    } else {
        const vg_findings *all = vg_check_findings(ctx->check);
        for (int i = s->first_finding; i < vg_findings_count(all); i++) {
            const vg_finding *f = vg_findings_get(all, i);
            if (f->num_sites > 0 && f->site[0].has_thread) {
                b = f->site[0].block;
                break;
            }
        }
    }
    return ((uint64_t)b.z * p->grid.y + b.y) * p->grid.x + b.x;
}

static void read_shape(vg_film_choice *choice) {
    const char *text = vg_setting("VGPU_FILM_SHAPE");
    long long m = 0, n = 0, k = 0;
    if (text != NULL && sscanf(text, "%lld,%lld,%lld", &m, &n, &k) == 3 && m > 0 && n > 0 &&
        k > 0) {
        choice->rows_cols[0] = m;
        choice->rows_cols[1] = n;
        choice->rows_cols[2] = k;
    }
}

static bool ends_in(const char *text, const char *end) {
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* The recording, and around it the page. */
static bool write_to(const char *path, vg_film *film, const vg_film_story *story) {
    char *json = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&json, &len);
    bool ok = memory != NULL && vg_film_write(film, story, memory);
    ok = memory != NULL && fclose(memory) == 0 && ok;
    FILE *to = ok ? fopen(path, "we") : NULL;
    ok = to != NULL;
    if (ok && ends_in(path, ".json")) {
        ok = fwrite(json, 1, len, to) == len;
    } else if (ok) {
        int count = 0;
        ok = vg_film_draw(film);
        const vg_film_moment *m = vg_film_moments(film, &count);
        vg_page_moment *moments = calloc((size_t)count + 1, sizeof *moments);
        for (int i = 0; moments != NULL && i < count; i++)
            moments[i] = (vg_page_moment){m[i].title, m[i].text, m[i].pictures};
        ok = ok && moments != NULL && vg_film_page(to, story->title, json, len, moments, count);
        free(moments);
    }
    if (to != NULL && fclose(to) != 0)
        ok = false;
    free(json);
    return ok;
}

typedef struct scene {
    vg_names *names;
    vg_module *module;
    vg_kernel *kernel;
    vg_exec *exec;
    vg_film *film;
} scene;

static void close_scene(vg_context *ctx, scene *s) {
    vg_exec_destroy(s->exec);
    vg_film_destroy(s->film);
    if (s->module != NULL)
        vg_module_unload(s->module, ctx->mem);
    vg_names_free(s->names);
}

/* NULL: it is ready; or why not. */
static const char *open_scene(vg_context *ctx, scene *s, const vg_function *fn,
                              const vg_film_choice *choice, vg_fault *fault) {
    const vg_watched *w = &fn->fatbin->watched;
    s->names = vg_names_read(w->names, w->names_len);
    if (s->names == NULL)
        return "its names cannot be read";
    s->module = vg_module_load(w->ptx, w->ptx_len, ctx->mem, fault);
    s->kernel = s->module != NULL ? vg_module_kernel(s->module, fn->name) : NULL;
    if (s->kernel == NULL || !vg_kernel_prepare(s->kernel, true, fault))
        return fault->text[0] != '\0' ? fault->text : "its watched build has no such kernel";
    s->exec = vg_exec_create(1);
    s->film = vg_film_create(s->names, choice);
    return s->exec != NULL && s->film != NULL && vg_film_observe(s->film, s->exec)
               ? NULL
               : "out of memory";
}

/* Runs the watched kernel on the memory that the graded one found; NULL, or why not. */
static const char *run_scene(vg_context *ctx, scene *s, vg_shot *shot, const vg_function *fn,
                             const vg_launch_params *params, const vg_film_choice *choice,
                             enum vg_status *status, vg_fault *watched) {
    const char *why = open_scene(ctx, s, fn, choice, watched);
    if (why != NULL)
        return why;
    vg_launch_params p = *params;
    p.blocks = choice->block + 1;
    p.silent = true; /* it has been printed */
    swap_memory(shot, true);
    copy_variables(ctx, fn->fatbin->module, s->module, shot);
    *status = vg_launch(s->exec, s->kernel, &p, watched);
    swap_memory(shot, false);
    return NULL;
}

/* The warp of the launch's first mistake in the filmed block; the first warp without. */
static int warp_of_interest(vg_context *ctx, const vg_shot *s, const vg_launch_params *p,
                            const vg_fault *fault) {
    vg_dim3 t = {0, 0, 0};
    const vg_findings *all = vg_check_findings(ctx->check);
    if (fault != NULL)
        t = fault->thread;
    else if (vg_findings_count(all) > s->first_finding &&
             vg_findings_get(all, s->first_finding)->site[0].has_thread)
        t = vg_findings_get(all, s->first_finding)->site[0].thread;
    return (int)(((t.z * p->block.y + t.y) * p->block.x + t.x) / 32);
}

/* Is what was asked for there? Then the warp is chosen. NULL, or what is wrong, in the buffer. */
static const char *choice_refused(vg_film_choice *choice, const vg_launch_params *p, char *buffer,
                                  size_t room) {
    const uint64_t threads = (uint64_t)p->block.x * p->block.y * p->block.z,
                   warps = (threads + VG_LANES - 1) / VG_LANES;
    uint64_t warp;
    const bool is_number = number_of("VGPU_FILM_WARP", UINT64_MAX, &warp);
    const char *text = vg_setting("VGPU_FILM_WARP");
    const bool all = text == NULL || *text == '\0';
    choice->warp = all || warp >= warps ? -1 : (int)warp;
    if (choice->block == NO_BLOCK)
        snprintf(buffer, room,
                 "block %.40s is not there: the grid has %u x %u x %u blocks, from 0,0,0",
                 vg_setting("VGPU_FILM_BLOCK"), p->grid.x, p->grid.y, p->grid.z);
    else if (!all && (!is_number || warp >= warps))
        snprintf(buffer, room, "warp %.40s is not there: a block has warps 0 to %" PRIu64, text,
                 warps - 1);
    else
        return NULL;
    return buffer;
}

static void shoot(vg_context *ctx, vg_shot *shot, vg_function *fn, const vg_launch_params *params,
                  const vg_fault *fault) {
    const char *path = vg_setting("VGPU_FILM");
    vg_film_choice choice = {.warp = -1};
    choice.block = block_of_interest(ctx, shot, params, fault);
    read_shape(&choice);
    vg_fault watched = {0};
    scene s = {0};
    char refused[160];
    const char *why = choice_refused(&choice, params, refused, sizeof refused);
    if (why == NULL && !make_room(shot))
        why = "out of memory";
    enum vg_status status = VG_OK;
    if (why == NULL)
        why = run_scene(ctx, &s, shot, fn, params, &choice, &status, &watched);
    if (why == NULL && choice.warp < 0 && vg_film_left_out(s.film) > 0) {
        /* More than can be followed: one warp from its start to its end tells more. */
        close_scene(ctx, &s);
        s = (scene){0};
        choice.warp = warp_of_interest(ctx, shot, params, fault);
        why = run_scene(ctx, &s, shot, fn, params, &choice, &status, &watched);
    }
    if (why == NULL) {
        const char *title = vg_setting("VGPU_FILM_TITLE");
        const vg_film_story story = {
            .title = title != NULL ? title : vg_kernel_get_info(fn->kernel)->pretty,
            .counted = vg_count_last(),
            .findings = vg_check_findings(ctx->check),
            .first_finding = shot->first_finding,
            .fault = status != VG_OK ? &watched : NULL};
        if (vg_film_steps(s.film) == 0)
            why = "the block has no lines of the program's own";
        else if (!write_to(path, s.film, &story))
            why = errno != 0 ? strerror(errno) : "the file cannot be written";
    }
    if (why != NULL)
        say_not(ctx, fn, why);
    else
        vg_tell(ctx,
                VG_NOTE(FILMED, .kernel = vg_kernel_get_info(fn->kernel)->pretty, .name = path));
    the.filmed = the.filmed || why == NULL;
    close_scene(ctx, &s);
}

void vg_shoot_end(vg_context *ctx, vg_shot *shot, vg_function *fn, const vg_launch_params *params,
                  const vg_fault *fault) {
    if (shot == NULL)
        return;
    const bool mistake =
        fault != NULL || vg_findings_count(vg_check_findings(ctx->check)) > shot->first_finding;
    if (!the.filmed || mistake) {
        the.mistake = mistake;
        shoot(ctx, shot, fn, params, fault);
    }
    free_shot(shot);
}
