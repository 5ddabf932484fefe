/*
 * ptxrun: runs one kernel of a PTX file and prints the buffers it was given. For tests of the executor
 * and for people who want to see what an instruction does; programs are run with vgpucc. Where the
 * kernel runs, on the virtual GPU or a real one, is decided at link time (ptxrun.h).
 *
 *     ptxrun FILE.ptx --kernel NAME [--grid X[,Y[,Z]]] [--block X[,Y[,Z]]] [--shared BYTES] ARG...
 *
 * An ARG is a scalar, TYPE=VALUE (u32=7, s64=-1, f32=0x1p-3, b32=0x7fc00000), or a buffer,
 * TYPE[N]=V0,V1,… (the rest repeats the last value) or TYPE[N] (zeros); types are u8 to u64, s8 to
 * s64, b8 to b64, f32, f64. After the launch each buffer is printed, eight values a line.
 *
 * Exit status: 0 done, 1 the kernel faulted (the fault is printed), 2 a mistake in the call.
 */
#include "vgpu/tools/ptxrun.h"

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

static argument parse_argument(target *t, const char *text) {
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
        uint8_t *bytes = calloc(a.count, size);
        if (bytes == NULL) {
            die("out of memory for", text);
        }
        if (*p == '=') {
            uint64_t v = 0;
            for (size_t i = 0; i < a.count; i++) {
                if (*p == '=' || *p == ',') {
                    v = parse_value(&a, p + 1, &p);
                }
                memcpy(bytes + i * size, &v, size);
            }
        }
        a.address = target_alloc(t, bytes, a.count * size);
        free(bytes);
        if (a.address == 0) {
            die("out of device memory for", text);
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

static void parse_dim(const char *text, uint32_t *dim) {
    if (sscanf(text, "%u,%u,%u", &dim[0], &dim[1], &dim[2]) < 1) {
        die("not X[,Y[,Z]]", text);
    }
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
    text[*len] = '\0'; /* the buffer always has room beyond what was read */
    return text;
}

static void print_results(target *t, const argument *args, int num_args) {
    for (int i = 0; i < num_args; i++) {
        const size_t size = args[i].count * (size_t)(args[i].bits / 8);
        uint8_t *bytes = size > 0 ? malloc(size) : NULL;
        if (bytes != NULL && target_read(t, args[i].address, bytes, size)) {
            print_buffer(&args[i], bytes, i);
        }
        free(bytes);
    }
}

int main(int argc, char **argv) {
    char message[2048];
    if (argc < 2) {
        die("usage: ptxrun FILE.ptx --kernel NAME [--grid …] [--block …] [--shared BYTES] ARG...", "");
    }
    target *t = target_open(message, sizeof message);
    if (t == NULL) {
        die("cannot run anything", message);
    }
    target_call call = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    argument args[MAX_ARGS] = {{0}};
    void *values[MAX_ARGS];
    for (int i = 2; i < argc; i++) {
        const bool option = strncmp(argv[i], "--", 2) == 0 && i + 1 < argc;
        if (option && strcmp(argv[i], "--kernel") == 0) {
            call.kernel = argv[++i];
        } else if (option && strcmp(argv[i], "--grid") == 0) {
            parse_dim(argv[++i], call.grid);
        } else if (option && strcmp(argv[i], "--block") == 0) {
            parse_dim(argv[++i], call.block);
        } else if (option && strcmp(argv[i], "--shared") == 0) {
            call.shared = (uint32_t)strtoul(argv[++i], NULL, 0);
        } else if (call.num_args < MAX_ARGS) {
            args[call.num_args] = parse_argument(t, argv[i]);
            values[call.num_args] = &args[call.num_args].value;
            call.num_args++;
        } else {
            die("too many arguments", argv[i]);
        }
    }
    if (call.kernel == NULL) {
        die("which kernel?", "--kernel is missing");
    }
    char *text = read_file(argv[1], &call.len);
    call.text = text;
    call.args = values;
    int code = 0;
    const enum target_status status = target_run(t, &call, &code, message, sizeof message);
    if (status == TARGET_MISUSE) {
        die("no such kernel, or one with another number of arguments", call.kernel);
    }
    if (status == TARGET_FAULT) {
        printf("fault %d: %s\n", code, message);
    }
    print_results(t, args, call.num_args);
    target_close(t);
    free(text);
    return status == TARGET_DONE ? 0 : 1;
}
