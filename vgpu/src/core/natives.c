/* natives.c: see natives.h. */
#include "vgpu/src/core/natives.h"

#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct native {
    const char *name;
    int num_args;
    /* Exactly one of these is set. */
    float (*f1)(float);
    float (*f2)(float, float);
    float (*f3)(float, float, float);
    double (*d1)(double);
    double (*d2)(double, double);
    double (*d3)(double, double, double);
    float (*fi)(float, int);
    double (*di)(double, int);
    bool (*raw)(warp *w, const op *o, int lane, const uint8_t *const *arg, uint8_t *ret);
};

/* Functions CUDA has and C99 has not. */
static double sinpi_d(double x) {
    x = fmod(x, 2.0);
    const double r = x < 0 ? x + 2.0 : x; /* [0, 2) */
    if (r == 0.0 || r == 1.0)
        return copysign(0.0, x);
    return r == 0.5 ? 1.0 : r == 1.5 ? -1.0 : sin(r * M_PI);
}
static double cospi_d(double x) {
    const double r = fmod(fabs(x), 2.0);
    return r == 0.5 || r == 1.5 ? 0.0 : cos(r * M_PI);
}
static float sinpi_f(float x) {
    return (float)sinpi_d(x);
}
static float cospi_f(float x) {
    return (float)cospi_d(x);
}
static double exp10_d(double x) {
    return pow(10.0, x);
}
static float exp10_f(float x) {
    return (float)pow(10.0, (double)x);
}
static double rcbrt_d(double x) {
    return 1.0 / cbrt(x);
}
static float rcbrt_f(float x) {
    return (float)(1.0 / cbrt((double)x));
}
static double rsqrt_d(double x) {
    return 1.0 / sqrt(x);
}
static float rsqrt_f(float x) {
    return (float)(1.0 / sqrt((double)x));
}
static double normcdf_d(double x) {
    return 0.5 * erfc(-x * M_SQRT1_2);
}
static float normcdf_f(float x) {
    return (float)normcdf_d(x);
}
static double erfcx_d(double x) {
    if (x < 25.0)
        return exp(x * x) * erfc(x);
    const double t = 1.0 / (x * x); /* asymptotic: the product above would be infinity times 0 */
    return 0.5641895835477563 / x * (1 - 0.5 * t * (1 - 1.5 * t * (1 - 2.5 * t)));
}
static float erfcx_f(float x) {
    return (float)erfcx_d(x);
}
/* The inverse of erf by Newton's method on a starting value good to three digits. */
static double erfinv_d(double y) {
    if (!(fabs(y) < 1.0))
        return y == 1.0 ? INFINITY : y == -1.0 ? -INFINITY : NAN;
    const double l = log1p(-y * y), a = 0.147, t = 2 / (M_PI * a) + l / 2;
    double x = copysign(sqrt(sqrt(t * t - l / a) - t), y);
    for (int i = 0; i < 4; i++) {
        const double over = (1 - fabs(y)) - erfc(fabs(x)); /* of erf(x), whatever its sign */
        const double e = fabs(y) < 0.5 ? erf(x) - y : y < 0 ? -over : over;
        x -= e / (M_2_SQRTPI * exp(-x * x));
    }
    return x;
}
static float erfinv_f(float y) {
    return (float)erfinv_d(y);
}

/* ---- printf ---- */

void vg_print(text_buffer *out, const char *bytes, size_t len) {
    if (out->len + len > out->size) {
        size_t size = out->size == 0 ? 256 : out->size;
        while (size < out->len + len)
            size *= 2;
        char *bigger = realloc(out->bytes, size);
        if (bigger == NULL)
            return;
        out->bytes = bigger;
        out->size = size;
    }
    memcpy(out->bytes + out->len, bytes, len);
    out->len += len;
}

