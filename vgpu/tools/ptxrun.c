/*
 * ptxrun: runs one kernel of a PTX file and prints the buffers it was given. For tests of the
 * executor and for people who want to see what an instruction does; programs are run with vgpucc.
 * Where the kernel runs, on the virtual GPU or a real one, is decided at link time (ptxrun.h).
 *
 *     ptxrun FILE.ptx --kernel NAME [--grid X[,Y[,Z]]] [--block X[,Y[,Z]]] [--shared BYTES] ARG...
 *     ptxrun --tests FOLDER FILE.ptx...
 *     ptxrun --device
 *
 * The second form makes many calls in one process, since a real GPU takes a second to start: one
 * for each line `// run: ARGUMENTS` of each file, and what the calls print goes to FOLDER/NAME.out
 * for NAME.ptx. A call knows nothing of those before it: memory, variables and faults are gone. The
 * third form names the device.
 *
 * An ARG is a scalar, TYPE=VALUE (u32=7, s64=-1, f32=0x1p-3, b32=0x7fc00000), or a buffer,
 * TYPE[N]=V0,V1,… (the rest repeats the last value) or TYPE[N] (zeros); types are u8 to u64, s8 to
 * s64, b8 to b64, f32, f64. After the launch each buffer is printed, eight values a line: of equal
 * lines the first and their number, and of a buffer that is as it was given, only that.
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
    uint8_t *given; /* what a buffer held before the launch */
} argument;

/* One call, from its words to the device. */
typedef struct run {
    target *device;
    FILE *errors; /* where mistakes in the call are said; results go to standard output */
    target_call call;
    argument args[MAX_ARGS];
    void *values[MAX_ARGS];
} run;

/* Says what is wrong with the call; false, for `return mistake(…)`. */
static bool mistake(FILE *errors, const char *what, const char *arg) {
    fprintf(errors, "ptxrun: %s: %s\n", what, arg);
    return false;
}

static bool parse_value(FILE *errors, const argument *a, const char *text, const char **end,
                        uint64_t *bits) {
    char *rest;
    *bits = 0;
    errno = 0;
    if (a->kind == 'f' && a->bits == 32) {
        const float f = strtof(text, &rest);
        memcpy(bits, &f, sizeof f);
    } else if (a->kind == 'f') {
        const double d = strtod(text, &rest);
        memcpy(bits, &d, sizeof d);
    } else if (*text == '-') {
        *bits = (uint64_t)strtoll(text, &rest, 0);
    } else {
        *bits = strtoull(text, &rest, 0);
    }
    *end = rest;
    return rest != text || mistake(errors, "no value here", text);
}

static void print_value(const argument *a, uint64_t v) {
    if (a->kind == 'f' && a->bits == 32) {
        float f;
        const uint32_t b = (uint32_t)v;
        memcpy(&f, &b, sizeof f);
        printf("%.9g", (double)f);
    } else if (a->kind == 'f') {
        double d;
        memcpy(&d, &v, sizeof d);
        printf("%.17g", d);
    } else if (a->kind == 's') {
        printf("%" PRId64, (int64_t)(v << (64 - a->bits)) >> (64 - a->bits));
    } else if (a->kind == 'b') {
        printf("0x%0*" PRIx64, a->bits / 4, v);
    } else {
        printf("%" PRIu64, v);
    }
}

static void print_row(const argument *a, const uint8_t *bytes, size_t values) {
    const size_t size = (size_t)(a->bits / 8);
    for (size_t i = 0; i < values; i++) {
        uint64_t v = 0;
        memcpy(&v, bytes + i * size, size);
        if (i > 0)
            putchar(' ');
        print_value(a, v);
    }
}

static void print_buffer(const argument *a, const uint8_t *bytes, int index) {
    enum { ROW = 8 };
    const size_t size = (size_t)(a->bits / 8), row = ROW * size, all = a->count * size;
    printf("arg %d: %c%d[%zu]", index, a->kind, a->bits, a->count);
    if (memcmp(bytes, a->given, all) == 0) {
        puts(", as given");
        return;
    }
    putchar('\n');
    for (size_t at = 0, times; at < all; at += times * row) {
        const size_t left = all - at;
        print_row(a, bytes + at, left < row ? left / size : ROW);
        for (times = 1; left >= (times + 1) * row;) {
            if (memcmp(bytes + at, bytes + at + times * row, row) != 0)
                break;
            times++;
        }
        if (times > 1)
            printf(" (%zu times)", times);
        putchar('\n');
    }
}

