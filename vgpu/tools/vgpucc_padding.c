/*
 * vgpucc_padding.c: freezes the padding of what functions return; see vgpucc_padding.h.
 *
 *     %15 = extractvalue %class.hit %9, 2
 *     store [3 x i8] %15, [3 x i8]* %14, align 1
 *
 * becomes
 *
 *     %15 = extractvalue %class.hit %9, 2
 *     %vgpu.frozen.0 = freeze [3 x i8] %15
 *     store [3 x i8] %vgpu.frozen.0, [3 x i8]* %14, align 1
 *
 * and a member that is such a class itself is stored with its own padding frozen. An array of bytes
 * that is a member looks the same, and is none the worse for it.
 */
#include "vgpu/tools/vgpucc_padding.h"

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

enum {
    DEEPEST = 16,   /* members of members */
    LONGEST = 1024, /* elements of an array that are looked at */
};

/* One store, while it is written. */
typedef struct rewrite {
    FILE *out;
    const char *text;
    span type;        /* of what is stored */
    unsigned value;   /* its number */
    unsigned first;   /* the first serial number that is the store's own */
    unsigned next;    /* the next one */
    const char *last; /* how its name begins that has the bytes so far frozen */
    unsigned path[DEEPEST];
    int depth;
} rewrite;

/* ---- types ---- */

static bool begins(span s, const char *word) {
    const size_t length = strlen(word);
    return s.length >= length && memcmp(s.at, word, length) == 0;
}

/* The body of the type %name, "<{ i32, i8, [3 x i8] }>"; length 0: it has none. */
static span body_of(const char *text, span name) {
    static const char is[] = " = type ";
    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, name.at, name.length) == 0 &&
            strncmp(at + name.length, is, sizeof is - 1) == 0) {
            const char *body = at + name.length + sizeof is - 1;
            return (span){body, strcspn(body, "\n")};
        }
    }
    return (span){text, 0};
}

/* The type at `at`, up to the comma or the brace behind it. */
static span type_at(const char *at, const char *end) {
    int depth = 0;
    const char *c = at;
    for (; c < end; c++) {
        if (*c == '"')
            c = memchr(c + 1, '"', (size_t)(end - c - 1));
        if (!c)
            return (span){at, 0};
        if (strchr("([{<", *c))
            depth++;
        else if (depth == 0 && strchr(",}", *c))
            break;
        else if (strchr(")]}>", *c))
            depth--;
    }
    while (c > at && c[-1] == ' ')
        c--;
    return (span){at, (size_t)(c - at)};
}

/* ---- the store ---- */

static void write_path(const rewrite *r) {
    for (int i = 0; i < r->depth; i++)
        fprintf(r->out, ", %u", r->path[i]);
    fputc('\n', r->out);
}

/* What the store has by now: the value itself, or that with some bytes frozen. */
static void write_whole(const rewrite *r) {
    if (r->next == r->first)
        fprintf(r->out, "%%%u", r->value);
    else
        fprintf(r->out, "%%vgpu.%s.%u", r->last, r->next - 1);
}

/* Freezes bytes at the path. */
static void freeze(rewrite *r, span bytes) {
    if (r->depth == 0) {
        fprintf(r->out, "  %%vgpu.frozen.%u = freeze %.*s %%%u\n", r->next, (int)bytes.length,
                bytes.at, r->value);
        r->last = "frozen";
        r->next++;
        return;
    }
    fprintf(r->out, "  %%vgpu.bytes.%u = extractvalue %.*s %%%u", r->next, (int)r->type.length,
            r->type.at, r->value);
    write_path(r);
    fprintf(r->out, "  %%vgpu.frozen.%u = freeze %.*s %%vgpu.bytes.%u\n", r->next,
            (int)bytes.length, bytes.at, r->next);
    fprintf(r->out, "  %%vgpu.padded.%u = insertvalue %.*s ", r->next, (int)r->type.length,
            r->type.at);
    write_whole(r);
    fprintf(r->out, ", %.*s %%vgpu.frozen.%u", (int)bytes.length, bytes.at, r->next);
    write_path(r);
    r->last = "padded";
    r->next++;
}

