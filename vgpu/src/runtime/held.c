/* held.c: see held.h. */
#include "vgpu/src/runtime/held.h"

#include "vgpu/include/cuda_runtime.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/src/debug/debug.h"
#include "vgpu/src/memory/settings.h"
#include "vgpu/src/runtime/fatbin.h"

#include <fcntl.h>
#include <stdlib.h>

/* With the context's lock held, but for the first look before main. */
static struct {
    vg_debug *debug; /* NULL: not debugged */
    bool attached;
    int first_finding;
} the;

bool vg_is_held(void) {
    return the.debug != NULL;
}

bool vg_held_find(vg_context *ctx, vg_fatbin *fatbin) {
    if (the.debug == NULL)
        return false;
    if (fatbin->names == NULL) {
        fatbin->names = vg_names_read(fatbin->watched.names, fatbin->watched.names_len);
        if (fatbin->names != NULL && !vg_debug_know(the.debug, fatbin->names))
            vg_tell(ctx, VG_NOTE(OUT_OF_HOST_MEMORY, .name = "the names of another module"));
    }
    return fatbin->names != NULL;
}

bool vg_held_attach(vg_context *ctx) {
    if (the.debug == NULL || the.attached)
        return true;
    the.attached = vg_debug_attach(the.debug, ctx->exec, ctx->check);
    return the.attached;
}

void vg_held_begin(vg_context *ctx, const vg_function *fn) {
    if (the.debug == NULL)
        return;
    the.first_finding = vg_findings_count(vg_check_findings(ctx->check));
    vg_debug_launch(the.debug, fn->fatbin->names, vg_kernel_get_info(fn->kernel)->pretty);
}

void vg_held_end(vg_context *ctx) {
    if (the.debug != NULL)
        vg_debug_findings(the.debug, vg_check_findings(ctx->check), the.first_finding);
}

void vg_held_copied(const void *host, uint64_t device, uint64_t bytes) {
    if (the.debug != NULL)
        vg_debug_copied(the.debug, host, device, bytes);
}

/* C's elements after the call, for the child that looks ahead; NULL: there was a fault. */
static float *product_of(const struct vgpu_product *p, bool *on_device) {
    const size_t bytes = p->count * sizeof(float);
    struct cudaPointerAttributes a = {0};
    float *got = malloc(bytes);
    *on_device = cudaPointerGetAttributes(&a, p->c) == cudaSuccess &&
                 a.type != cudaMemoryTypeUnregistered && a.type != cudaMemoryTypeHost;
    if (got == NULL || cudaDeviceSynchronize() != cudaSuccess ||
        cudaMemcpy(got, p->c, bytes, *on_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost) !=
            cudaSuccess)
        return NULL;
    return got;
}

void vgpu_foresee(void (*call)(void *), void *self, const struct vgpu_product *p) {
    bool on_device;
    if (the.debug == NULL || !vg_debug_foresee(the.debug, p))
        return;
    call(self);
    const float *got = product_of(p, &on_device);
    vg_debug_foreseen(the.debug, got, on_device);
}

/* Names of all modules, before anything of them is used. */
static void find_all(vg_context *ctx) {
    for (vg_fatbin *f = ctx->fatbins; f; f = f->next) {
        const char *text = NULL;
        char *unpacked = NULL, why[512];
        size_t len = 0;
        if (vg_fatbin_ptx(f->wrapper, &text, &len, &unpacked, why, sizeof why) &&
            unpacked == NULL && vg_watched_read(text, len, &f->watched))
            (void)vg_held_find(ctx, f);
        free(unpacked);
    }
}

/* Stands behind the constructors of the program's files, which register its kernels: the library
 * is linked last. */
__attribute__((constructor)) static void hold_before_main(void) {
    const char *text = vg_setting("VGPU_DEBUG");
    char *end = NULL;
    const long fd = text != NULL ? strtol(text, &end, 10) : -1;
    if (text == NULL || end == text || *end != '\0' || fcntl((int)fd, F_SETFD, FD_CLOEXEC) != 0)
        return;
    (void)unsetenv("VGPU_DEBUG"); /* a program that this one starts is another matter */
    the.debug = vg_debug_create((int)fd);
    if (the.debug == NULL)
        return;
    vg_context *ctx = vg_begin();
    find_all(ctx);
    vg_end_quietly(ctx);
    vg_debug_hold(the.debug);
}
