/*
 * register.c: what compiled files register at program start (device code, kernels, variables), and
 * looking it up later. A module's PTX is loaded at the first use of anything in it, once; a failure
 * to load is said once and stays.
 */
#include "vgpu/src/core/names.h"
#include "vgpu/src/memory/host_region.h"
#include "vgpu/src/runtime/context.h"
#include "vgpu/src/runtime/fatbin.h"
#include "vgpu/src/runtime/held.h"
#include "vgpu/src/runtime/journal.h"
#include "vgpu/src/runtime/shadow.h"

#include <stdlib.h>
#include <string.h>

/* ---- registering ---- */

void **__cudaRegisterFatBinary(void *fatCubin) {
    vg_context *ctx = vg_begin();
    vg_fatbin *fatbin = calloc(1, sizeof *fatbin);
    if (fatbin) {
        fatbin->wrapper = fatCubin;
        fatbin->next = ctx->fatbins;
        ctx->fatbins = fatbin;
    }
    vg_end_quietly(ctx);
    return (void **)fatbin;
}

/* nvcc's managed variables; see __cudaRegisterManagedVar. */
char __cudaInitModule(void **handle) {
    (void)handle;
    return 1;
}

void __cudaRegisterFunction(void **handle, const char *hostFun, char *deviceFun,
                            const char *deviceName, int threadLimit, uint3 *tid, uint3 *bid,
                            dim3 *bDim, dim3 *gDim, int *wSize) {
    (void)deviceFun, (void)threadLimit, (void)tid, (void)bid, (void)bDim, (void)gDim, (void)wSize;
    vg_context *ctx = vg_begin();
    vg_function *fn = calloc(1, sizeof *fn);
    if (fn) {
        *fn = (vg_function){.fatbin = (vg_fatbin *)handle,
                            .name = deviceName,
                            .max_dynamic = -1,
                            .carveout = cudaSharedmemCarveoutDefault};
        if (!vg_ptrmap_put(&ctx->functions, hostFun, fn))
            free(fn);
    }
    vg_end_quietly(ctx);
}

/* The section where clang puts the host's side of __managed__ variables (host_defines.h). */
extern char __start_vgpu_managed[] __attribute__((weak));
extern char __stop_vgpu_managed[] __attribute__((weak));

static bool is_managed(const char *host) {
    const uintptr_t at = (uintptr_t)host, begin = (uintptr_t)__start_vgpu_managed;
    return begin != 0 && at >= begin && at < (uintptr_t)__stop_vgpu_managed;
}

enum { MOST_KEPT = 1 << 16 }; /* bytes of a variable that are compared at each launch */

static void register_variable(void **handle, const void *key, const char *name, size_t size,
                              void *managed) {
    vg_context *ctx = vg_begin();
    const bool closed = !managed && vg_shadow_close(ctx, key, size);
    const size_t kept = managed || closed || size > MOST_KEPT ? 0 : size;
    vg_variable *var = calloc(1, sizeof *var + kept);
    if (var) {
        *var = (vg_variable){(vg_fatbin *)handle, name, size, managed, closed, kept};
        if (kept > 0)
            memcpy(var->was, key, kept);
        if (!vg_ptrmap_put(&ctx->variables, key, var))
            free(var);
    }
    vg_end_quietly(ctx);
}

void __cudaRegisterVar(void **handle, char *hostVar, char *deviceAddress, const char *deviceName,
                       int ext, size_t size, int constant, int global) {
    (void)deviceAddress, (void)ext, (void)constant, (void)global;
    register_variable(handle, hostVar, deviceName, size, is_managed(hostVar) ? hostVar : NULL);
}

/* nvcc: host code reaches the variable through a pointer that is set here. */
void __cudaRegisterManagedVar(void **handle, void **hostVarPtrAddress, char *deviceAddress,
                              const char *deviceName, int ext, size_t size, int constant,
                              int global) {
    (void)deviceAddress, (void)ext, (void)constant, (void)global;
    void *memory = NULL;
    if (posix_memalign(&memory, 4096, size) != 0 || !memory)
        return;
    *hostVarPtrAddress = memory; /* the program's for as long as it runs */
    register_variable(handle, memory, deviceName, size, memory);
}

/* ---- unregistering ---- */

static void unload(vg_context *ctx, vg_fatbin *fatbin) {
    if (fatbin->module && ctx->mem)
        vg_module_unload(fatbin->module, ctx->mem);
    fatbin->module = NULL;
    fatbin->linked = false;
}

/* The kernels and variables of one fat binary, collected while walking a map. */
typedef struct collected {
    const vg_fatbin *fatbin;
    const void **keys;
    size_t count;
    bool functions;
} collected;

static void collect(const void *key, void *value, void *arg) {
    collected *c = arg;
    const vg_fatbin *owner =
        c->functions ? ((vg_function *)value)->fatbin : ((vg_variable *)value)->fatbin;
    if (owner == c->fatbin)
        c->keys[c->count++] = key;
}

