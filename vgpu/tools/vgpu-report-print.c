/* vgpu-report-print.c: a launch in a few lines, the findings, and the table for scripts. */
#include "vgpu/src/count/model.h"
#include "vgpu/tools/vgpu-report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- words ---- */

const char *style(const view *v, enum style s) {
    static const char *const codes[] = {
        [PLAIN] = "\033[0m", [BOLD] = "\033[1m",    [DIM] = "\033[2m",
        [RED] = "\033[31m",  [YELLOW] = "\033[33m", [GREEN] = "\033[32m"};
    return v->color ? codes[s] : "";
}

enum { BUFFERS = 8, BUFFER = 32 };

static char *next_buffer(void) {
    static char buffers[BUFFERS][BUFFER];
    static int next;
    next = (next + 1) % BUFFERS;
    return buffers[next];
}

const char *grouped(uint64_t n) {
    char digits[BUFFER];
    char *to = next_buffer();
    const int len = snprintf(digits, sizeof digits, "%" PRIu64, n);
    int at = 0;
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            to[at++] = ',';
        to[at++] = digits[i];
    }
    to[at] = '\0';
    return to;
}

const char *brief(uint64_t n) {
    static const char units[] = "KMGTPE";
    char *to = next_buffer();
    if (n < 1000000) {
        snprintf(to, BUFFER, "%" PRIu64, n);
        return to;
    }
    double x = (double)n;
    int unit = -1;
    do { /* 999,999,999 is 1.00G and not 1000M */
        x /= 1000;
        unit++;
    } while (x >= 999.5);
    snprintf(to, BUFFER, x < 9.995 ? "%.2f%c" : x < 99.95 ? "%.1f%c" : "%.0f%c", x, units[unit]);
    return to;
}

static void label(const view *v, const char *name) {
    printf("  %s%-16s%s", style(v, DIM), name, style(v, PLAIN));
}

/* ---- a launch ---- */

static void print_global(const view *v, const char *name, const uint64_t *c) {
    const uint64_t requests = c[0], sectors = c[1];
    if (requests == 0)
        return;
    const double each = vg_ratio(sectors, requests);
    label(v, name);
    printf("%s requests, %s sectors: %s%.2f%s sectors a request\n", grouped(requests),
           grouped(sectors), each > 8 ? style(v, YELLOW) : "", each,
           each > 8 ? style(v, PLAIN) : "");
}

static void print_shared(const view *v, const char *name, const uint64_t *c) {
    const uint64_t requests = c[0], wavefronts = c[1], conflicts = c[2];
    if (requests == 0)
        return;
    label(v, name);
    printf("%s requests, %s%s bank conflicts%s (%.2f passes a request)\n", grouped(requests),
           conflicts > 0 ? style(v, RED) : "", grouped(conflicts),
           conflicts > 0 ? style(v, PLAIN) : "", vg_ratio(wavefronts, requests));
}

static void print_others(const view *v, const uint64_t *c) {
    const uint64_t local = c[VGC_LOCAL_LOAD_REQUESTS] + c[VGC_LOCAL_STORE_REQUESTS];
    if (c[VGC_SHARED_ATOMIC_REQUESTS] != 0) {
        label(v, "shared atomics");
        printf("%s requests\n", grouped(c[VGC_SHARED_ATOMIC_REQUESTS]));
    }
    if (local != 0) {
        label(v, "local memory");
        printf("%s loads, %s stores, %s sectors\n", grouped(c[VGC_LOCAL_LOAD_REQUESTS]),
               grouped(c[VGC_LOCAL_STORE_REQUESTS]),
               grouped(c[VGC_LOCAL_LOAD_SECTORS] + c[VGC_LOCAL_STORE_SECTORS]));
    }
    if (c[VGC_CONST_LOAD_REQUESTS] != 0) {
        label(v, "constant loads");
        printf("%s requests, %s replays\n", grouped(c[VGC_CONST_LOAD_REQUESTS]),
               grouped(c[VGC_CONST_LOAD_REPLAYS]));
    }
    if (c[VGC_BARRIERS] != 0) {
        label(v, "barriers");
        printf("%s, by warps\n", grouped(c[VGC_BARRIERS]));
    }
}

