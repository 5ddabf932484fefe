/*
 * ptxrun_gpu.c: ptxrun on a real GPU, through the CUDA driver's library; see ptxrun.h. The driver
 * compiles the PTX itself, so no toolkit is needed. The few functions used are declared here: their
 * binary interface is the driver's promise.
 */
#include "vgpu/tools/ptxrun.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct driver {
    int (*init)(unsigned flags);
    int (*device_get)(int *device, int ordinal);
    int (*retain)(void **context, int device);
    int (*set_current)(void *context);
    int (*load)(void **module, const void *image, unsigned num, void *options, void **values);
    int (*unload)(void *module);
    int (*get_function)(void **function, void *module, const char *name);
    int (*alloc)(uint64_t *address, size_t size);
    int (*to_device)(uint64_t to, const void *from, size_t size);
    int (*to_host)(void *to, uint64_t from, size_t size);
    int (*launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, void *stream, void **args, void **extra);
    int (*synchronize)(void);
    int (*error_string)(int error, const char **text);
} driver;

struct target {
    void *library;
    driver cu;
};

static bool find_functions(target *t) {
    const struct {
        const char *name;
        void *slot;
    } functions[] = {
        {"cuInit", &t->cu.init},
        {"cuDeviceGet", &t->cu.device_get},
        {"cuDevicePrimaryCtxRetain", &t->cu.retain},
        {"cuCtxSetCurrent", &t->cu.set_current},
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
        if (f == NULL) {
            return false;
        }
        *(void **)functions[i].slot = f;
    }
    return true;
}

target *target_open(char *why, size_t len) {
    target *t = calloc(1, sizeof *t);
    int device;
    void *context;
    if (t == NULL) {
        snprintf(why, len, "out of memory");
        return NULL;
    }
    t->library = dlopen("libcuda.so.1", RTLD_NOW);
    if (t->library == NULL || !find_functions(t)) {
        snprintf(why, len, "no CUDA driver on this machine");
    } else if (t->cu.init(0) != 0 || t->cu.device_get(&device, 0) != 0 || t->cu.retain(&context, device) != 0 ||
               t->cu.set_current(context) != 0) {
        snprintf(why, len, "no GPU answers");
    } else {
        return t;
    }
    target_close(t);
    return NULL;
}

void target_close(target *t) {
    if (t != NULL && t->library != NULL) {
        dlclose(t->library);
    }
    free(t);
}

uint64_t target_alloc(target *t, const void *bytes, size_t size) {
    uint64_t address = 0;
    return t->cu.alloc(&address, size) == 0 && t->cu.to_device(address, bytes, size) == 0 ? address : 0;
}

bool target_read(target *t, uint64_t address, void *bytes, size_t size) {
    return t->cu.to_host(bytes, address, size) == 0;
}

enum target_status target_run(target *t, const target_call *call, int *code, char *message, size_t len) {
    void *module, *function;
    *code = t->cu.load(&module, call->text, 0, NULL, NULL);
    if (*code == 0 && t->cu.get_function(&function, module, call->kernel) != 0) {
        return TARGET_MISUSE;
    }
    if (*code == 0) {
        *code = t->cu.launch(function, call->grid[0], call->grid[1], call->grid[2], call->block[0], call->block[1],
                             call->block[2], call->shared, NULL, call->args, NULL);
    }
    if (*code == 0) {
        *code = t->cu.synchronize();
    }
    const char *text = NULL;
    if (*code != 0) {
        t->cu.error_string(*code, &text);
    }
    snprintf(message, len, "%s", text != NULL ? text : "");
    return *code == 0 ? TARGET_DONE : TARGET_FAULT;
}
