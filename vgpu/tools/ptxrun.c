/*
 * ptxrun: runs one kernel of a PTX file on the virtual GPU and prints the buffers it was given. For
 * tests of the executor and for people who want to see what an instruction does; programs are run
 * with vgpucc.
 *
 *     ptxrun FILE.ptx --kernel NAME [--grid X[,Y[,Z]]] [--block X[,Y[,Z]]] [--shared BYTES] ARG...
 *
 * An ARG is a scalar, TYPE=VALUE (u32=7, s64=-1, f32=0x1p-3, b32=0x7fc00000), or a buffer,
 * TYPE[N]=V0,V1,… (the rest repeats the last value) or TYPE[N] (zeros); types are u8 to u64, s8 to
 * s64, b8 to b64, f32, f64. After the launch each buffer is printed, eight values a line.
 *
 * Exit status: 0 done, 1 the kernel faulted (the fault is printed), 2 a mistake in the call.
 */
#include "vgpu/src/core/core.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGS = 32 };

typedef struct argument {
    char kind; /* u, s, b or f */
    int bits;
    size_t count; /* elements of a buffer; 0: a scalar */
    uint64_t value;
    uint64_t address;
} argument;

static _Noreturn void die(const char *what, const char *arg) {
    fprintf(stderr, "ptxrun: %s: %s\n", what, arg);
    exit(2);
}

static uint64_t parse_value(const argument *a, const char *text, const char **end) {
    char *rest;
    uint64_t bits = 0;
    errno = 0;
    if (a->kind == 'f' && a->bits == 32) {
        const float f = strtof(text, &rest);
        memcpy(&bits, &f, sizeof f);
    } else if (a->kind == 'f') {
        const double d = strtod(text, &rest);
        memcpy(&bits, &d, sizeof d);
    } else if (*text == '-') {
        bits = (uint64_t)strtoll(text, &rest, 0);
    } else {
        bits = strtoull(text, &rest, 0);
    }
    if (rest == text) {
        die("no value here", text);
    }
    *end = rest;
    return bits;
}

static void print_buffer(const argument *a, const uint8_t *bytes, int index) {
    printf("arg %d: %c%d[%zu]\n", index, a->kind, a->bits, a->count);
    for (size_t i = 0; i < a->count; i++) {
        uint64_t v = 0;
        memcpy(&v, bytes + i * (size_t)(a->bits / 8), (size_t)(a->bits / 8));
        const char *sep = i % 8 == 7 || i + 1 == a->count ? "\n" : " ";
        if (a->kind == 'f' && a->bits == 32) {
            float f;
            const uint32_t b = (uint32_t)v;
            memcpy(&f, &b, sizeof f);
            printf("%.9g%s", (double)f, sep);
        } else if (a->kind == 'f') {
            double d;
            memcpy(&d, &v, sizeof d);
            printf("%.17g%s", d, sep);
        } else if (a->kind == 's') {
            printf("%" PRId64 "%s", (int64_t)(v << (64 - a->bits)) >> (64 - a->bits), sep);
        } else if (a->kind == 'b') {
            printf("0x%0*" PRIx64 "%s", a->bits / 4, v, sep);
        } else {
            printf("%" PRIu64 "%s", v, sep);
        }
    }
}

static argument parse_argument(vg_mem *mem, const char *text) {
    argument a = {.kind = text[0]};
    const char *p = text + 1;
    char *rest;
    a.bits = (int)strtol(p, &rest, 10);
    if (strchr("usbf", a.kind) == NULL || (a.bits != 8 && a.bits != 16 && a.bits != 32 && a.bits != 64)) {
        die("not TYPE=VALUE or TYPE[N]=…", text);
    }
    p = rest;
    if (*p == '[') {
        a.count = strtoull(p + 1, &rest, 10);
        if (*rest != ']' || a.count == 0 || a.count > (1u << 24)) {
            die("a buffer of an impossible size", text);
        }
        p = rest + 1;
        const size_t size = (size_t)(a.bits / 8);
        a.address = vg_mem_alloc(mem, a.count * size, 256, VG_MEM_DEVICE, NULL);
        uint8_t *bytes = a.address != 0 ? vg_mem_at(mem, a.address, a.count * size) : NULL;
        if (bytes == NULL) {
            die("out of memory for", text);
        }
        memset(bytes, 0, a.count * size);
        if (*p == '=') {
            uint64_t v = 0;
            for (size_t i = 0; i < a.count; i++) {
                if (*p == '=' || *p == ',') {
                    v = parse_value(&a, p + 1, &p);
                }
                memcpy(bytes + i * size, &v, size);
            }
        }
        a.value = a.address;
    } else if (*p == '=') {
        a.value = parse_value(&a, p + 1, &p);
    }
    if (*p != '\0') {
        die("don't know what to do with", p);
    }
    return a;
}

