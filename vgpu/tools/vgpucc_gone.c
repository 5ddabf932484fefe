/*
 * vgpucc_gone.c: marks pointers to variables that go; see vgpucc_gone.h.
 *
 *     call void @llvm.lifetime.end.p0(i64 8, ptr %6)
 *
 * of a variable whose address was stored in %5 gets in front of it
 *
 *     %vgpu.gone.0.held = load ptr, ptr %5
 *     %vgpu.gone.0.leads = ptrtoint ptr %vgpu.gone.0.held to i64
 *     %vgpu.gone.0.start = ptrtoint ptr %6 to i64
 *     %vgpu.gone.0.into = sub i64 %vgpu.gone.0.leads, %vgpu.gone.0.start
 *     %vgpu.gone.0.is = icmp ult i64 %vgpu.gone.0.into, 8
 *     %vgpu.gone.0.left = select i1 %vgpu.gone.0.is, ptr inttoptr (i64 … to ptr),
 *                                ptr %vgpu.gone.0.held
 *     store ptr %vgpu.gone.0.left, ptr %5
 *
 * (with LLVM 14 pointers have types), and "ret ptr %6" becomes "ret ptr inttoptr (i64 … to ptr)".
 */
#include "vgpu/tools/vgpucc_gone.h"

#include "vgpu/src/core/gone.h"
#include "vgpu/tools/vgpucc_text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of the text. */
typedef struct span {
    const char *at;
    size_t length;
} span;

enum { NONE = -1, MOST_VALUES = 1 << 16, MOST_STORES = 4096, MOST_PARTS = 8, DEEPEST = 8 };

/* What is known of the value %number: it leads into the variable `root`, also a %number. */
typedef struct value {
    int root;   /* NONE: unknown */
    int base;   /* what it is made of; NONE: it is the variable */
    span maker; /* the instruction, behind "= " */
    bool fixed; /* always the same place in the variable */
} value;

/* "store PTR %what, PTR* %to": the address of the variable `root` in `to`. */
typedef struct stored {
    int root, to;
    span pointer, place; /* the types */
} stored;

/* One function, while it is read and written. */
typedef struct function {
    value values[MOST_VALUES];
    int num_values; /* one more than the highest number */
    stored stores[MOST_STORES];
    size_t num_stores;
    FILE *out;
    unsigned serial; /* the next number for names */
} function;

/* ---- a line ---- */

static bool begins(span s, const char *word) {
    const size_t length = strlen(word);
    return s.length >= length && memcmp(s.at, word, length) == 0;
}

static span drop(span s, size_t count) {
    return (span){s.at + count, s.length - count};
}

/* The parts of a list: up to commas that are in no bracket. Returns how many there are. */
static int split(span list, span *parts) {
    int depth = 0, count = 0;
    const char *first = list.at, *end = list.at + list.length;
    for (const char *c = list.at; c <= end && count < MOST_PARTS; c++) {
        if (c == end || (depth == 0 && *c == ',')) {
            first += strspn(first, " ");
            parts[count++] = (span){first, (size_t)(c - first)};
            first = c + 1;
        } else if (*c == '"') {
            const char *close = memchr(c + 1, '"', (size_t)(end - c - 1));
            if (close == NULL)
                return 0;
            c = close;
        } else if (strchr("([{<", *c)) {
            depth++;
        } else if (strchr(")]}>", *c)) {
            depth--;
        }
    }
    return count;
}

/* "i32* %12": its type, and the number; NONE for anything else. */
static int operand(span part, span *type) {
    const char *blank = memrchr(part.at, ' ', part.length);
    char *end = NULL;
    if (blank == NULL || blank[1] != '%')
        return NONE;
    const long number = strtol(blank + 2, &end, 10);
    if (end == blank + 2 || end != part.at + part.length || number >= MOST_VALUES)
        return NONE;
    *type = (span){part.at, (size_t)(blank - part.at)};
    return (int)number;
}

/* "  %12 = alloca …": the number, and what is behind "= ". */
static int made(span line, span *maker) {
    int number = NONE, used = 0;
    if (sscanf(line.at, "  %%%d = %n", &number, &used) != 1 || used == 0 || number < 0 ||
        number >= MOST_VALUES || (size_t)used > line.length)
        return NONE;
    *maker = drop(line, (size_t)used);
    return number;
}

/* ---- reading ---- */

static int root_of(const function *f, int number) {
    return number == NONE ? NONE : f->values[number].root;
}

static bool is_constant(span index) {
    const char *blank = memrchr(index.at, ' ', index.length);
    return blank != NULL && blank[1] != '%';
}