static void print_operations(const view *v, const vg_counts *counts) {
    static const struct {
        enum vg_counter which;
        const char *name;
    } kinds[] = {{VGC_FMA, "fma"},
                 {VGC_ADD, "add"},
                 {VGC_MUL, "mul"},
                 {VGC_SPECIAL, "division, root, …"},
                 {VGC_FMA_DOUBLE, "fma (double)"},
                 {VGC_ADD_DOUBLE, "add (double)"},
                 {VGC_MUL_DOUBLE, "mul (double)"},
                 {VGC_SPECIAL_DOUBLE, "division, root, … (double)"},
                 {VGC_FMA_HALF, "fma (half)"},
                 {VGC_ADD_HALF, "add (half)"},
                 {VGC_MUL_HALF, "mul (half)"},
                 {VGC_SPECIAL_HALF, "division, root, … (half)"},
                 {VGC_MMA, "mma (by warps)"}};
    const uint64_t *c = counts->v;
    if (c[VGC_FLOPS] == 0)
        return;
    label(v, "operations");
    const char *comma = "";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (c[kinds[i].which] != 0) {
            printf("%s%s %s", comma, grouped(c[kinds[i].which]), kinds[i].name);
            comma = ", ";
        }
    }
    const uint64_t bytes = vg_global_bytes(counts);
    if (bytes != 0)
        printf("; %.2f operations a byte of global memory", vg_ratio(c[VGC_FLOPS], bytes));
    printf("\n");
}

static const char *duration(double seconds) {
    char *to = next_buffer();
    if (seconds < 1e-6)
        snprintf(to, BUFFER, "%.1f ns", seconds * 1e9);
    else if (seconds < 1e-3)
        snprintf(to, BUFFER, "%.2f us", seconds * 1e6);
    else if (seconds < 1)
        snprintf(to, BUFFER, "%.2f ms", seconds * 1e3);
    else
        snprintf(to, BUFFER, "%.2f s", seconds);
    return to;
}

static uint64_t blocks_of(const launch_entry *l) {
    return (uint64_t)l->grid.x * l->grid.y * l->grid.z * l->count;
}

static void print_device(const view *v, const launch_entry *l) {
    const vg_profile *p = v->profile;
    if (p == NULL)
        return;
    const vg_occupancy o = vg_occupancy_of(p, l->grid, l->block, l->shared, 0);
    char words[512];
    vg_note why = {0};
    label(v, "occupancy");
    if (!vg_profile_allows(p, l->grid, l->block, l->shared, (uint64_t)p->shared_block_optin,
                           &why)) {
        printf("%s: cannot run this: %s\n", p->name,
               vg_fact_reason(vg_note_close(&why), words, sizeof words));
        return;
    }
    printf("%s: %d blocks, %d of %d warps a multiprocessor (%.0f%%), limited by %s; %.2f waves; "
           "registers not known\n",
           p->name, o.blocks_sm, o.warps_sm, o.max_warps_sm, o.percent, o.limit, o.waves);
    const vg_model m = vg_model_of(p, &l->counts, blocks_of(l));
    label(v, "model");
    printf("%s at least, bound by %s (instructions %s, arithmetic %s, shared and L1 memory %s)\n",
           duration(m.seconds), m.bound, duration(m.issue), duration(m.arithmetic),
           duration(m.memory));
}