/* The values behind "TYPE[N]", in a buffer the caller frees; NULL when they make no sense. */
static uint8_t *parse_elements(FILE *errors, const argument *a, const char **p) {
    const size_t size = (size_t)(a->bits / 8);
    uint8_t *bytes = calloc(a->count, size);
    uint64_t v = 0;
    if (bytes == NULL || **p != '=')
        return bytes;
    for (size_t i = 0; i < a->count; i++) {
        if ((**p == '=' || **p == ',') && !parse_value(errors, a, *p + 1, p, &v)) {
            free(bytes);
            return NULL;
        }
        memcpy(bytes + i * size, &v, size);
    }
    return bytes;
}

static bool parse_argument(run *r, const char *text) {
    argument *a = &r->args[r->call.num_args];
    const char *p = text + 1;
    char *rest;
    *a = (argument){.kind = text[0], .bits = (int)strtol(p, &rest, 10)};
    if (a->kind == '\0' || strchr("usbf", a->kind) == NULL ||
        (a->bits != 8 && a->bits != 16 && a->bits != 32 && a->bits != 64))
        return mistake(r->errors, "not TYPE=VALUE or TYPE[N]=…", text);
    p = rest;
    if (*p == '[') {
        a->count = strtoull(p + 1, &rest, 10);
        if (*rest != ']' || a->count == 0 || a->count > (1u << 24))
            return mistake(r->errors, "a buffer of an impossible size", text);
        p = rest + 1;
        a->given = parse_elements(r->errors, a, &p);
        if (a->given != NULL) {
            a->value = a->address =
                target_alloc(r->device, a->given, a->count * (size_t)(a->bits / 8));
        }
        if (a->address == 0) {
            free(a->given);
            return mistake(r->errors, "no buffer for", text);
        }
    } else if (*p == '=' && !parse_value(r->errors, a, p + 1, &p, &a->value)) {
        return false;
    }
    if (*p != '\0') {
        free(a->given);
        return mistake(r->errors, "don't know what to do with", p);
    }
    r->values[r->call.num_args++] = &a->value;
    return true;
}

static bool parse_dim(run *r, const char *text, uint32_t *dim) {
    return sscanf(text, "%u,%u,%u", &dim[0], &dim[1], &dim[2]) >= 1 ||
           mistake(r->errors, "not X[,Y[,Z]]", text);
}

static bool parse_call(run *r, int count, char **words) {
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        const bool option = strncmp(words[i], "--", 2) == 0 && i + 1 < count;
        if (option && strcmp(words[i], "--kernel") == 0)
            r->call.kernel = words[++i];
        else if (option && strcmp(words[i], "--grid") == 0)
            ok = parse_dim(r, words[++i], r->call.grid);
        else if (option && strcmp(words[i], "--block") == 0)
            ok = parse_dim(r, words[++i], r->call.block);
        else if (option && strcmp(words[i], "--shared") == 0)
            r->call.shared = (uint32_t)strtoul(words[++i], NULL, 0);
        else if (r->call.num_args < MAX_ARGS)
            ok = parse_argument(r, words[i]);
        else
            ok = mistake(r->errors, "too many arguments", words[i]);
    }
    return ok &&
           (r->call.kernel != NULL || mistake(r->errors, "which kernel?", "--kernel is missing"));
}

static void print_results(const run *r) {
    for (int i = 0; i < r->call.num_args; i++) {
        const argument *a = &r->args[i];
        const size_t size = a->count * (size_t)(a->bits / 8);
        uint8_t *bytes = size > 0 ? malloc(size) : NULL;
        if (bytes != NULL && target_read(r->device, a->address, bytes, size))
            print_buffer(a, bytes, i);
        free(bytes);
    }
}

/* The kernel's run and its results; the exit status. */
static int run_kernel(run *r) {
    char message[2048];
    int code = 0;
    const enum target_status status =
        target_run(r->device, &r->call, &code, message, sizeof message);
    if (status == TARGET_MISUSE) {
        mistake(r->errors, "no such kernel, or one with another number of arguments",
                r->call.kernel);
        return 2;
    }
    if (status == TARGET_FAULT)
        printf("fault %d: %s\n", code, message);
    print_results(r);
    return status == TARGET_DONE ? 0 : 1;
}