/* Copies a string out of device or host memory; "(null)" when there is none to read. */
static void read_string(warp *w, int lane, uint64_t address, char *out, size_t size) {
    size_t n = 0;
    for (; n + 1 < size; n++) {
        const char *c = vg_generic_at(w, lane, address + n, 1);
        if (c == NULL)
            break;
        if (*c == '\0') {
            out[n] = '\0';
            return;
        }
        out[n] = *c;
    }
    snprintf(out + n, size - n, "%s", n == 0 ? "(null)" : "");
}

static bool fetch(warp *w, int lane, uint64_t *at, uint32_t size, uint64_t *value) {
    *at = (*at + size - 1) & ~(uint64_t)(size - 1);
    const void *p = vg_generic_at(w, lane, *at, size);
    *value = 0;
    if (p == NULL)
        return false;
    memcpy(value, p, size);
    *at += size;
    return true;
}

typedef struct spec {
    char text[40]; /* %-08.3 without the conversion, and without length letters */
    char conversion;
    bool is_long; /* l, ll, z, t, j: 8 bytes */
} spec;

/* A GPU fetches a width of *, but takes a precision of * for none, and its number for a value. */
static void note_star(warp *w, const op *o, int lane) {
    launch *l = w->worker->launch;
    if (l->params->star != NULL && !atomic_exchange(&l->starred, true))
        vg_fault_fill(l->params->star, w, o, lane, VG_OK, VG_NOTE(PRINT_STAR));
}

/* Reads one conversion at *f, after the '%'; stars are fetched. */
static bool read_spec(warp *w, const op *o, int lane, const char **f, uint64_t *args, spec *s) {
    size_t n = 0;
    s->text[n++] = '%';
    s->is_long = false;
    for (; **f != '\0' && strchr("-+ #0123456789.*", **f) != NULL; (*f)++) {
        if (**f == '*') {
            uint64_t v;
            if (s->text[n - 1] == '.')
                note_star(w, o, lane);
            if (!fetch(w, lane, args, 4, &v))
                return false;
            n += (size_t)snprintf(s->text + n, sizeof s->text - n, "%d", (int)(int32_t)v);
        } else if (n < sizeof s->text - 16) {
            s->text[n++] = **f;
        }
        n = n < sizeof s->text - 1 ? n : sizeof s->text - 1;
    }
    for (; **f != '\0' && strchr("hlLqjzt", **f) != NULL; (*f)++)
        s->is_long |= **f != 'h' && **f != 'L';
    s->text[n] = '\0';
    s->conversion = **f;
    if (**f != '\0')
        (*f)++;
    return true;
}

static int format_one(warp *w, int lane, const spec *s, uint64_t *args, char *out, size_t size) {
    char format[48];
    uint64_t v;
    switch (s->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        if (!fetch(w, lane, args, s->is_long ? 8 : 4, &v))
            return -1;
        snprintf(format, sizeof format, "%s%s%c", s->text, s->is_long ? "ll" : "", s->conversion);
        return s->is_long ? snprintf(out, size, format, (long long)v)
                          : snprintf(out, size, format, (int)v);
    case 'c':
        if (!fetch(w, lane, args, 4, &v))
            return -1;
        snprintf(format, sizeof format, "%sc", s->text);
        return snprintf(out, size, format, (int)v);
    case 'p':
        if (!fetch(w, lane, args, 8, &v))
            return -1;
        return v == 0 ? snprintf(out, size, "(nil)") : snprintf(out, size, "0x%" PRIx64, v);
    case 's': {
        char text[512];
        if (!fetch(w, lane, args, 8, &v))
            return -1;
        read_string(w, lane, v, text, sizeof text);
        snprintf(format, sizeof format, "%ss", s->text);
        return snprintf(out, size, format, text);
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
        double d;
        if (!fetch(w, lane, args, 8, &v))
            return -1;
        memcpy(&d, &v, sizeof d);
        snprintf(format, sizeof format, "%s%c", s->text, s->conversion);
        return snprintf(out, size, format, d);
    }
    default: return snprintf(out, size, "%s%c", s->text, s->conversion);
    }
}