static void forget(vg_ptrmap *map, const vg_fatbin *fatbin, bool functions) {
    collected c = {fatbin, calloc(map->count + 1, sizeof(void *)), 0, functions};
    if (!c.keys) /* the process is ending; what stays is freed with it */
        return;
    vg_ptrmap_each(map, collect, &c);
    for (size_t i = 0; i < c.count; i++)
        free(vg_ptrmap_take(map, c.keys[i]));
    free(c.keys);
}

void __cudaUnregisterFatBinary(void **handle) {
    vg_context *ctx = vg_begin();
    vg_fatbin *fatbin = (vg_fatbin *)handle;
    for (vg_fatbin **at = &ctx->fatbins; *at; at = &(*at)->next) {
        if (*at != fatbin)
            continue;
        *at = fatbin->next;
        forget(&ctx->functions, fatbin, true);
        forget(&ctx->variables, fatbin, false);
        unload(ctx, fatbin);
        free(fatbin);
        break;
    }
    vg_end_quietly(ctx);
}

static void forget_kernel(const void *key, void *value, void *arg) {
    (void)key;
    (void)arg;
    ((vg_function *)value)->kernel = NULL;
    ((vg_function *)value)->failed = cudaSuccess;
}

void vg_unload_all(vg_context *ctx) {
    ctx->last_kernel = NULL; /* its name goes with its module */
    vg_ptrmap_each(&ctx->functions, forget_kernel, NULL);
    for (vg_fatbin *f = ctx->fatbins; f; f = f->next)
        unload(ctx, f);
}

/* ---- looking up ---- */

/* The managed variables of one fat binary, collected while walking the map. */
typedef struct managed_list {
    const vg_fatbin *fatbin;
    vg_binding *at;
    size_t count;
} managed_list;

static void collect_managed(const void *key, void *value, void *arg) {
    managed_list *list = arg;
    const vg_variable *var = value;
    (void)key;
    if (var->fatbin == list->fatbin && var->managed)
        list->at[list->count++] =
            (vg_binding){.name = var->name, .host = var->managed, .size = var->size};
}

static managed_list managed_of(vg_context *ctx, const vg_fatbin *fatbin) {
    managed_list list = {fatbin, calloc(ctx->variables.count + 1, sizeof(vg_binding)), 0};
    if (list.at)
        vg_ptrmap_each(&ctx->variables, collect_managed, &list);
    return list;
}

static cudaError_t load_alone(vg_context *ctx, vg_fatbin *fatbin) {
    const char *text = NULL;
    char *unpacked = NULL;
    size_t len = 0;
    vg_fault fault = {0};
    if (!fatbin)
        return cudaErrorMemoryAllocation;
    if (fatbin->module || fatbin->failed != cudaSuccess)
        return fatbin->failed;
    if (!vg_fatbin_ptx(fatbin->wrapper, &text, &len, &unpacked, fault.text, sizeof fault.text)) {
        vg_tell_words(ctx, &fault.fact, fault.text);
        fatbin->failed = cudaErrorNoKernelImageForDevice;
        return fatbin->failed;
    }
    if (vg_watched_read(text, len, &fatbin->watched)) {
        const bool held = vg_held_find(ctx, fatbin);
        text = held ? fatbin->watched.ptx : fatbin->watched.graded;
        len = held ? fatbin->watched.ptx_len : fatbin->watched.graded_len;
    }
    managed_list managed = managed_of(ctx, fatbin);
    fatbin->module = vg_module_load_bound(text, len, ctx->mem, managed.at, managed.count, &fault);
    if (fatbin->module)
        fatbin->key = vg_journal_module(ctx, text, len, managed.at, managed.count);
    free(managed.at);
    free(unpacked);
    if (!fatbin->module) {
        vg_tell_words(ctx, &fault.fact, fault.text);
        fatbin->failed = fault.status != VG_OK ? (cudaError_t)fault.status : cudaErrorInvalidPtx;
    }
    return fatbin->failed;
}

/* Device code of several files: what this one only declares is looked up in the others. */
static cudaError_t link_with_others(vg_context *ctx, vg_fatbin *fatbin) {
    size_t count = 0;
    for (vg_fatbin *f = ctx->fatbins; f; f = f->next)
        count++;
    vg_module **all = calloc(count + 1, sizeof(vg_module *));
    if (!all)
        return cudaErrorMemoryAllocation;
    count = 0;
    for (vg_fatbin *f = ctx->fatbins; f; f = f->next)
        if (load_alone(ctx, f) == cudaSuccess)
            all[count++] = f->module;
    vg_fault fault = {0};
    if (!vg_module_link(fatbin->module, all, count, &fault)) {
        vg_tell_words(ctx, &fault.fact, fault.text);
        fatbin->failed = (cudaError_t)fault.status;
    }
    free(all);
    return fatbin->failed;
}

