/*
 * ptxrun_gpu.c: ptxrun on a real GPU, through the CUDA driver's library; see ptxrun.h. The driver
 * compiles the PTX itself, so no toolkit is needed. The few functions used are declared here: their
 * binary interface is the driver's promise.
 */
#include "vgpu/tools/ptxrun.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct driver {
    int (*init)(unsigned flags);
    int (*device_get)(int *device, int ordinal);
    int (*name)(char *name, int len, int device);
    int (*version)(int *version);
    int (*retain)(void **context, int device);
    int (*set_current)(void *context);
    int (*reset)(int device); /* of the primary context: ends it, with all it holds */
    int (*free)(uint64_t address);
    int (*load)(void **module, const void *image, unsigned num, void *options, void **values);
    int (*unload)(void *module);
    int (*get_function)(void **function, void *module, const char *name);
    int (*alloc)(uint64_t *address, size_t size);
    int (*to_device)(uint64_t to, const void *from, size_t size);
    int (*to_host)(void *to, uint64_t from, size_t size);
    int (*launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                  unsigned bz, unsigned shared, void *stream, void **args, void **extra);
    int (*synchronize)(void);
    int (*error_string)(int error, const char **text);
} driver;

enum { MAX_BUFFERS = 64 };

struct target {
    void *library;
    driver cu;
    int device;
    bool faulted;     /* the context answers no more */
    const char *text; /* what module was made of     */
    void *module;
    uint64_t buffers[MAX_BUFFERS];
    int num_buffers;
};

static bool find_functions(target *t) {
    const struct {
        const char *name;
        void *slot;
    } functions[] = {
        {"cuInit", &t->cu.init},
        {"cuDeviceGet", &t->cu.device_get},
        {"cuDeviceGetName", &t->cu.name},
        {"cuDriverGetVersion", &t->cu.version},
        {"cuDevicePrimaryCtxRetain", &t->cu.retain},
        {"cuCtxSetCurrent", &t->cu.set_current},
        {"cuDevicePrimaryCtxReset_v2", &t->cu.reset},
        {"cuMemFree_v2", &t->cu.free},
        {"cuModuleLoadDataEx", &t->cu.load},
        {"cuModuleUnload", &t->cu.unload},
        {"cuModuleGetFunction", &t->cu.get_function},
        {"cuMemAlloc_v2", &t->cu.alloc},
        {"cuMemcpyHtoD_v2", &t->cu.to_device},
        {"cuMemcpyDtoH_v2", &t->cu.to_host},
        {"cuLaunchKernel", &t->cu.launch},
        {"cuCtxSynchronize", &t->cu.synchronize},
        {"cuGetErrorString", &t->cu.error_string},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *f = dlsym(t->library, functions[i].name);
        if (f == NULL)
            return false;
        *(void **)functions[i].slot = f;
    }
    return true;
}

static bool make_context(target *t) {
    void *context;
    return t->cu.retain(&context, t->device) == 0 && t->cu.set_current(context) == 0;
}

target *target_open(char *why, size_t len) {
    target *t = calloc(1, sizeof *t);
    if (t == NULL) {
        snprintf(why, len, "out of memory");
        return NULL;
    }
    t->library = dlopen("libcuda.so.1", RTLD_NOW);
    if (t->library == NULL || !find_functions(t))
        snprintf(why, len, "no CUDA driver on this machine");
    else if (t->cu.init(0) != 0 || t->cu.device_get(&t->device, 0) != 0 || !make_context(t))
        snprintf(why, len, "no GPU answers");
    else
        return t;
    target_close(t);
    return NULL;
}

void target_close(target *t) {
    if (t != NULL && t->library != NULL)
        dlclose(t->library);
    free(t);
}

void target_describe(const target *t, char *text, size_t len) {
    char name[128] = "?";
    int version = 0;
    t->cu.name(name, sizeof name, t->device);
    t->cu.version(&version);
    snprintf(text, len, "%s, driver for CUDA %d.%d", name, version / 1000, version % 1000 / 10);
}

void target_forget(target *t) {
    if (t->module != NULL && !t->faulted)
        t->cu.unload(t->module);
    t->module = NULL;
    t->text = NULL;
}

bool target_renew(target *t, char *why, size_t len) {
    if (t->faulted) { /* memory and module are gone with the context */
        target_forget(t);
        t->faulted = false;
        t->num_buffers = 0;
        if (t->cu.reset(t->device) != 0 || !make_context(t)) {
            snprintf(why, len, "the GPU does not answer after a fault");
            return false;
        }
    }
    while (t->num_buffers > 0)
        t->cu.free(t->buffers[--t->num_buffers]);
    return true;
}

uint64_t target_alloc(target *t, const void *bytes, size_t size) {
    uint64_t address = 0;
    if (t->num_buffers == MAX_BUFFERS || t->cu.alloc(&address, size) != 0)
        return 0;
    t->buffers[t->num_buffers++] = address;
    return t->cu.to_device(address, bytes, size) == 0 ? address : 0;
}

bool target_read(target *t, uint64_t address, void *bytes, size_t size) {
    return t->cu.to_host(bytes, address, size) == 0;
}

/* The driver compiles a text in a second; calls of one text share the module, unless it has
 * variables, which an earlier call may have changed. */
static int load(target *t, const char *text) {
    const bool variables = strstr(text, ".global .") != NULL || strstr(text, ".const .") != NULL;
    if (t->module != NULL && t->text == text && !variables)
        return 0;
    target_forget(t);
    const int code = t->cu.load(&t->module, text, 0, NULL, NULL);
    t->text = text;
    t->module = code == 0 ? t->module : NULL;
    return code;
}

enum target_status target_run(target *t, const target_call *call, int *code, char *message,
                              size_t len) {
    void *function;
    *code = load(t, call->text);
    if (*code == 0 && t->cu.get_function(&function, t->module, call->kernel) != 0)
        return TARGET_MISUSE;
    if (*code == 0) {
        *code = t->cu.launch(function, call->grid[0], call->grid[1], call->grid[2], call->block[0],
                             call->block[1], call->block[2], call->shared, NULL, call->args, NULL);
    }
    if (*code == 0) {
        *code = t->cu.synchronize();
        t->faulted = *code != 0;
    }
    const char *text = NULL;
    if (*code != 0)
        t->cu.error_string(*code, &text);
    snprintf(message, len, "%s", text != NULL ? text : "");
    return *code == 0 ? TARGET_DONE : TARGET_FAULT;
}
