/*
 * film.c: writes a film as JSON. docs/film-format.md says what each member is; rows of 32 lanes are
 * written as short as they can be:
 *
 *     7                   all lanes 7
 *     [0, 4]              lane i has 0 + 4 i
 *     [0, 4, 128, 16]     0 + 4 (i mod 16) + 128 (i div 16)
 *     "base64"            32 words of 4 bytes, the lowest byte first
 *     [[…]]               places that are nothing of these: 32 numbers
 *
 * Lanes that had no part in it may be given any value.
 */
#include "vgpu/src/count/json_out.h"
#include "vgpu/src/film/film_page.h"
#include "vgpu/src/film/film_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

static int next_lane(uint32_t mask, int lane) {
    const uint32_t rest = lane >= 31 ? 0 : mask & ~((2u << lane) - 1);
    return rest != 0 ? __builtin_ctz(rest) : -1;
}

void film_write_words(FILE *to, const uint32_t *v, uint32_t mask) {
    const int first = __builtin_ctz(mask), second = next_lane(mask, first);
    const int32_t step = second < 0 ? 0 : (int32_t)(v[second] - v[first]) / (second - first);
    const uint32_t base = v[first] - (uint32_t)first * (uint32_t)step;
    bool fits = true;
    for (uint32_t m = mask; m != 0 && fits; m &= m - 1)
        fits = v[__builtin_ctz(m)] == base + (uint32_t)__builtin_ctz(m) * (uint32_t)step;
    if (fits && step == 0) {
        fprintf(to, "%" PRIu32, base);
    } else if (fits) {
        fprintf(to, "[%" PRIu32 ",%" PRId32 "]", base, step);
    } else {
        uint8_t bytes[4 * VG_LANES] = {0};
        for (int i = 0; i < VG_LANES; i++)
            for (int k = 0; k < 4; k++)
                bytes[4 * i + k] = (uint8_t)((mask >> i & 1) != 0 ? v[i] >> (8 * k) : 0);
        vg_film_base64(to, bytes, sizeof bytes);
    }
}

/* at[i] == a + b * (i % w) + c * (i / w) for all lanes of the mask? */
static bool fits_tile(const int64_t *at, uint32_t mask, int w, int64_t *a, int64_t *b, int64_t *c) {
    if (mask != VG_ALL_LANES)
        return false;
    *a = at[0];
    *b = at[1] - at[0];
    *c = w < VG_LANES ? at[w] - at[0] : 0;
    for (int i = 0; i < VG_LANES; i++)
        if (at[i] != *a + *b * (i % w) + *c * (i / w))
            return false;
    return true;
}

static void write_places(FILE *to, const int64_t *at, uint32_t mask) {
    const int first = __builtin_ctz(mask), second = next_lane(mask, first);
    const int64_t step = second < 0 ? 0 : (at[second] - at[first]) / (second - first);
    const int64_t base = at[first] - first * step;
    bool fits = true;
    for (uint32_t m = mask; m != 0 && fits; m &= m - 1)
        fits = at[__builtin_ctz(m)] == base + __builtin_ctz(m) * step;
    if (fits && step == 0) {
        fprintf(to, "%" PRId64, base);
        return;
    }
    if (fits) {
        fprintf(to, "[%" PRId64 ",%" PRId64 "]", base, step);
        return;
    }
    int64_t a, b, c;
    for (int w = VG_LANES / 2; w >= 2; w /= 2) {
        if (fits_tile(at, mask, w, &a, &b, &c)) {
            fprintf(to, "[%" PRId64 ",%" PRId64 ",%" PRId64 ",%d]", a, b, c, w);
            return;
        }
    }
    fputs("[[", to);
    for (int i = 0; i < VG_LANES; i++)
        fprintf(to, "%s%" PRId64, i == 0 ? "" : ",", (mask >> i & 1) != 0 ? at[i] : at[first]);
    fputs("]]", to);
}

/* ---- members ---- */

static void write_sides(vg_json *j, const char *name, vg_dim3 d) {
    vg_json_raw(j, name);
    fprintf(j->to, "[%u,%u,%u]", d.x, d.y, d.z);
}