static cudaError_t load(vg_context *ctx, vg_fatbin *fatbin) {
    const cudaError_t error = load_alone(ctx, fatbin);
    if (error != cudaSuccess || fatbin->linked)
        return error;
    fatbin->linked = true;
    return vg_module_is_whole(fatbin->module) ? cudaSuccess : link_with_others(ctx, fatbin);
}

/* Readies a kernel to run; a failure is said. */
static cudaError_t prepare(vg_context *ctx, vg_function *fn) {
    vg_fault fault = {0};
    if (vg_kernel_prepare(fn->kernel, ctx->exec && vg_exec_is_observed(ctx->exec), &fault))
        return cudaSuccess;
    vg_tell_words(ctx, &fault.fact, fault.text);
    return fault.status != VG_OK ? (cudaError_t)fault.status : cudaErrorInvalidPtx;
}

vg_function *vg_function_of(vg_context *ctx, const void *host_function, cudaError_t *error) {
    vg_function *fn = vg_ptrmap_get(&ctx->functions, host_function);
    if (!fn) {
        *error = host_function ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
        return NULL;
    }
    *error = fn->failed;
    if (fn->kernel || fn->failed != cudaSuccess)
        return fn->kernel ? fn : NULL;
    *error = load(ctx, fn->fatbin);
    if (*error != cudaSuccess)
        return NULL;
    fn->kernel = vg_module_kernel(fn->fatbin->module, fn->name);
    fn->failed = fn->kernel ? prepare(ctx, fn) : cudaErrorInvalidDeviceFunction;
    if (!fn->kernel)
        vg_tell(ctx, VG_NOTE(NO_KERNEL, .name = fn->name));
    if (fn->failed != cudaSuccess)
        fn->kernel = NULL;
    *error = fn->failed;
    return fn->kernel ? fn : NULL;
}

static void look_at(const void *key, void *value, void *arg) {
    vg_variable *var = value;
    if (memcmp(var->was, key, var->kept) == 0)
        return;
    var->kept = 0;
    char name[256];
    vg_pretty_variable(var->name, name, sizeof name);
    vg_tell(arg, VG_NOTE(SHADOW_WRITTEN, .name = name, .other = ""));
}

void vg_look_for_host_writes(vg_context *ctx) {
    vg_ptrmap_each(&ctx->variables, look_at, ctx);
}

/* A variable's name in quotes, where the variable itself belongs. */
typedef struct quoted {
    const char *text;
    char name[256];
} quoted;

static void compare_name(const void *key, void *value, void *arg) {
    quoted *q = arg;
    char name[sizeof q->name];
    (void)key;
    vg_pretty_variable(((const vg_variable *)value)->name, name, sizeof name);
    if (strcmp(name, q->text) == 0)
        memcpy(q->name, name, sizeof name);
}

/* Tells why the symbol is none. */
static void tell_no_variable(vg_context *ctx, const char *call, const void *symbol) {
    const uint64_t at = (uint64_t)(uintptr_t)symbol;
    quoted q = {.text = symbol};
    if (vg_host_region(at) == VGPU_HOST_STATIC) /* where texts are, which can be read */
        vg_ptrmap_each(&ctx->variables, compare_name, &q);
    vg_tell(ctx, q.name[0] != '\0' ? VG_NOTE(VARIABLE_QUOTED, .call = call, .name = q.name)
                                   : VG_NOTE(NO_VARIABLE, .call = call, .is.address = at));
}

cudaError_t vg_symbol_of(vg_context *ctx, const char *call, const void *symbol, uint64_t *addr,
                         uint64_t *size) {
    vg_variable *var = vg_ptrmap_get(&ctx->variables, symbol);
    if (!var) {
        tell_no_variable(ctx, call, symbol);
        return cudaErrorInvalidSymbol;
    }
    cudaError_t error = load(ctx, var->fatbin);
    if (error != cudaSuccess)
        return error;
    if (!vg_module_symbol(var->fatbin->module, var->name, addr, size)) {
        vg_tell(ctx, VG_NOTE(VARIABLE_LEFT_OUT, .call = call, .name = var->name));
        return cudaErrorInvalidSymbol;
    }
    return cudaSuccess;
}

/* All is registered: the host may use managed variables from now on,
 * so their values must be there. */
void __cudaRegisterFatBinaryEnd(void **handle) {
    vg_context *ctx = vg_begin();
    managed_list managed = managed_of(ctx, (vg_fatbin *)handle);
    const bool any = managed.count > 0;
    free(managed.at);
    if (any && vg_ready(ctx) == cudaSuccess)
        (void)load(ctx, (vg_fatbin *)handle);
    vg_end_quietly(ctx);
}
