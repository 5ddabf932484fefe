/* check.c: puts the checkers on an executor, publishes what they find; see check.h. */
#include "vgpu/src/check/check.h"
#include "vgpu/src/check/check_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAID = 20 }; /* findings on the terminal; the report has them all */

struct vg_check {
    vg_observer last; /* registered behind the checkers: publishes what they added */
    const vg_mem *mem;
    vg_findings *findings;
    vg_regions regions;
    vg_gate *gate;
    unsigned which;
    race_checker *race;
    init_checker *init;
    sync_checker *sync;
    odd_checker *odd;
    mem_checker *mem_checker;
    vg_say_finding *say;
    void *say_arg;
};

bool vg_check_parse(const char *setting, unsigned *which, char *bad, size_t len) {
    static const struct {
        const char *name;
        unsigned bits;
    } words[] = {{"all", VG_CHECK_ALL},   {"none", 0},
                 {"race", VG_CHECK_RACE}, {"mem", VG_CHECK_MEM},
                 {"init", VG_CHECK_INIT}, {"sync", VG_CHECK_SYNC}};
    *which = VG_CHECK_ALL;
    if (setting == NULL || *setting == '\0')
        return true;
    unsigned bits = 0;
    while (*setting != '\0') {
        const size_t n = strcspn(setting, ",");
        size_t k = 0;
        while (k < sizeof words / sizeof *words &&
               (strlen(words[k].name) != n || strncmp(words[k].name, setting, n) != 0))
            k++;
        if (k == sizeof words / sizeof *words) {
            snprintf(bad, len, "%.*s", (int)n, setting);
            return false;
        }
        bits |= words[k].bits;
        setting += n + (setting[n] == ',');
    }
    *which = bits;
    return true;
}

static void publish(vg_check *check) {
    vg_findings_publish(check->findings, MOST_SAID, check->say, check->say_arg);
}

/* The executor's own faults are said by the runtime; here they become findings of the report. */
static void note_fault(vg_check *check, const vg_fault *fault) {
    vg_finding f = {.kind = fault->fact.says == VGPU_ENDLESS     ? VGPU_FOUND_ENDLESS
                            : fault->status == VG_LAUNCH_TIMEOUT ? VGPU_FOUND_BARRIER
                            : fault->status == VG_ILLEGAL_ADDRESS || fault->status == VG_MISALIGNED
                                ? VGPU_FOUND_MEMORY
                                : VGPU_FOUND_FAULT,
                    .fact = fault->fact,
                    .severity = VG_ERROR,
                    .num_sites = 1,
                    .count = 1};
    snprintf(f.kernel, sizeof f.kernel, "%s", fault->kernel != NULL ? fault->kernel : "");
    snprintf(f.site[0].file, sizeof f.site[0].file, "%s", fault->file);
    f.site[0].line = fault->line;
    f.site[0].has_thread = true;
    f.site[0].block = fault->block;
    f.site[0].thread = fault->thread;
    f.site[0].action = "stopped";
    f.said = true;
    snprintf(f.message, sizeof f.message, "%s", fault->text);
    vg_findings_add(check->findings, &f);
}

static void on_launch_end(void *self, const launch *l, const host_thread *workers, int num_workers,
                          const vg_fault *fault) {
    vg_check *check = self;
    (void)l;
    (void)workers;
    (void)num_workers;
    if (fault != NULL)
        note_fault(check, fault);
    publish(check);
}

static bool create_parts(vg_check *check) {
    const unsigned which = check->which;
    if ((which & VG_CHECK_RACE) != 0)
        check->race = race_checker_create(check->findings, &check->regions, check->gate);
    if ((which & VG_CHECK_INIT) != 0) {
        check->init =
            init_checker_create(check->findings, &check->regions, check->mem, check->gate);
    }
    if ((which & VG_CHECK_INIT) != 0) /* a value that nobody gave, too */
        check->odd = odd_checker_create(check->findings);
    if ((which & VG_CHECK_SYNC) != 0)
        check->sync = sync_checker_create(check->findings);
    if ((which & VG_CHECK_MEM) != 0)
        check->mem_checker = mem_checker_create(check->findings, check->mem);
    return ((which & VG_CHECK_RACE) == 0 || check->race != NULL) &&
           ((which & VG_CHECK_INIT) == 0 || (check->init != NULL && check->odd != NULL)) &&
           ((which & VG_CHECK_SYNC) == 0 || check->sync != NULL) &&
           ((which & VG_CHECK_MEM) == 0 || check->mem_checker != NULL);
}

static bool register_parts(const vg_check *check, vg_exec *exec) {
    const bool accesses = check->race != NULL || check->init != NULL;
    const vg_observer *const parts[] = {
        accesses ? vg_gate_observer(check->gate) : NULL,
        check->race != NULL ? race_checker_observer(check->race) : NULL,
        check->init != NULL ? init_checker_observer(check->init) : NULL,
        check->sync != NULL ? sync_checker_observer(check->sync) : NULL,
        check->odd != NULL ? odd_checker_observer(check->odd) : NULL,
        &check->last};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i] != NULL && !vg_exec_observe(exec, parts[i]))
            return false;
    return true;
}

