/* report.c: see report.h. */
#include "vgpu/src/count/report.h"
#include "vgpu/src/count/json_out.h"
#include "vgpu/src/count/model.h"
#include "vgpu/src/count/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_dim(vg_json *j, const char *name, vg_dim3 d) {
    vg_json_inline(j);
    vg_json_array(j, name);
    vg_json_count(j, NULL, d.x);
    vg_json_count(j, NULL, d.y);
    vg_json_count(j, NULL, d.z);
    vg_json_array_end(j);
}

static void print_counters(vg_json *j, const vg_counts *c) {
    vg_json_object(j, "counters");
    for (int i = 0; i < VGC_COUNT; i++)
        vg_json_count(j, vg_counter_name((enum vg_counter)i), c->v[i]);
    vg_json_object_end(j);
}

/* A line's members: those counters that are not 0. */
static void print_line(vg_json *j, const vg_line_counts *line) {
    vg_json_inline(j);
    vg_json_object(j, NULL);
    vg_json_text(j, "file", line->file);
    vg_json_count(j, "line", (uint64_t)line->line);
    for (int i = 0; i < VGC_COUNT; i++)
        if (line->counts.v[i] != 0)
            vg_json_count(j, vg_counter_name((enum vg_counter)i), line->counts.v[i]);
    vg_json_object_end(j);
}

static void print_derived(vg_json *j, const vg_counts *c) {
    const uint64_t *v = c->v;
    vg_json_object(j, "derived");
    vg_json_real(j, "load_sectors_per_request",
                 vg_ratio(v[VGC_GLOBAL_LOAD_SECTORS], v[VGC_GLOBAL_LOAD_REQUESTS]));
    vg_json_real(j, "store_sectors_per_request",
                 vg_ratio(v[VGC_GLOBAL_STORE_SECTORS], v[VGC_GLOBAL_STORE_REQUESTS]));
    vg_json_real(j, "flops_per_byte", vg_ratio(v[VGC_FLOPS], vg_global_bytes(c)));
    vg_json_real(j, "threads_per_instruction",
                 vg_ratio(v[VGC_THREAD_INSTRUCTIONS], v[VGC_WARP_INSTRUCTIONS]));
    vg_json_object_end(j);
}

static void print_occupancy(vg_json *j, const vg_profile *p, const vg_launch_record *r) {
    if (p == NULL)
        return;
    const vg_occupancy o =
        vg_occupancy_of(p, r->grid, r->block, (uint64_t)r->static_shared + r->dynamic_shared, 0);
    vg_json_object(j, "occupancy");
    vg_json_count(j, "blocks_per_sm", (uint64_t)o.blocks_sm);
    vg_json_count(j, "warps_per_sm", (uint64_t)o.warps_sm);
    vg_json_count(j, "max_warps_per_sm", (uint64_t)o.max_warps_sm);
    vg_json_real(j, "percent", o.percent);
    vg_json_text(j, "limit", o.limit);
    vg_json_text(j, "registers", NULL); /* only the assembler knows */
    vg_json_real(j, "waves", o.waves);
    vg_json_object_end(j);
}

static void print_launch(vg_json *j, const vg_report *report, const vg_launch_record *r) {
    vg_json_object(j, NULL);
    vg_json_text(j, "kernel", r->kernel);
    vg_json_text(j, "symbol", r->symbol);
    vg_json_count(j, "first", r->first);
    vg_json_count(j, "count", r->count);
    print_dim(j, "grid", r->grid);
    print_dim(j, "block", r->block);
    vg_json_count(j, "static_shared", r->static_shared);
    vg_json_count(j, "dynamic_shared", r->dynamic_shared);
    vg_json_count(j, "local_bytes", r->local_bytes);
    vg_json_text(j, "fault", r->fault);
    if (r->incomplete)
        vg_json_bool(j, "incomplete", true);
    print_counters(j, &r->counts);
    print_derived(j, &r->counts);
    print_occupancy(j, report->profile, r);
    vg_json_array(j, "lines");
    for (int i = 0; i < r->num_lines; i++)
        print_line(j, &r->lines[i]);
    vg_json_array_end(j);
    vg_json_object_end(j);
}

static void print_device(vg_json *j, const vg_profile *p) {
    if (p == NULL) {
        vg_json_text(j, "device", NULL);
        return;
    }
    char capability[16];
    snprintf(capability, sizeof capability, "%d.%d", p->major, p->minor);
    vg_json_object(j, "device");
    vg_json_text(j, "key", p->key);
    vg_json_text(j, "name", p->name);
    vg_json_text(j, "compute_capability", capability);
    vg_json_count(j, "multiprocessors", (uint64_t)p->sm_count);
    vg_json_real(j, "peak_gflops", vg_peak_flops(p) / 1e9);
    vg_json_real(j, "bandwidth_gbs", p->bandwidth_gbs);
    vg_json_object_end(j);
}

static void print_site(vg_json *j, const vg_site *s) {
    vg_json_inline(j);
    vg_json_object(j, NULL);
    vg_json_text(j, "file", s->file);
    vg_json_count(j, "line", (uint64_t)s->line);
    vg_json_text(j, "action", s->action);
    if (s->has_thread) {
        print_dim(j, "block", s->block);
        print_dim(j, "thread", s->thread);
    }
    vg_json_object_end(j);
}