static void print_heading(const launch_entry *l, const view *v) {
    printf("%s%s%s  grid (%u,%u,%u), block (%u,%u,%u), ", style(v, BOLD), l->kernel,
           style(v, PLAIN), l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z);
    if (l->count > 1) {
        printf("%s launches added up, the first being launch %s\n", grouped(l->count),
               grouped(l->first));
    } else if (l->alike > 0) {
        printf("launches %s to %s, all alike\n", grouped(l->first), grouped(l->first + l->alike));
    } else {
        printf("launch %s\n", grouped(l->first));
    }
    if (l->fault != NULL) {
        printf("  %sstopped by a fault, counted up to it:%s %s\n", style(v, RED), style(v, PLAIN),
               l->fault);
    }
    if (l->incomplete) {
        printf("  %sincomplete: the machine ran out of memory while counting%s\n", style(v, RED),
               style(v, PLAIN));
    }
}

void print_launch(const launch_entry *l, const view *v) {
    const uint64_t *c = l->counts.v;
    print_heading(l, v);
    label(v, "instructions");
    printf("%s by warps, %s by threads: %.1f threads each\n", grouped(c[VGC_WARP_INSTRUCTIONS]),
           grouped(c[VGC_THREAD_INSTRUCTIONS]),
           vg_ratio(c[VGC_THREAD_INSTRUCTIONS], c[VGC_WARP_INSTRUCTIONS]));
    label(v, "branches");
    printf("%s, %s diverged\n", grouped(c[VGC_BRANCHES]), grouped(c[VGC_DIVERGENT_BRANCHES]));
    print_global(v, "global loads", c + VGC_GLOBAL_LOAD_REQUESTS);
    print_global(v, "global stores", c + VGC_GLOBAL_STORE_REQUESTS);
    print_global(v, "global atomics", c + VGC_GLOBAL_ATOMIC_REQUESTS);
    print_shared(v, "shared loads", c + VGC_SHARED_LOAD_REQUESTS);
    print_shared(v, "shared stores", c + VGC_SHARED_STORE_REQUESTS);
    print_others(v, c);
    print_operations(v, &l->counts);
    print_device(v, l);
}

void print_findings(const report *r, const char *kernel, const view *v) {
    if (r->num_findings == 0)
        return;
    printf("\n%sfindings%s\n", style(v, BOLD), style(v, PLAIN));
    for (int i = 0; i < r->num_findings; i++) {
        const finding_entry *f = &r->findings[i];
        const bool error = strcmp(f->severity, "error") == 0;
        if (kernel != NULL && f->kernel[0] != '\0' && strcmp(kernel, f->kernel) != 0)
            continue;
        printf("  %s%s%s %s", style(v, error ? RED : YELLOW), f->severity, style(v, PLAIN),
               f->kind);
        if (f->file[0] != '\0')
            printf(" at %s:%d", f->file, f->line);
        if (f->kernel[0] != '\0')
            printf(" in %s", f->kernel);
        printf("\n");
        for (const char *s = f->message; *s != '\0';) {
            const size_t n = strcspn(s, "\n");
            printf("    %.*s\n", (int)n, s);
            s += n + (s[n] == '\n');
        }
    }
}

static void table_row(const launch_entry *l, const char *name, uint64_t value) {
    printf("%s\t%" PRIu64 "\t%u,%u,%u\t%u,%u,%u\t%" PRIu64 "\t%s\t%" PRIu64 "\n", l->kernel,
           l->first, l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z, l->count,
           name, value);
}

void print_table(const report *r, const view *v) {
    printf("kernel\tlaunch\tgrid\tblock\tlaunches\tcounter\tvalue\n");
    for (int i = 0; i < r->num_launches; i++) {
        const launch_entry *l = &r->launches[i];
        for (int k = 0; k < VGC_COUNT; k++)
            table_row(l, vg_counter_name((enum vg_counter)k), l->counts.v[k]);
        if (v->profile != NULL) {
            const vg_model m = vg_model_of(v->profile, &l->counts, blocks_of(l));
            table_row(l, "model_nanoseconds", (uint64_t)(m.seconds * 1e9 + 0.5));
        }
    }
}