static void read_value(function *f, int number, span maker) {
    value *v = &f->values[number];
    span parts[MOST_PARTS], type;
    f->num_values = number >= f->num_values ? number + 1 : f->num_values;
    *v = (value){.root = NONE, .base = NONE, .maker = maker};
    if (begins(maker, "alloca ")) {
        v->root = number;
        v->fixed = true;
        return;
    }
    const bool cast = begins(maker, "bitcast ");
    if (!cast && !begins(maker, "getelementptr "))
        return;
    int count = split(maker, parts);
    if (cast) { /* "bitcast i32** %5 to i8*" */
        const char *to = memmem(parts[0].at, parts[0].length, " to ", 4);
        if (to == NULL)
            return;
        parts[0] = drop(parts[0], strlen("bitcast "));
        parts[0].length = (size_t)(to - parts[0].at);
        count = 1;
    } else if (count < 2) {
        return;
    }
    v->base = operand(parts[cast ? 0 : 1], &type);
    v->root = root_of(f, v->base);
    v->fixed = v->root != NONE && f->values[v->base].fixed && count < MOST_PARTS;
    for (int i = 2; i < count && parts[i].at[0] != '!'; i++)
        v->fixed = v->fixed && is_constant(parts[i]);
}

static void read_store(function *f, span line) {
    span parts[MOST_PARTS];
    stored s;
    if (f->num_stores == MOST_STORES || split(drop(line, strlen("  store ")), parts) < 2)
        return;
    const int what = operand(parts[0], &s.pointer);
    s.to = operand(parts[1], &s.place);
    s.root = root_of(f, what);
    if (s.root == NONE || root_of(f, s.to) == NONE || root_of(f, s.to) == s.root ||
        !f->values[s.to].fixed)
        return;
    for (size_t i = 0; i < f->num_stores; i++)
        if (f->stores[i].root == s.root && f->stores[i].to == s.to)
            return;
    f->stores[f->num_stores++] = s;
}

/* The variable whose life ends in this line, and its size; NONE: in no such line. */
static int ended(const function *f, span line, unsigned *size) {
    static const char call[] = "  call void @llvm.lifetime.end.p0";
    const char *open = begins(line, call) ? memchr(line.at, '(', line.length) : NULL;
    const char *close = open ? memchr(open, ')', (size_t)(line.at + line.length - open)) : NULL;
    span parts[MOST_PARTS], type;
    if (close == NULL || split((span){open + 1, (size_t)(close - open - 1)}, parts) != 2 ||
        sscanf(parts[0].at, "i64 %u", size) != 1)
        return NONE;
    return root_of(f, operand(parts[1], &type));
}

static span line_at(const char *at) {
    return (span){at, strcspn(at, "\n")};
}

static const char *next_line(span line) {
    return line.at + line.length + (line.at[line.length] == '\n');
}

static void read_function(function *f, const char *at) {
    for (int i = 0; i < f->num_values; i++) /* numbers meant something else in the last one */
        f->values[i].root = NONE;
    f->num_values = 0;
    f->num_stores = 0;
    for (; *at && *at != '}'; at = next_line(line_at(at))) {
        const span line = line_at(at);
        span maker;
        const int number = made(line, &maker);
        if (number != NONE)
            read_value(f, number, maker);
        else if (begins(line, "  store ") && !begins(line, "  store volatile "))
            read_store(f, line);
    }
}

/* ---- writing ---- */

/* Does the line use a value that leads into the variable? */
static bool mentions(const function *f, span line, int root) {
    const char *end = line.at + line.length;
    for (const char *at = line.at; (at = memchr(at, '%', (size_t)(end - at))) != NULL;) {
        char *behind = NULL;
        const long number = strtol(++at, &behind, 10);
        if (behind != at && number >= 0 && number < MOST_VALUES && f->values[number].root == root)
            return true;
    }
    return false;
}

/* Is the variable of no more use from here on, as far as the rest of the block shows? */
static bool also_ends(const function *f, const char *at, int root) {
    for (; *at && *at != '}'; at = next_line(line_at(at))) {
        const span line = line_at(at);
        span maker;
        unsigned size;
        if (ended(f, line, &size) == root || begins(line, "  ret void"))
            return true;
        if (made(line, &maker) != NONE &&
            (begins(maker, "bitcast ") || begins(maker, "getelementptr ")))
            continue;
        if (begins(line, "  ret ") || begins(line, "  unreachable"))
            return !mentions(f, line, root);
        if (begins(line, "  br ") || begins(line, "  switch ") || mentions(f, line, root))
            return false;
    }
    return false;
}

/* Writes what makes the place anew, since its own instruction may not come before this one on every
 * way; its name goes to `name`. */
