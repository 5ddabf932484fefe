/* ptxrun_vgpu.c: ptxrun on the virtual GPU; see ptxrun.h. */
#include "vgpu/tools/ptxrun.h"

#include "vgpu/src/core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct target {
    vg_mem *mem;
    vg_exec *exec;
};

enum { BUDGET = 50000000 }; /* warp instructions of a block: a test ends in seconds */

target *target_open(char *why, size_t len) {
    target *t = calloc(1, sizeof *t);
    if (t == NULL || !target_renew(t, why, len)) {
        target_close(t);
        return NULL;
    }
    return t;
}

static void give_back(target *t) {
    vg_exec_destroy(t->exec);
    if (t->mem != NULL)
        vg_mem_destroy(t->mem);
    *t = (target){0};
}

void target_close(target *t) {
    if (t != NULL) {
        give_back(t);
        free(t);
    }
}

void target_describe(const target *t, char *text, size_t len) {
    (void)t;
    snprintf(text, len, "the virtual GPU");
}

bool target_renew(target *t, char *why, size_t len) {
    give_back(t);
    t->mem = vg_mem_create(1ull << 30);
    t->exec = vg_exec_create(0);
    if (t->mem == NULL || t->exec == NULL) {
        snprintf(why, len, "out of memory");
        return false;
    }
    return true;
}

void target_forget(target *t) {
    (void)t; /* modules last for one call */
}

uint64_t target_alloc(target *t, const void *bytes, size_t size) {
    const uint64_t address = vg_mem_alloc(t->mem, size, 256, VG_MEM_DEVICE, NULL);
    void *host = address != 0 ? vg_mem_at(t->mem, address, size) : NULL;
    if (host == NULL)
        return 0;
    memcpy(host, bytes, size);
    return address;
}

bool target_read(target *t, uint64_t address, void *bytes, size_t size) {
    const void *host = vg_mem_at(t->mem, address, size);
    if (host == NULL)
        return false;
    memcpy(bytes, host, size);
    return true;
}

static enum target_status launch(target *t, const target_call *call, vg_kernel *kernel,
                                 vg_fault *fault) {
    if (vg_kernel_get_info(kernel)->num_params != call->num_args)
        return TARGET_MISUSE;
    const vg_launch_params params = {.grid = {call->grid[0], call->grid[1], call->grid[2]},
                                     .block = {call->block[0], call->block[1], call->block[2]},
                                     .dynamic_shared = call->shared,
                                     .args = call->args,
                                     .mem = t->mem,
                                     .sm_count = 132,
                                     .budget = BUDGET};
    const bool ok = vg_kernel_prepare(kernel, false, fault) &&
                    vg_launch(t->exec, kernel, &params, fault) == VG_OK;
    return ok ? TARGET_DONE : TARGET_FAULT;
}

enum target_status target_run(target *t, const target_call *call, int *code, char *message,
                              size_t len) {
    vg_fault fault = {0};
    vg_module *module = vg_module_load(call->text, call->len, t->mem, &fault);
    enum target_status status = TARGET_FAULT;
    if (module != NULL) {
        vg_kernel *kernel = vg_module_kernel(module, call->kernel);
        status = kernel == NULL ? TARGET_MISUSE : launch(t, call, kernel, &fault);
        vg_module_unload(module, t->mem);
    }
    *code = (int)fault.status;
    snprintf(message, len, "%s", fault.text);
    return status;
}