/* The name of a path behind its last slash. */
static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void write_sources(vg_json *j, const vg_film *f) {
    vg_json_array(j, "sources");
    for (int i = 0; i < f->names->num_sources; i++) {
        const vg_source *s = &f->names->sources[i];
        char *text = strndup(s->text, s->len);
        vg_json_object(j, NULL);
        vg_json_count(j, "file", (uint64_t)s->file);
        vg_json_text(j, "name", base_name(s->path));
        vg_json_text(j, "text", text);
        vg_json_object_end(j);
        free(text);
    }
    vg_json_array_end(j);
}

static void write_functions(vg_json *j, const vg_film *f) {
    vg_json_array(j, "functions");
    for (int i = 0; i < f->names->num_funcs; i++) {
        const vg_named_func *n = &f->names->funcs[i];
        vg_json_inline(j);
        vg_json_object(j, NULL);
        vg_json_text(j, "name", n->name);
        vg_json_count(j, "line", (uint64_t)n->line);
        vg_json_object_end(j);
    }
    vg_json_array_end(j);
}

static void write_parts(vg_json *j, const film_memory *m) {
    vg_json_count(j, "record", m->record);
    vg_json_array(j, "parts");
    for (int i = 0; i < m->num_parts; i++) {
        const film_part *p = &m->parts[i];
        vg_json_array(j, NULL);
        vg_json_text(j, NULL, p->path);
        vg_json_text(j, NULL, vg_encoding_name(p->encoding));
        vg_json_count(j, NULL, p->size);
        vg_json_count(j, NULL, p->offset);
        vg_json_array_end(j);
    }
    vg_json_array_end(j);
}

static void write_list(vg_json *j, const char *name, const uint32_t *number, int count) {
    vg_json_array(j, name);
    for (int i = 0; i < count; i++)
        vg_json_count(j, NULL, number[i]);
    vg_json_array_end(j);
}

static void write_memories(vg_json *j, const vg_film *f) {
    vg_json_array(j, "memories");
    for (int i = 0; i < f->memories.count; i++) {
        const film_memory *m = FILM_AT(f->memories, film_memory, i);
        vg_json_inline(j);
        vg_json_object(j, NULL);
        vg_json_text(j, "name", m->name);
        vg_json_bool(j, "shared", m->shared);
        vg_json_count(j, "bytes", m->size);
        vg_json_text(j, "encoding",
                     m->known == FILM_UNKNOWN ? "bits" : vg_encoding_name(m->encoding));
        vg_json_count(j, "element", m->element);
        if (m->record != 0)
            write_parts(j, m);
        if (m->num_sides > 0)
            write_list(j, "sides", m->sides, m->num_sides);
        vg_json_count(j, "rows", m->rows);
        vg_json_count(j, "columns", m->columns);
        vg_json_count(j, "pitch", m->pitch);
        vg_json_raw(j, "before");
        if (m->before != NULL)
            vg_film_base64(j->to, m->before, m->size);
        else
            fputs("null", j->to);
        vg_json_object_end(j);
    }
    vg_json_array_end(j);
}

static void write_leaves(vg_json *j, const vg_named_var *v) {
    vg_json_array(j, "leaves");
    for (int k = 0; k < v->num_leaves; k++) {
        const vg_leaf *l = &v->leaves[k];
        if (l->bits != 0) /* the page knows whole bytes only */
            continue;
        vg_json_array(j, NULL);
        vg_json_text(j, NULL, l->path);
        vg_json_text(j, NULL, vg_encoding_name(l->encoding));
        vg_json_count(j, NULL, l->size);
        vg_json_count(j, NULL, l->offset);
        for (int d = 0; d < l->dims; d++) {
            vg_json_count(j, NULL, l->side[d]);
            vg_json_count(j, NULL, l->stride[d]);
        }
        vg_json_array_end(j);
    }
    vg_json_array_end(j);
}