static void print_finding(vg_json *j, const vg_finding *f) {
    vg_json_object(j, NULL);
    vg_json_text(j, "kind", vgpu_found_name(f->kind));
    vg_json_text(j, "severity", f->severity == VG_ERROR ? "error" : "warning");
    vg_json_text(j, "kernel", f->kernel);
    vg_json_text(j, "file", f->num_sites > 0 ? f->site[0].file : "");
    vg_json_count(j, "line", f->num_sites > 0 ? (uint64_t)f->site[0].line : 0);
    vg_json_text(j, "message", f->message);
    vg_json_text(j, "object", f->object);
    if (f->has_element)
        vg_json_count(j, "element", f->element);
    vg_json_text(j, "hazard", f->hazard ? vgpu_hazard_name(f->hazard) : NULL);
    vg_json_count(j, "count", f->count);
    vg_json_array(j, "sites");
    for (int i = 0; i < f->num_sites; i++)
        print_site(j, &f->site[i]);
    vg_json_array_end(j);
    vg_json_object_end(j);
}

static void print_traced(vg_json *j, const vg_trace_launch *l, const vg_traced *v) {
    static const char *const kinds[] = {[VG_READ] = "load",
                                        [VG_WRITE] = "store",
                                        [VG_ATOMIC] = "atomic",
                                        [VG_ASYNC_BEGIN] = "copy",
                                        [VG_ASYNC_END] = "copy"};
    const bool named = v->file >= 0 && v->file < l->num_files && l->files[v->file] != NULL;
    vg_json_inline(j);
    vg_json_object(j, NULL);
    vg_json_count(j, "warp", (uint64_t)v->warp);
    vg_json_count(j, "phase", (uint64_t)v->phase);
    vg_json_count(j, "instruction", (uint64_t)v->op);
    vg_json_text(j, "file", named ? l->files[v->file] : "");
    vg_json_count(j, "line", v->line > 0 ? (uint64_t)v->line : 0);
    vg_json_text(j, "space", v->shared ? "shared" : "global");
    vg_json_text(j, "kind", kinds[v->kind]);
    vg_json_count(j, "bytes", v->bytes);
    vg_json_count(j, "object", v->object);
    vg_json_count(j, "object_bytes", v->object_bytes);
    vg_json_count(j, "mask", v->mask);
    vg_json_array(j, "at");
    for (int i = 0; i < VG_LANES; i++)
        vg_json_real(j, NULL, (double)v->at[i]);
    vg_json_array_end(j);
    vg_json_object_end(j);
}

static void print_traces(vg_json *j, const vg_trace *t) {
    vg_json_array(j, "traces");
    for (int i = 0; i < t->launches && i < VG_TRACE_LAUNCHES; i++) {
        const vg_trace_launch *l = &t->launch[i];
        vg_json_object(j, NULL);
        vg_json_text(j, "kernel", l->kernel);
        print_dim(j, "grid", l->grid);
        print_dim(j, "block", l->block);
        vg_json_bool(j, "more", l->more);
        vg_json_array(j, "accesses");
        for (int k = 0; k < l->count; k++)
            print_traced(j, l, &l->access[k]);
        vg_json_array_end(j);
        vg_json_object_end(j);
    }
    vg_json_array_end(j);
}

void vg_report_print(const vg_report *r, FILE *to) {
    vg_json j;
    vg_json_begin(&j, to);
    vg_json_object(&j, NULL);
    vg_json_count(&j, "format", VG_REPORT_FORMAT);
    vg_json_bool(&j, "complete", r->complete);
    print_device(&j, r->profile);
    vg_json_object(&j, "memory");
    vg_json_count(&j, "peak_bytes", r->peak_memory);
    vg_json_object_end(&j);
    vg_json_object(&j, "totals");
    vg_json_count(&j, "launches", r->log->launches);
    vg_json_count(&j, "unlisted", r->log->unlisted);
    print_counters(&j, &r->log->totals);
    vg_json_object_end(&j);
    vg_json_array(&j, "launches");
    for (int i = 0; i < r->log->num_records; i++)
        print_launch(&j, r, &r->log->records[i]);
    vg_json_array_end(&j);
    vg_json_array(&j, "findings");
    for (int i = 0; r->findings != NULL && i < vg_findings_count(r->findings); i++)
        print_finding(&j, vg_findings_get(r->findings, i));
    vg_json_array_end(&j);
    if (r->trace != NULL)
        print_traces(&j, r->trace);
    vg_json_object_end(&j);
    vg_json_end(&j);
}

/* A new file beside `path`, with the permissions that files get here; *temporary is its name. */
static FILE *open_beside(const char *path, char **temporary) {
    if (asprintf(temporary, "%s.XXXXXX", path) < 0) {
        *temporary = NULL;
        return NULL;
    }
    const int fd = mkstemp(*temporary);
    if (fd < 0) {
        free(*temporary);
        *temporary = NULL;
        return NULL;
    }
    const mode_t mask = umask(0);
    umask(mask);
    /* A sandbox may forbid this: the file then stays its owner's alone. */
    (void)fchmod(fd, 0666 & ~mask);
    FILE *f = fdopen(fd, "w");
    if (f == NULL) {
        close(fd);
        unlink(*temporary);
        free(*temporary);
        *temporary = NULL;
    }
    return f;
}

/* Written in place: what is no file (a pipe, /dev/stdout) can't be renamed over. */
static bool write_through(const vg_report *r, const char *path) {
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return false;
    vg_report_print(r, f);
    const bool written = ferror(f) == 0;
    return fclose(f) == 0 && written;
}

bool vg_report_write(const vg_report *r, const char *path) {
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return r->complete ? write_through(r, path) : true;
    char *temporary;
    FILE *f = open_beside(path, &temporary);
    if (f == NULL)
        return false;
    vg_report_print(r, f);
    bool ok = ferror(f) == 0;
    ok = fclose(f) == 0 && ok;
    ok = ok && rename(temporary, path) == 0;
    if (!ok) {
        const int error = errno;
        unlink(temporary);
        errno = error;
    }
    free(temporary);
    return ok;
}
