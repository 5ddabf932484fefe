/*
 * vgpu-resources.c: prints what the kernels of a PTX file need, for vgpucc --ptxas-options=-v. The
 * lines are those of ptxas, so that what reads them finds its numbers; but the registers are an
 * estimate, from the lives of the PTX's own registers, and the lines say so.
 */
#include "vgpu/src/core/program.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_TEXT = 1 << 28, PARAMETERS_AT = 352 /* in constant bank 0, as ptxas puts them */ };

static char *read_text(const char *path, size_t *length) {
    FILE *f = fopen(path, "rb");
    char *text = f ? malloc(MOST_TEXT) : NULL;
    *length = text ? fread(text, 1, MOST_TEXT, f) : 0;
    if (f)
        fclose(f);
    return text;
}

static size_t parameter_bytes(const vg_kernel *kernel, int count) {
    size_t offset = 0, size = 0;
    if (count > 0)
        vg_kernel_param(kernel, count - 1, &offset, &size);
    return offset + size;
}

static void print_kernel(vg_kernel *kernel, int target) {
    vg_fault fault;
    const vg_kernel_info *info = vg_kernel_get_info(kernel);
    fprintf(stderr, "ptxas info    : Compiling entry function '%s' for 'sm_%d'\n", info->name,
            target);
    if (!vg_kernel_prepare(kernel, false, &fault)) {
        fprintf(stderr, "vgpucc: %s\n", fault.text);
        return;
    }
    fprintf(stderr,
            "ptxas info    : Function properties for %s\n"
            "    %u bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
            "ptxas info    : Used %d registers (estimated)",
            info->name, info->local_bytes, info->num_regs);
    if (info->static_shared > 0)
        fprintf(stderr, ", %u bytes smem", info->static_shared);
    fprintf(stderr, ", %zu bytes cmem[0]\n",
            PARAMETERS_AT + parameter_bytes(kernel, info->num_params));
}

int main(int argc, char **argv) {
    size_t length = 0;
    vg_fault fault;
    char *text = argc == 2 ? read_text(argv[1], &length) : NULL;
    vg_mem *mem = vg_mem_create(1ull << 34);
    if (!text || !mem) {
        fprintf(stderr, "usage: vgpu-resources FILE.ptx\n");
        return 2;
    }
    vg_module *module = vg_module_load(text, length, mem, &fault);
    if (!module) {
        fprintf(stderr, "vgpucc: %s\n", fault.text);
        return 1;
    }
    for (vg_kernel *k = module->kernels; k; k = k->next)
        print_kernel(k, vg_kernel_get_info(k)->target);
    vg_module_unload(module, mem);
    vg_mem_destroy(mem);
    free(text);
    return 0;
}