static void write_variables(vg_json *j, const vg_film *f) {
    static const char *const spaces[] = {
        [PS_LOCAL] = "local", [PS_SHARED] = "shared", [PS_GLOBAL] = "global"};
    vg_json_array(j, "variables");
    for (int i = 0; i < f->vars.count; i++) {
        const film_var *v = FILM_AT(f->vars, film_var, i);
        vg_json_inline(j);
        vg_json_object(j, NULL);
        vg_json_text(j, "name", v->named->name);
        vg_json_text(j, "type", v->named->type);
        vg_json_text(j, "space", v->too_large ? "none" : spaces[v->place.space]);
        vg_json_count(j, "at", v->place.at);
        vg_json_count(j, "bytes", v->named->size);
        vg_json_count(j, "line", (uint64_t)v->named->line);
        vg_json_bool(j, "parameter", v->named->parameter);
        write_leaves(j, v->named);
        vg_json_object_end(j);
    }
    vg_json_array_end(j);
}

static void write_frames(vg_json *j, const vg_film *f) {
    vg_json_raw(j, "frames");
    fputc('[', j->to);
    for (int i = 0; i < f->frames.count; i++) {
        const film_frame *r = FILM_AT(f->frames, film_frame, i);
        fprintf(j->to, "%s\n[%d,%d,%d,[", i == 0 ? "" : ",", r->func, r->up, r->upline);
        for (int k = 0; k < r->num_vars; k++)
            fprintf(j->to, "%s%d", k == 0 ? "" : ",", r->vars[k]);
        fputs("]]", j->to);
    }
    fputs("\n]", j->to);
}

static void write_steps(vg_json *j, const vg_film *f) {
    vg_json_raw(j, "steps");
    fputc('[', j->to);
    for (int i = 0; i < f->steps.count; i++) {
        const film_step *s = FILM_AT(f->steps, film_step, i);
        fprintf(j->to, "%s\n[%d,%d,%d,%u,%d,%d]", i == 0 ? "" : ",", s->warp, s->file, s->line,
                s->mask, s->frame, s->say);
    }
    fputs("\n]", j->to);
}

static void write_accesses(vg_json *j, const vg_film *f) {
    vg_json_raw(j, "accesses");
    fputc('[', j->to);
    for (int i = 0; i < f->accesses.count; i++) {
        const film_access *a = FILM_AT(f->accesses, film_access, i);
        fprintf(j->to, "%s\n[%d,%d,%d,%u,%u,", i == 0 ? "" : ",", a->step, (int)a->kind, a->memory,
                a->size, a->mask);
        write_places(j->to, a->at, a->mask);
        fprintf(j->to, ",%u,%u", a->units, a->conflicts);
        for (uint32_t k = 0; a->has_values && k < 4 && 4 * k < a->size; k++) {
            fputc(',', j->to);
            film_write_words(j->to, a->value[k], a->mask);
        }
        fputc(']', j->to);
    }
    fputs("\n]", j->to);
}

static void write_pauses(vg_json *j, const vg_film *f) {
    static const char *const why[] = {[VG_PAUSE_BARRIER] = "barrier",
                                      [VG_PAUSE_WARP] = "warp",
                                      [VG_PAUSE_PART] = "part",
                                      [VG_PAUSE_END] = "end",
                                      [VG_PAUSE_FAULT] = "fault"};
    vg_json_raw(j, "pauses");
    fputc('[', j->to);
    for (int i = 0; i < f->pauses.count; i++) {
        const film_pause *p = FILM_AT(f->pauses, film_pause, i);
        fprintf(j->to, "%s\n[%d,%d,%u,\"%s\"]", i == 0 ? "" : ",", p->step, p->warp, p->mask,
                why[p->why]);
    }
    fputs("\n]", j->to);
}

static void write_locals(vg_json *j, const vg_film *f) {
    vg_json_raw(j, "locals");
    fputc('[', j->to);
    for (int i = 0; i < f->deltas.count; i++) {
        const film_delta *d = FILM_AT(f->deltas, film_delta, i);
        fprintf(j->to, "%s\n[%d,%d,%d,", i == 0 ? "" : ",", d->step, d->warp, d->word);
        film_write_words(j->to, d->value, f->alive[d->warp]);
        fputc(']', j->to);
    }
    fputs("\n]", j->to);
}

/* ---- what the graded build's run told ---- */

static void write_counts(vg_json *j, const char *name, const vg_counts *c) {
    vg_json_inline(j);
    vg_json_object(j, name);
    for (int i = 0; i < VGC_COUNT; i++)
        if (c->v[i] != 0)
            vg_json_count(j, vg_counter_name((enum vg_counter)i), c->v[i]);
    vg_json_object_end(j);
}

