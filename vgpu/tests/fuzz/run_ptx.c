/* run_ptx.c: see run_ptx.h. */
#include "vgpu/tests/fuzz/run_ptx.h"

#include "vgpu/src/core/observe.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PARAMS = 64,
    BUFFER_BYTES = 4096,
    THREADS = 40,
    BLOCKS = 2,
    BUDGET = 1,
    MAX_KERNELS = 4
};

/* Made once: what a launch leaves behind must not matter to the next. */
typedef struct machine {
    vg_mem *mem;
    vg_exec *plain, *observed;
    uint64_t buffer;
    unsigned char big_argument[1 << 16]; /* a parameter of any size may be read from it */
    unsigned long accesses;
} machine;

static void on_access(void *self, const vg_access *a) {
    ((machine *)self)->accesses += a->size;
}

static machine *the_machine(void) {
    static machine m;
    static vg_observer observer;
    if (m.mem == NULL) {
        m.mem = vg_mem_create(1ull << 26);
        m.plain = vg_exec_create(1);
        m.observed = vg_exec_create(1);
        observer = (vg_observer){.name = "fuzz", .self = &m, .access = on_access};
        if (m.mem == NULL || m.plain == NULL || m.observed == NULL ||
            !vg_exec_observe(m.observed, &observer))
            abort();
        m.buffer = vg_mem_alloc(m.mem, BUFFER_BYTES, 256, VG_MEM_DEVICE, "buffer");
        for (size_t i = 0; i + 8 <= sizeof m.big_argument; i += 8)
            memcpy(m.big_argument + i, &m.buffer, 8); /* every pointer points to it */
    }
    return &m;
}

static void run_kernel(machine *m, vg_exec *exec, vg_kernel *kernel, ptx_outcome *outcome) {
    void *args[MAX_PARAMS];
    vg_fault fault = {0};
    if (kernel->info.num_params > MAX_PARAMS ||
        !vg_kernel_prepare(kernel, vg_exec_is_observed(exec), &fault))
        return;
    outcome->prepared++;
    for (int i = 0; i < MAX_PARAMS; i++)
        args[i] = m->big_argument;
    const vg_launch_params params = {.grid = {BLOCKS, 1, 1},
                                     .block = {THREADS, 1, 1},
                                     .dynamic_shared = 64,
                                     .args = args,
                                     .mem = m->mem,
                                     .sm_count = 1,
                                     .budget = BUDGET};
    memset(vg_mem_at(m->mem, m->buffer, BUFFER_BYTES), 1, BUFFER_BYTES);
    outcome->ran++;
    if (vg_launch(exec, kernel, &params, &fault) != VG_OK) {
        outcome->faulted++;
        if (memchr(fault.text, '\0', sizeof fault.text) == NULL)
            abort();
    }
}

void run_ptx(const char *text, size_t len, ptx_outcome *outcome) {
    machine *m = the_machine();
    vg_fault fault = {0};
    vg_module *module = vg_module_load(text, len, m->mem, &fault);
    if (module == NULL)
        return;
    outcome->parsed++;
    int n = 0;
    for (vg_kernel *k = module->kernels; k != NULL && n < MAX_KERNELS; k = k->next, n++) {
        run_kernel(m, m->plain, k, outcome);
        run_kernel(m, m->observed, k, outcome);
    }
    vg_module_unload(module, m->mem);
}