vg_check *vg_check_install(vg_exec *exec, const vg_mem *mem, unsigned which, vg_say_finding *say,
                           void *say_arg) {
    vg_check *check = calloc(1, sizeof *check);
    if (check == NULL)
        return NULL;
    check->mem = mem;
    check->which = which;
    check->say = say;
    check->say_arg = say_arg;
    check->last = (vg_observer){.name = "findings", .self = check, .launch_end = on_launch_end};
    check->findings = vg_findings_create();
    check->gate = vg_gate_create(&check->regions);
    /* Observers make all kernels run observed; `mem` alone needs none. */
    if (check->findings == NULL || check->gate == NULL || !create_parts(check) ||
        ((which & ~(unsigned)VG_CHECK_MEM) != 0 && !register_parts(check, exec))) {
        vg_check_destroy(check);
        return NULL;
    }
    return check;
}

void vg_check_destroy(vg_check *check) {
    if (check == NULL)
        return;
    race_checker_destroy(check->race);
    init_checker_destroy(check->init);
    sync_checker_destroy(check->sync);
    odd_checker_destroy(check->odd);
    mem_checker_destroy(check->mem_checker);
    vg_gate_destroy(check->gate);
    vg_regions_clear(&check->regions);
    vg_findings_destroy(check->findings);
    free(check);
}

const vg_findings *vg_check_findings(const vg_check *check) {
    return check->findings;
}

void vg_check_notice(vg_check *check, vg_notice_fn *fn, void *self) {
    if (check != NULL && check->race != NULL)
        race_checker_notice(check->race, fn, self);
    if (check != NULL && check->init != NULL)
        init_checker_notice(check->init, fn, self);
}

void vg_check_order(vg_check *check, const vg_ordering *order) {
    if (check != NULL && check->race != NULL)
        race_checker_order(check->race, order);
}

void vg_check_touch(vg_check *check, const vg_touch *touch) {
    if (check == NULL || check->race == NULL)
        return;
    race_checker_touch(check->race, check->mem, touch);
    publish(check);
}

bool vg_check_next_reader(const vg_check *check, const void **place, vg_reader *reader) {
    return check != NULL && check->race != NULL && race_host_next(check->race, place, reader);
}

bool vg_check_host_writes(vg_check *check, uint64_t addr, vg_reader *reader) {
    return check != NULL && check->race != NULL && race_host_writes(check->race, addr, reader);
}

void vg_check_wrote(vg_check *check, uint64_t addr, uint64_t size) {
    if (check != NULL && check->init != NULL) {
        const vg_observer *o = init_checker_observer(check->init);
        o->host_wrote(o->self, addr, size);
    }
}

void vg_check_set(vg_check *check, uint64_t addr, uint64_t size, uint8_t value) {
    if (check != NULL && check->init != NULL)
        init_checker_set(check->init, addr, size, value);
}

void vg_check_copied(vg_check *check, uint64_t to, uint64_t from, uint64_t size) {
    if (check != NULL && check->init != NULL)
        init_checker_copied(check->init, to, from, size);
}

/* A finding about a call, which the runtime says itself. */
static void add_said(vg_check *check, enum vgpu_found kind, enum vg_severity severity,
                     const struct vgpu_fact *fact, const char *words) {
    vg_finding f = {.kind = kind, .fact = *fact, .severity = severity, .count = 1, .said = true};
    snprintf(f.message, sizeof f.message, "%s", words);
    snprintf(f.object, sizeof f.object, "%s", words); /* another text is another finding */
    vg_findings_add(check->findings, &f);
    publish(check);
}

void vg_check_misuse(vg_check *check, const struct vgpu_fact *fact, const char *words) {
    if (check != NULL && check->mem_checker != NULL)
        add_said(check, VGPU_FOUND_MEMORY, VG_ERROR, fact, words);
}

bool vg_check_unwritten(vg_check *check, const vg_read *read, vg_unwritten *found) {
    return check != NULL && check->init != NULL && init_checker_missing(check->init, read, found);
}

void vg_check_read(vg_check *check, const struct vgpu_fact *fact, bool error, const char *words) {
    add_said(check, VGPU_FOUND_UNINITIALIZED, error ? VG_ERROR : VG_WARNING, fact, words);
}

void vg_check_fault(vg_check *check, const vg_fault *fault) {
    if (check != NULL && (check->which & ~(unsigned)VG_CHECK_MEM) == 0) { /* no observer was told */
        note_fault(check, fault);
        publish(check);
    }
}

void vg_check_allocated(vg_check *check, uint64_t addr, vg_maker by) {
    if (check != NULL && check->mem_checker != NULL)
        mem_checker_allocated(check->mem_checker, addr, by);
}

void vg_check_leaks(vg_check *check, uint32_t first) {
    if (check != NULL && check->mem_checker != NULL) {
        mem_checker_leaks(check->mem_checker, first);
        publish(check);
    }
}