/* int vprintf(const char *format, void *arguments) */
static bool native_vprintf(warp *w, const op *o, int lane, const uint8_t *const *arg,
                           uint8_t *ret) {
    uint64_t format_at, args;
    memcpy(&format_at, arg[0], 8);
    memcpy(&args, arg[1], 8);
    char format[2048];
    read_string(w, lane, format_at, format, sizeof format);
    int count = 0;
    for (const char *f = format; *f != '\0';) {
        if (*f != '%') {
            const size_t plain = strcspn(f, "%");
            vg_print(&w->block->printed, f, plain);
            f += plain;
            continue;
        }
        f++;
        if (*f == '%') {
            vg_print(&w->block->printed, "%", 1);
            f++;
            continue;
        }
        spec s;
        char out[1024];
        int n = read_spec(w, o, lane, &f, &args, &s)
                    ? format_one(w, lane, &s, &args, out, sizeof out)
                    : -1;
        if (n < 0)
            break;
        vg_print(&w->block->printed, out, n < (int)sizeof out ? (size_t)n : sizeof out - 1);
        count++;
    }
    const int32_t result = count;
    memcpy(ret, &result, sizeof result);
    return true;
}

/* void __assertfail(message, file, line, function, char size) */
static bool native_assertfail(warp *w, const op *o, int lane, const uint8_t *const *arg,
                              uint8_t *ret) {
    (void)ret;
    uint64_t message_at, file_at, function_at;
    uint32_t line;
    char message[256], file[256], function[256];
    memcpy(&message_at, arg[0], 8);
    memcpy(&file_at, arg[1], 8);
    memcpy(&line, arg[2], 4);
    memcpy(&function_at, arg[3], 8);
    read_string(w, lane, message_at, message, sizeof message);
    read_string(w, lane, file_at, file, sizeof file);
    read_string(w, lane, function_at, function, sizeof function);
    vg_stop(
        w, o, lane, VG_ASSERT,
        VG_NOTE(ASSERTION, .name = message, .other = function, .call = file, .is.number = {line}));
    return false;
}

/* void *malloc(size_t): null when the heap is full */
static bool native_malloc(warp *w, const op *o, int lane, const uint8_t *const *arg, uint8_t *ret) {
    uint64_t size;
    (void)o, (void)lane;
    memcpy(&size, arg[0], sizeof size);
    vg_heap *heap = w->worker->launch->params->heap;
    const uint64_t address = heap != NULL ? vg_heap_alloc(heap, size) : 0;
    memcpy(ret, &address, sizeof address);
    return true;
}

/* void free(void *) */
static bool native_free(warp *w, const op *o, int lane, const uint8_t *const *arg, uint8_t *ret) {
    uint64_t address;
    (void)ret;
    memcpy(&address, arg[0], sizeof address);
    vg_heap *heap = w->worker->launch->params->heap;
    if (address == 0)
        return true;
    if (!vg_heap_holds(heap, address) || vg_heap_free(heap, address) != VG_FREE_OK) {
        vg_note *note = VG_NOTE(DEVICE_FREE, .is.address = address, .is.memory = VGPU_MEMORY_HEAP);
        if (vg_heap_holds(heap, address))
            vg_heap_locate(heap, address, &note->is);
        vg_stop(w, o, lane, VG_LAUNCH_FAILURE, note);
        return false;
    }
    return true;
}

/* The bytes that a pointer argument means, in any memory that this thread reaches. NULL: a fault,
 * recorded. */
static void *bytes_of(warp *w, const op *o, int lane, const uint8_t *arg, uint32_t size) {
    uint64_t address;
    memcpy(&address, arg, sizeof address);
    const op access = {.space = PS_GENERIC, .access = VG_WRITE, .file = o->file, .line = o->line};
    void *bytes = vg_generic_at(w, lane, address, size);
    if (bytes == NULL)
        vg_bad_access(w, &access, lane, address, 4);
    return bytes;
}