static void write_counted(vg_json *j, const vg_launch_record *r) {
    if (r == NULL) {
        vg_json_text(j, "counted", NULL);
        return;
    }
    vg_json_object(j, "counted");
    write_counts(j, "totals", &r->counts);
    vg_json_array(j, "lines");
    for (int i = 0; i < r->num_lines; i++) {
        vg_json_object(j, NULL);
        vg_json_text(j, "file", base_name(r->lines[i].file));
        vg_json_count(j, "line", (uint64_t)r->lines[i].line);
        write_counts(j, "counts", &r->lines[i].counts);
        vg_json_object_end(j);
    }
    vg_json_array_end(j);
    vg_json_object_end(j);
}

static void write_site(vg_json *j, const vg_site *s, int step) {
    vg_json_object(j, NULL);
    vg_json_text(j, "file", base_name(s->file));
    vg_json_count(j, "line", (uint64_t)(s->line > 0 ? s->line : 0));
    vg_json_text(j, "action", s->action);
    if (s->has_thread) {
        write_sides(j, "block", s->block);
        write_sides(j, "thread", s->thread);
    }
    vg_json_raw(j, "step");
    fprintf(j->to, "%d", step);
    vg_json_object_end(j);
}

static void write_mistakes(vg_json *j, const vg_film *f, const vg_film_story *story) {
    vg_json_array(j, "mistakes");
    const int count = story->findings != NULL ? vg_findings_count(story->findings) : 0;
    for (int i = story->first_finding; i < count; i++) {
        const vg_finding *n = vg_findings_get(story->findings, i);
        int step[2];
        if (n->kernel[0] == '\0') /* the host's */
            continue;
        film_locate(f, n, step);
        vg_json_object(j, NULL);
        vg_json_text(j, "kind", vgpu_found_name(n->kind));
        vg_json_text(j, "hazard", vgpu_hazard_name(n->hazard));
        vg_json_text(j, "object", n->object);
        vg_json_text(j, "text", n->message);
        vg_json_array(j, "sites");
        for (int s = 0; s < n->num_sites; s++)
            write_site(j, &n->site[s], step[s]);
        vg_json_array_end(j);
        int memory;
        int64_t cell;
        if (film_cell_of(f, n, step[0], &memory, &cell)) {
            vg_json_raw(j, "cell");
            fprintf(j->to, "[%d,%" PRId64 "]", memory, cell);
        }
        vg_json_object_end(j);
    }
    vg_json_array_end(j);
}

static void write_texts(vg_json *j, const vg_film *f) {
    vg_json_array(j, "texts");
    for (int i = 0; i < f->texts.count; i++)
        vg_json_text(j, NULL, *FILM_AT(f->texts, char *, i));
    vg_json_array_end(j);
}

/* Variables and contents that are not there, and types that are not known. */
static void write_left_data(vg_json *j, const vg_film *f) {
    char text[400];
    for (int i = 0; i < f->vars.count; i++) {
        const film_var *v = FILM_AT(f->vars, film_var, i);
        if (!v->too_large)
            continue;
        snprintf(text, sizeof text,
                 "It does not show the variable %.100s, which has %" PRIu64 " bytes.",
                 v->named->name, v->named->size);
        vg_json_text(j, NULL, text);
    }
    for (int i = 0; i < f->memories.count; i++) {
        const film_memory *m = FILM_AT(f->memories, film_memory, i);
        if (m->also[0] != '\0') {
            snprintf(
                text, sizeof text,
                "More than one pointer leads to one allocation: %s%s. The film calls all of it "
                "%s.",
                m->name, m->also, m->name);
            vg_json_text(j, NULL, text);
        }
        if (m->known != FILM_TYPED) {
            snprintf(text, sizeof text,
                     "The type of %.60s is not known: its elements are shown %s.", m->name,
                     m->known == FILM_UNKNOWN  ? "as bits, in hexadecimal"
                     : m->encoding == VG_FLOAT ? "as real numbers, as the kernel uses them"
                                               : "as whole numbers, as the kernel uses them");
            vg_json_text(j, NULL, text);
        }
        if (m->hosts) {
            snprintf(
                text, sizeof text,
                "%s is pinned memory, which the host may be using: what it held before is left "
                "out, "
                "and the film's kernel found what the launch left there.",
                m->name);
            vg_json_text(j, NULL, text);
        } else if (!m->shared && m->before == NULL) {
            snprintf(text, sizeof text, "What %s held before is left out: it is too large.",
                     m->name);
            vg_json_text(j, NULL, text);
        }
    }
}