static vg_dim3 parse_dim(const char *text) {
    vg_dim3 d = {1, 1, 1};
    if (sscanf(text, "%u,%u,%u", &d.x, &d.y, &d.z) < 1) {
        die("not X[,Y[,Z]]", text);
    }
    return d;
}

static char *read_file(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        die(strerror(errno), path);
    }
    char *text = NULL;
    size_t size = 0;
    *len = 0;
    for (size_t n = 1; n > 0; *len += n) {
        if (*len + 65536 > size) {
            size = size == 0 ? 1 << 17 : 2 * size;
            text = realloc(text, size);
            if (text == NULL) {
                die("out of memory for", path);
            }
        }
        n = fread(text + *len, 1, 65536, f);
    }
    fclose(f);
    return text;
}

int main(int argc, char **argv) {
    vg_mem *mem = vg_mem_create(1ull << 30);
    vg_exec *exec = vg_exec_create(0);
    if (mem == NULL || exec == NULL || argc < 2) {
        die("usage: ptxrun FILE.ptx --kernel NAME [--grid …] [--block …] [--shared BYTES] ARG...", "");
    }
    const char *kernel_name = NULL;
    vg_launch_params params = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .mem = mem, .sm_count = 132, .budget = 50000000};
    argument args[MAX_ARGS];
    void *values[MAX_ARGS];
    int num_args = 0;
    for (int i = 2; i < argc; i++) {
        const bool option = strncmp(argv[i], "--", 2) == 0 && i + 1 < argc;
        if (option && strcmp(argv[i], "--kernel") == 0) {
            kernel_name = argv[++i];
        } else if (option && strcmp(argv[i], "--grid") == 0) {
            params.grid = parse_dim(argv[++i]);
        } else if (option && strcmp(argv[i], "--block") == 0) {
            params.block = parse_dim(argv[++i]);
        } else if (option && strcmp(argv[i], "--shared") == 0) {
            params.dynamic_shared = (uint32_t)strtoul(argv[++i], NULL, 0);
        } else if (num_args < MAX_ARGS) {
            args[num_args] = parse_argument(mem, argv[i]);
            values[num_args] = &args[num_args].value;
            num_args++;
        } else {
            die("too many arguments", argv[i]);
        }
    }
    size_t len;
    char *text = read_file(argv[1], &len);
    vg_fault fault;
    vg_module *module = vg_module_load(text, len, mem, &fault);
    vg_kernel *kernel = module != NULL && kernel_name != NULL ? vg_module_kernel(module, kernel_name) : NULL;
    if (module != NULL && kernel == NULL) {
        die("no such kernel", kernel_name != NULL ? kernel_name : "(--kernel is missing)");
    }
    int status = module == NULL || !vg_kernel_prepare(kernel, false, &fault) ? (int)fault.status : 0;
    if (status == 0 && vg_kernel_get_info(kernel)->num_params != num_args) {
        die("the kernel takes another number of arguments", kernel_name);
    }
    params.args = values;
    status = status != 0 ? status : (int)vg_launch(exec, kernel, &params, &fault);
    if (status != 0) {
        printf("fault %d: %s\n", status, fault.text);
    }
    for (int i = 0; i < num_args; i++) {
        if (args[i].count > 0) {
            print_buffer(&args[i], vg_mem_at(mem, args[i].address, 1), i);
        }
    }
    if (module != NULL) {
        vg_module_unload(module, mem);
    }
    vg_exec_destroy(exec);
    vg_mem_destroy(mem);
    free(text);
    return status == 0 ? 0 : 1;
}