/* One call in all; its exit status. */
static int run_call(target *device, FILE *errors, const char *text, size_t len, int count,
                    char **words) {
    run r = {.device = device,
             .errors = errors,
             .call = {.text = text, .len = len, .grid = {1, 1, 1}, .block = {32, 1, 1}}};
    r.call.args = r.values;
    const int status = parse_call(&r, count, words) ? run_kernel(&r) : 2;
    for (int i = 0; i < r.call.num_args; i++)
        free(r.args[i].given);
    return status;
}

/* The whole file with a NUL behind it, or NULL after saying why not. */
static char *read_file(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    *len = 0;
    if (f == NULL) {
        mistake(stderr, strerror(errno), path);
        return NULL;
    }
    for (size_t n = 1; n > 0; *len += n) {
        if (*len + 65536 > size) {
            size = size == 0 ? 1 << 17 : 2 * size;
            char *more = realloc(text, size);
            if (more == NULL) {
                mistake(stderr, "out of memory for", path);
                free(text);
                fclose(f);
                return NULL;
            }
            text = more;
        }
        n = fread(text + *len, 1, 65536, f);
    }
    fclose(f);
    text[*len] = '\0'; /* the buffer always has room beyond what was read */
    return text;
}

/* ---- all calls of a test ---- */

/* Makes the call that a line `// run: …` asks for. False when the device is of no more use. */
static bool run_line(target *device, const char *text, size_t len, const char *line,
                     size_t line_len) {
    char *words[MAX_ARGS + 16];
    char *copy = strndup(line, line_len), *rest = NULL, why[256];
    int count = 0;
    if (copy == NULL || !target_renew(device, why, sizeof why)) {
        free(copy);
        return mistake(stderr, "cannot go on", copy == NULL ? "out of memory" : why);
    }
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (count < MAX_ARGS + 16)
            words[count++] = word;
    const int status = run_call(device, stdout, text, len, count, words);
    if (status > 1) /* 1 is a fault of the kernel, which is printed */
        printf("exit status %d: %.*s\n", status, (int)line_len, line);
    fflush(stdout); /* what came before a crash is worth having */
    free(copy);
    return true;
}

static bool run_test(target *device, const char *folder, const char *path) {
    static const char mark[] = "// run: ";
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path,
               *dot = strrchr(name, '.');
    char out_path[4096];
    size_t len;
    char *text = read_file(path, &len);
    if (text == NULL)
        return false;
    snprintf(out_path, sizeof out_path, "%s/%.*s.out", folder,
             dot != NULL ? (int)(dot - name) : (int)strlen(name), name);
    /* Kernels that print do so on standard output. */
    bool ok = freopen(out_path, "w", stdout) != NULL || mistake(stderr, strerror(errno), out_path);
    for (const char *line = text; ok && line != NULL && *line != '\0';) {
        const size_t line_len = strcspn(line, "\n");
        if (strncmp(line, mark, sizeof mark - 1) == 0)
            ok = run_line(device, text, len, line + sizeof mark - 1, line_len - (sizeof mark - 1));
        line += line_len + (line[line_len] == '\n');
    }
    target_forget(device); /* the text is about to go */
    free(text);
    return ok && (ferror(stdout) == 0 || mistake(stderr, "cannot write", out_path));
}

int main(int argc, char **argv) {
    char message[2048];
    const bool tests = argc >= 4 && strcmp(argv[1], "--tests") == 0;
    const bool name = argc == 2 && strcmp(argv[1], "--device") == 0;
    int status = 0;
    if (!tests && !name && (argc < 2 || strncmp(argv[1], "--", 2) == 0)) {
        fprintf(
            stderr,
            "usage: ptxrun FILE.ptx --kernel NAME [--grid …] [--block …] [--shared BYTES] ARG...\n"
            "       ptxrun --tests FOLDER FILE.ptx...\n"
            "       ptxrun --device\n");
        return 2;
    }
    target *device = target_open(message, sizeof message);
    if (device == NULL) {
        mistake(stderr, "cannot run anything", message);
        return 2;
    }
    for (int i = 3; tests && i < argc && status == 0; i++)
        status = run_test(device, argv[2], argv[i]) ? 0 : 2;
    if (name) {
        target_describe(device, message, sizeof message);
        puts(message);
    } else if (!tests) {
        size_t len = 0;
        char *text = read_file(argv[1], &len);
        status = text != NULL ? run_call(device, stderr, text, len, argc - 2, argv + 2) : 2;
        target_forget(device);
        free(text);
    }
    target_close(device);
    return status;
}