/* void __vgpu_xorwow_skip(unsigned *v, unsigned long long sequences, unsigned long long steps) */
static bool native_xorwow_skip(warp *w, const op *o, int lane, const uint8_t *const *arg,
                               uint8_t *ret) {
    uint32_t v[5];
    uint64_t sequences, steps;
    void *at = bytes_of(w, o, lane, arg[0], sizeof v);
    (void)ret;
    if (at == NULL)
        return false;
    memcpy(v, at, sizeof v);
    memcpy(&sequences, arg[1], sizeof sequences);
    memcpy(&steps, arg[2], sizeof steps);
    vg_xorwow_skip(v, sequences, steps);
    memcpy(at, v, sizeof v);
    return true;
}

/* void __vgpu_mrg32k3a_skip(unsigned *s, unsigned long long n, unsigned doublings) */
static bool native_mrg32k3a_skip(warp *w, const op *o, int lane, const uint8_t *const *arg,
                                 uint8_t *ret) {
    uint32_t s[6], doublings;
    uint64_t n;
    void *at = bytes_of(w, o, lane, arg[0], sizeof s);
    (void)ret;
    if (at == NULL)
        return false;
    memcpy(s, at, sizeof s);
    memcpy(&n, arg[1], sizeof n);
    memcpy(&doublings, arg[2], sizeof doublings);
    vg_mrg32k3a_skip(s, s + 3, n, doublings);
    memcpy(at, s, sizeof s);
    return true;
}

static float jn_f(float x, int order) {
    return jnf(order, x);
}
static double jn_d(double x, int order) {
    return jn(order, x);
}
static float yn_f(float x, int order) {
    return ynf(order, x);
}
static double yn_d(double x, int order) {
    return yn(order, x);
}

#define F1(NAME, FN)                                                                               \
    { .name = "__vgpu_" NAME, .num_args = 1, .f1 = FN }
#define F2(NAME, FN)                                                                               \
    { .name = "__vgpu_" NAME, .num_args = 2, .f2 = FN }
#define D1(NAME, FN)                                                                               \
    { .name = "__vgpu_" NAME, .num_args = 1, .d1 = FN }
#define D2(NAME, FN)                                                                               \
    { .name = "__vgpu_" NAME, .num_args = 2, .d2 = FN }
/* A function of one or two arguments in both precisions, by its C99 name. */
#define BOTH1(FN) F1(#FN "f", FN##f), D1(#FN, FN)
#define BOTH2(FN) F2(#FN "f", FN##f), D2(#FN, FN)