static void freeze_within(rewrite *r, span type);

static void freeze_member(rewrite *r, unsigned index, span type) {
    if (r->depth == DEEPEST)
        return;
    r->path[r->depth++] = index;
    freeze_within(r, type);
    r->depth--;
}

/* "[3 x i8]", "[2 x %class.hit]" */
static void freeze_array(rewrite *r, span type) {
    unsigned count = 0;
    int used = 0;
    if (sscanf(type.at, "[%u x %n", &count, &used) != 1 || used == 0)
        return;
    const span element = {type.at + used, type.length - (size_t)used - 1};
    if (element.length == 2 && begins(element, "i8"))
        freeze(r, type);
    else
        for (unsigned i = 0; i < count && i < LONGEST; i++)
            freeze_member(r, i, element);
}

static void freeze_within(rewrite *r, span type) {
    if (type.length == 0 || type.at[type.length - 1] == '*')
        return;
    if (*type.at == '[') {
        freeze_array(r, type);
        return;
    }
    const span body = *type.at == '%' ? body_of(r->text, type) : type;
    if (!begins(body, "{ ") && !begins(body, "<{ "))
        return;
    const char *at = strchr(body.at, ' ') + 1, *end = body.at + body.length;
    for (unsigned i = 0; at < end && *at != '}'; i++) {
        const span member = type_at(at, end);
        if (member.length == 0)
            return;
        freeze_member(r, i, member);
        at = member.at + member.length;
        at += strspn(at, ", ");
    }
}

/* The number of the value in "  %15 = extractvalue …"; false for any other line. */
static bool extracted(const char *line, unsigned *value) {
    int used = 0;
    return sscanf(line, " %%%u = extractvalue %n", value, &used) == 1 && used > 0;
}

/* Writes the store of `value` with what freezes its padding. False, with nothing written: the line
 * is none, or the value has none. *serial: the next number for names. */
static bool write_store(FILE *out, const char *text, span line, unsigned value, unsigned *serial) {
    static const char store[] = "  store ";
    char name[32];
    snprintf(name, sizeof name, " %%%u, ", value);
    const char *found =
        begins(line, store) ? memmem(line.at, line.length, name, strlen(name)) : NULL;
    if (!found)
        return false;
    const char *at = line.at + sizeof store - 1;
    rewrite r = {.out = out,
                 .text = text,
                 .type = {at, (size_t)(found - at)},
                 .value = value,
                 .first = *serial,
                 .next = *serial};
    freeze_within(&r, r.type);
    if (r.next == r.first)
        return false;
    fprintf(out, "%.*s ", (int)(found - line.at), line.at);
    write_whole(&r);
    const char *rest = found + strlen(name) - 2;
    fprintf(out, "%.*s\n", (int)(line.at + line.length - rest), rest);
    *serial = r.next;
    return true;
}

bool padding_freeze(const char *llvm_text) {
    size_t length = 0, size = 0;
    char *text = read_file(llvm_text, &length);
    char *mended = NULL;
    FILE *out = text ? open_memstream(&mended, &size) : NULL;
    unsigned serial = 0, value = 0;
    bool before = false; /* the line before took a value out of what a function returned */
    for (const char *at = text; out && *at;) {
        const size_t rest = strcspn(at, "\n");
        if (!before || !write_store(out, text, (span){at, rest}, value, &serial))
            fprintf(out, "%.*s\n", (int)rest, at);
        before = extracted(at, &value);
        at += rest + (at[rest] == '\n');
    }
    bool done = out && fclose(out) == 0;
    done = done && (serial == 0 || write_file(llvm_text, mended, size));
    free(mended);
    free(text);
    return done;
}