static void write_left_out(vg_json *j, const vg_film *f) {
    char text[320];
    vg_json_array(j, "left_out");
    const uint64_t blocks = (uint64_t)f->grid.x * f->grid.y * f->grid.z;
    if (blocks > 1) {
        snprintf(text, sizeof text, "The film shows block (%u,%u,%u), one of %" PRIu64 ".",
                 f->index.x, f->index.y, f->index.z, blocks);
        vg_json_text(j, NULL, text);
    }
    if (f->choice.warp >= 0) {
        snprintf(text, sizeof text, "It shows warp %d, one of %d.", f->choice.warp, f->num_warps);
        vg_json_text(j, NULL, text);
    }
    if (f->left_out > 0) {
        snprintf(text, sizeof text, "It ends after %d steps; %d more followed.", f->steps.count,
                 f->left_out);
        vg_json_text(j, NULL, text);
    }
    if (film_matrices_shown(f) > 0) {
        snprintf(text, sizeof text,
                 "It shows the parts of matrices in registers for %d steps, not for all that "
                 "multiply matrices.",
                 film_matrices_shown(f));
        vg_json_text(j, NULL, text);
    }
    if (f->recursive)
        vg_json_text(j, NULL, "It does not show variables of functions that call themselves.");
    write_left_data(j, f);
    vg_json_array_end(j);
}

static void write_moments(vg_json *j, const vg_film *f) {
    vg_json_array(j, "moments");
    for (int i = 0; i < f->moments.count; i++) {
        const vg_film_moment *m = FILM_AT(f->moments, vg_film_moment, i);
        vg_json_inline(j);
        vg_json_object(j, NULL);
        vg_json_count(j, "step", (uint64_t)m->step);
        vg_json_text(j, "title", m->title);
        vg_json_text(j, "text", m->text);
        vg_json_object_end(j);
    }
    vg_json_array_end(j);
}

const vg_film_moment *vg_film_moments(const vg_film *f, int *count) {
    *count = f->moments.count;
    return f->moments.at;
}

bool vg_film_write(vg_film *f, const vg_film_story *story, FILE *to) {
    vg_json j;
    if (!f->began || f->steps.count == 0)
        return false;
    const bool as_recorded = film_is_racy(story);
    if (!f->ordered)
        film_set_order(f, as_recorded);
    f->ordered = true;
    if (f->out_of_memory)
        return false;
    for (int i = 0; i < f->memories.count; i++)
        film_settle_type(f, FILM_AT(f->memories, film_memory, i));
    film_say_all(f);
    film_choose_moments(f, story);
    if (f->out_of_memory)
        return false;
    vg_json_begin(&j, to);
    vg_json_object(&j, NULL);
    vg_json_text(&j, "format", "vgpu-film 1");
    vg_json_text(&j, "title", story->title != NULL ? story->title : f->kernel);
    vg_json_text(&j, "kernel", f->kernel);
    write_sides(&j, "grid", f->grid);
    write_sides(&j, "block", f->block);
    write_sides(&j, "index", f->index);
    vg_json_bool(&j, "as_recorded", as_recorded);
    write_left_out(&j, f);
    write_sources(&j, f);
    write_functions(&j, f);
    write_memories(&j, f);
    write_variables(&j, f);
    write_frames(&j, f);
    write_texts(&j, f);
    write_steps(&j, f);
    write_accesses(&j, f);
    write_pauses(&j, f);
    write_locals(&j, f);
    film_write_matrices(&j, f);
    write_counted(&j, story->counted);
    write_mistakes(&j, f, story);
    vg_json_text(&j, "fault", story->fault != NULL ? story->fault->text : NULL);
    write_moments(&j, f);
    vg_json_object_end(&j);
    vg_json_end(&j);
    return !ferror(to) && !f->out_of_memory;
}