static const native table[] = {
    BOTH1(exp),
    BOTH1(exp2),
    BOTH1(expm1),
    BOTH1(log),
    BOTH1(log2),
    BOTH1(log10),
    BOTH1(log1p),
    BOTH1(logb),
    BOTH1(sin),
    BOTH1(cos),
    BOTH1(tan),
    BOTH1(asin),
    BOTH1(acos),
    BOTH1(atan),
    BOTH1(sinh),
    BOTH1(cosh),
    BOTH1(tanh),
    BOTH1(asinh),
    BOTH1(acosh),
    BOTH1(atanh),
    BOTH1(cbrt),
    BOTH1(erf),
    BOTH1(erfc),
    BOTH1(tgamma),
    BOTH1(lgamma),
    BOTH1(j0),
    BOTH1(j1),
    BOTH1(y0),
    BOTH1(y1),
    BOTH1(sqrt),
    BOTH1(fabs),
    BOTH1(floor),
    BOTH1(ceil),
    BOTH1(trunc),
    BOTH1(round),
    BOTH1(rint),
    BOTH1(nearbyint),
    F1("exp10f", exp10_f),
    D1("exp10", exp10_d),
    F1("sinpif", sinpi_f),
    D1("sinpi", sinpi_d),
    F1("cospif", cospi_f),
    D1("cospi", cospi_d),
    F1("rcbrtf", rcbrt_f),
    D1("rcbrt", rcbrt_d),
    F1("rsqrtf", rsqrt_f),
    D1("rsqrt", rsqrt_d),
    F1("normcdff", normcdf_f),
    D1("normcdf", normcdf_d),
    F1("erfcxf", erfcx_f),
    D1("erfcx", erfcx_d),
    F1("erfinvf", erfinv_f),
    D1("erfinv", erfinv_d),
    BOTH2(pow),
    BOTH2(atan2),
    BOTH2(fmod),
    BOTH2(hypot),
    BOTH2(remainder),
    BOTH2(fdim),
    BOTH2(nextafter),
    BOTH2(copysign),
    BOTH2(fmin),
    BOTH2(fmax),
    {.name = "__vgpu_fmaf", .num_args = 3, .f3 = fmaf},
    {.name = "__vgpu_fma", .num_args = 3, .d3 = fma},
    {.name = "__vgpu_ldexpf", .num_args = 2, .fi = ldexpf},
    {.name = "__vgpu_ldexp", .num_args = 2, .di = ldexp},
    {.name = "__vgpu_scalbnf", .num_args = 2, .fi = scalbnf},
    {.name = "__vgpu_scalbn", .num_args = 2, .di = scalbn},
    {.name = "__vgpu_jnf", .num_args = 2, .fi = jn_f},
    {.name = "__vgpu_jn", .num_args = 2, .di = jn_d},
    {.name = "__vgpu_ynf", .num_args = 2, .fi = yn_f},
    {.name = "__vgpu_yn", .num_args = 2, .di = yn_d},
    {.name = "__vgpu_xorwow_skip", .num_args = 3, .raw = native_xorwow_skip},
    {.name = "__vgpu_mrg32k3a_skip", .num_args = 3, .raw = native_mrg32k3a_skip},
    {.name = "malloc", .num_args = 1, .raw = native_malloc},
    {.name = "free", .num_args = 1, .raw = native_free},
    {.name = "vprintf", .num_args = 2, .raw = native_vprintf},
    {.name = "__assertfail", .num_args = 5, .raw = native_assertfail},
};

const native *vg_native_named(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

int vg_native_num_args(const native *fn) {
    return fn->num_args;
}

bool vg_native_run(warp *w, const op *o, int lane, const native_call *call) {
    const native *fn = call->fn;
    uint8_t *frame = w->block->local + ((size_t)w->index * VG_LANES + (size_t)lane) *
                                           w->worker->launch->program->local_span;
    const uint8_t *arg[VG_MAX_NATIVE_ARGS];
    for (int i = 0; i < fn->num_args; i++)
        arg[i] = frame + call->arg[i];
    uint8_t *ret = frame + call->ret;
    if (fn->raw != NULL)
        return fn->raw(w, o, lane, arg, ret);
    float f[3] = {0};
    double d[3] = {0};
    int second = 0;
    const bool is_float = fn->f1 != NULL || fn->f2 != NULL || fn->f3 != NULL || fn->fi != NULL;
    for (int i = 0; i < fn->num_args; i++)
        if (i == 1 && (fn->fi != NULL || fn->di != NULL))
            memcpy(&second, arg[i], sizeof second);
        else if (is_float)
            memcpy(&f[i], arg[i], sizeof f[i]);
        else
            memcpy(&d[i], arg[i], sizeof d[i]);
    if (is_float) {
        const float r = fn->f1 != NULL   ? fn->f1(f[0])
                        : fn->f2 != NULL ? fn->f2(f[0], f[1])
                        : fn->f3 != NULL ? fn->f3(f[0], f[1], f[2])
                        : fn->fi != NULL ? fn->fi(f[0], second)
                                         : 0;
        memcpy(ret, &r, sizeof r);
    } else {
        const double r = fn->d1 != NULL   ? fn->d1(d[0])
                         : fn->d2 != NULL ? fn->d2(d[0], d[1])
                         : fn->d3 != NULL ? fn->d3(d[0], d[1], d[2])
                         : fn->di != NULL ? fn->di(d[0], second)
                                          : 0;
        memcpy(ret, &r, sizeof r);
    }
    return true;
}