static void write_place(function *f, int number, char name[64], int depth) {
    const value *v = &f->values[number];
    if (v->base == NONE || depth == DEEPEST) {
        snprintf(name, 64, "%%%d", number);
        return;
    }
    char base[64], was[32];
    write_place(f, v->base, base, depth + 1);
    snprintf(was, sizeof was, "%%%d", v->base);
    const char *at = memmem(v->maker.at, v->maker.length, was, strlen(was));
    const char *behind = at + strlen(was);
    snprintf(name, 64, "%%vgpu.gone.%u.place", f->serial++);
    fprintf(f->out, "  %s = %.*s%s%.*s\n", name, (int)(at - v->maker.at), v->maker.at, base,
            (int)(v->maker.at + v->maker.length - behind), behind);
}

static void write_mark(function *f, const stored *s, unsigned size) {
    char place[64];
    write_place(f, s->to, place, 0);
    const unsigned n = f->serial++;
    const int type = (int)s->pointer.length, to = (int)s->place.length;
    const char *pointer = s->pointer.at;
    /* "alloca [2 x i32], align 4": the variable's type, for LLVM 14 */
    span parts[MOST_PARTS];
    split(drop(f->values[s->root].maker, strlen("alloca ")), parts);
    const bool typed = pointer[type - 1] == '*';
    fprintf(f->out, "  %%vgpu.gone.%u.held = load %.*s, %.*s %s\n", n, type, pointer, to,
            s->place.at, place);
    fprintf(f->out, "  %%vgpu.gone.%u.leads = ptrtoint %.*s %%vgpu.gone.%u.held to i64\n", n, type,
            pointer, n);
    fprintf(f->out, "  %%vgpu.gone.%u.start = ptrtoint %.*s%s %%%d to i64\n", n,
            typed ? (int)parts[0].length : 0, parts[0].at, typed ? "*" : "ptr", s->root);
    fprintf(f->out, "  %%vgpu.gone.%u.into = sub i64 %%vgpu.gone.%u.leads, %%vgpu.gone.%u.start\n",
            n, n, n);
    fprintf(f->out, "  %%vgpu.gone.%u.is = icmp ult i64 %%vgpu.gone.%u.into, %u\n", n, n, size);
    fprintf(f->out,
            "  %%vgpu.gone.%u.left = select i1 %%vgpu.gone.%u.is, %.*s inttoptr (i64 %llu to "
            "%.*s), %.*s %%vgpu.gone.%u.held\n",
            n, n, type, pointer, VG_GONE_LOCAL, type, pointer, type, pointer, n);
    fprintf(f->out, "  store %.*s %%vgpu.gone.%u.left, %.*s %s\n", type, pointer, n, to,
            s->place.at, place);
}

/* "ret ptr %6" of a variable's address. */
static bool write_return(function *f, span line) {
    span type;
    if (!begins(line, "  ret "))
        return false;
    span parts[MOST_PARTS];
    const span list = drop(line, strlen("  ret "));
    const int count = split(list, parts);
    if (count == 0 || root_of(f, operand(parts[0], &type)) == NONE)
        return false;
    const char *rest = parts[0].at + parts[0].length;
    fprintf(f->out, "  ret %.*s inttoptr (i64 %llu to %.*s)%.*s\n", (int)type.length, type.at,
            VG_GONE_LOCAL, (int)type.length, type.at, (int)(line.at + line.length - rest), rest);
    f->serial++;
    return true;
}

/* Writes the function's lines up to its end, with the marks. */
static const char *write_function(function *f, const char *at) {
    for (; *at && *at != '}'; at = next_line(line_at(at))) {
        const span line = line_at(at);
        unsigned size = 0;
        const int root = f->num_stores > 0 ? ended(f, line, &size) : NONE;
        for (size_t i = 0; root != NONE && i < f->num_stores; i++)
            if (f->stores[i].root == root &&
                !also_ends(f, next_line(line), root_of(f, f->stores[i].to)))
                write_mark(f, &f->stores[i], size);
        if (!write_return(f, line))
            fprintf(f->out, "%.*s\n", (int)line.length, line.at);
    }
    return at;
}

static bool rewrite(const char *text, FILE *out, bool *any) {
    function *f = calloc(1, sizeof *f);
    if (f == NULL)
        return false;
    f->out = out;
    for (int i = 0; i < MOST_VALUES; i++)
        f->values[i].root = NONE;
    for (const char *at = text; *at;) {
        const span line = line_at(at);
        fprintf(out, "%.*s\n", (int)line.length, line.at);
        at = next_line(line);
        if (begins(line, "define ")) {
            read_function(f, at);
            at = write_function(f, at);
        }
    }
    *any = f->serial > 0;
    free(f);
    return true;
}

bool gone_mark(const char *llvm_text) {
    size_t length = 0, size = 0;
    char *text = read_file(llvm_text, &length), *marked = NULL;
    FILE *out = text ? open_memstream(&marked, &size) : NULL;
    bool any = false;
    bool done = out && rewrite(text, out, &any);
    done = out && fclose(out) == 0 && done;
    done = done && (!any || write_file(llvm_text, marked, size));
    free(marked);
    free(text);
    return done;
}
