/*
 * vgpucc_vectors.c: copies of float4 and its relatives as vector loads and stores; see
 * vgpucc_vectors.h.
 *
 *     call void @llvm.memcpy.p0.p0.i64(ptr align 16 %17, ptr align 4 %21, i64 16, i1 false),
 *         !dbg !90, !tbaa.struct !15
 *
 * becomes (with LLVM 14, whose pointers have types, two bitcasts come first)
 *
 *     %vgpu.vector.0 = load <4 x float>, ptr %21, align 16, !dbg !90
 *     store <4 x float> %vgpu.vector.0, ptr %17, align 16, !dbg !90
 */
#include "vgpu/tools/vgpucc_vectors.h"

#include "vgpu/tools/vgpucc_text.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of the text. */
typedef struct span {
    const char *at;
    size_t length;
} span;

/* A vector type: how many elements of how many bytes. count 0: none. */
typedef struct vector {
    int count, size;
} vector;

/* ---- metadata ---- */

/* What stands behind "!<number> = "; NULL if nothing does. */
static const char *node(const char *text, unsigned number) {
    char head[32];
    snprintf(head, sizeof head, "\n!%u = ", number);
    const char *found = strstr(text, head);
    return found ? found + strlen(head) : NULL;
}

/* Is the type of this access tag the one that aliases everything? */
static bool aliases_all(const char *text, unsigned tag) {
    unsigned type = 0;
    const char *at = node(text, tag);
    if (!at || sscanf(at, "!{!%u,", &type) != 1)
        return false;
    static const char all[] = "!{!\"omnipotent char\"";
    at = node(text, type);
    return at && strncmp(at, all, sizeof all - 1) == 0;
}

/* The vector type whose layout a !tbaa.struct node describes:
 * (offset, size, tag) for each member. */
static vector described(const char *text, unsigned number) {
    const vector none = {0, 0};
    vector v = none;
    unsigned tag = 0;
    const char *at = node(text, number);
    if (!at || strncmp(at, "!{", 2) != 0)
        return none;
    at += 2;
    for (;;) {
        int offset = 0, size = 0, used = 0;
        unsigned its_tag = 0;
        if (sscanf(at, "i64 %d, i64 %d, !%u%n", &offset, &size, &its_tag, &used) != 3)
            return none;
        if (v.count == 0) {
            v.size = size;
            tag = its_tag;
        }
        if (size != v.size || its_tag != tag || offset != v.count * size || v.count == 4)
            return none;
        v.count++;
        at += used;
        if (*at == '}')
            break;
        if (strncmp(at, ", ", 2) != 0)
            return none;
        at += 2;
    }
    const bool known = (v.count == 2 || v.count == 4) && (v.size == 4 || v.size == 8) &&
                       v.count * v.size <= 16 && aliases_all(text, tag);
    return known ? v : none;
}

/* ---- a line ---- */

/* Behind the quoted name whose first quote is at `at`; NULL when it has no end before `end`. */
static const char *behind_quotes(const char *at, const char *end) {
    const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
    return close ? close + 1 : NULL;
}

/* An argument of a call: up to the comma, or the closing bracket, that is in no bracket of its own.
 * NULL length when the line ends first. */
static span argument(const char *at, const char *end) {
    int depth = 0;
    for (const char *c = at; c < end; c++) {
        if (*c == '"') {
            const char *behind = behind_quotes(c, end);
            if (!behind)
                break;
            c = behind - 1;
        } else if (strchr("([{<", *c)) {
            depth++;
        } else if (depth > 0 && strchr(")]}>", *c)) {
            depth--;
        } else if (depth == 0 && (*c == ',' || *c == ')')) {
            return (span){at, (size_t)(c - at)};
        }
    }
    return (span){at, 0};
}

static bool begins(span s, const char *word) {
    const size_t length = strlen(word);
    return s.length >= length && memcmp(s.at, word, length) == 0;
}

static span drop(span s, size_t count) {
    return (span){s.at + count, s.length - count};
}

/* The value of a pointer argument, behind its type and attributes: "%17" of "ptr noundef align 16
 * %17". NULL length for anything else. */
static span pointer_value(span a, bool typed) {
    static const char *const attributes[] = {"noundef ", "nonnull ", "align ", "dereferenceable("};
    static const char *const values[] = {
        "%", "@", "addrspacecast (", "getelementptr ", "bitcast (", "addrspacecast(", "bitcast("};
    const char *type = typed ? "i8* " : "ptr ";
    if (!begins(a, type))
        return (span){a.at, 0};
    a = drop(a, strlen(type));
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof attributes / sizeof *attributes && !more; i++) {
            if (!begins(a, attributes[i]))
                continue;
            a = drop(a, strlen(attributes[i]));
            /* and its number, alone or with a bracket */
            while (a.length > 0 && (isdigit((unsigned char)*a.at) || *a.at == ')' || *a.at == ' '))
                a = drop(a, 1);
            more = true;
        }
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (begins(a, values[i]))
            return a;
    return (span){a.at, 0};
}

/* Number behind the first `key` of the line; false if the line has none. */
static bool number_behind(span line, const char *key, unsigned *number) {
    const char *found = memmem(line.at, line.length, key, strlen(key));
    return found && sscanf(found + strlen(key), "%u", number) == 1;
}

/* Writes such a copy as a load and a store. False, with nothing written, if the line is none. */
static bool write_copy(FILE *out, const char *text, span line, unsigned serial) {
    static const char call[] = "call void @llvm.memcpy.";
    const char *end = line.at + line.length;
    const char *name = memmem(line.at, line.length, call, sizeof call - 1);
    const char *open = name ? memchr(name, '(', (size_t)(end - name)) : NULL;
    unsigned layout = 0, place = 0;
    if (!open || !memmem(line.at, line.length, ", i1 false)", 11) ||
        !number_behind(line, "!tbaa.struct !", &layout))
        return false;

    const vector v = described(text, layout);
    const span to = argument(open + 1, end);
    if (v.count == 0 || to.length == 0 || to.at[to.length] != ',')
        return false;
    const span from = argument(to.at + to.length + 2, end);
    const bool typed = begins(to, "i8* ");
    const span target = pointer_value(to, typed), source = pointer_value(from, typed);
    if (target.length == 0 || source.length == 0)
        return false;

    char type[32], dbg[32] = "";
    const int bytes = v.count * v.size;
    snprintf(type, sizeof type, "<%d x %s>", v.count, v.size == 4 ? "float" : "double");
    if (number_behind(line, "!dbg !", &place))
        snprintf(dbg, sizeof dbg, ", !dbg !%u", place);
    if (!typed) {
        fprintf(out, "  %%vgpu.vector.%u = load %s, ptr %.*s, align %d%s\n", serial, type,
                (int)source.length, source.at, bytes, dbg);
        fprintf(out, "  store %s %%vgpu.vector.%u, ptr %.*s, align %d%s\n", type, serial,
                (int)target.length, target.at, bytes, dbg);
        return true;
    }
    fprintf(out, "  %%vgpu.source.%u = bitcast i8* %.*s to %s*%s\n", serial, (int)source.length,
            source.at, type, dbg);
    fprintf(out, "  %%vgpu.target.%u = bitcast i8* %.*s to %s*%s\n", serial, (int)target.length,
            target.at, type, dbg);
    fprintf(out, "  %%vgpu.vector.%u = load %s, %s* %%vgpu.source.%u, align %d%s\n", serial, type,
            type, serial, bytes, dbg);
    fprintf(out, "  store %s %%vgpu.vector.%u, %s* %%vgpu.target.%u, align %d%s\n", type, serial,
            type, serial, bytes, dbg);
    return true;
}

/* float v[8] of a thread, of which *(float4 *)&v[4] is copied, begins where a float4 may. */
static bool write_array(FILE *out, span line) {
    static const char array[] = " = alloca [", align[] = ", align ";
    const char *end = line.at + line.length;
    const char *found = memmem(line.at, line.length, array, sizeof array - 1);
    const char *at = found ? memmem(found, (size_t)(end - found), align, sizeof align - 1) : NULL;
    unsigned old = 0;
    int used = 0;
    if (!at || sscanf(at, ", align %u%n", &old, &used) != 1 || old >= 16)
        return false;
    fprintf(out, "%.*s, align 16%.*s\n", (int)(at - line.at), line.at, (int)(end - at - used),
            at + used);
    return true;
}

bool vectors_keep(const char *llvm_text) {
    size_t length = 0, size = 0;
    char *text = read_file(llvm_text, &length);
    char *mended = NULL;
    FILE *out = text ? open_memstream(&mended, &size) : NULL;
    unsigned copies = 0;
    for (const char *at = text; out && *at;) {
        const size_t rest = strcspn(at, "\n");
        const span line = {at, rest};
        if (write_copy(out, text, line, copies))
            copies++;
        else if (!write_array(out, line))
            fprintf(out, "%.*s\n", (int)rest, at);
        at += rest + (at[rest] == '\n');
    }
    bool done = out && fclose(out) == 0;
    done = done && (copies == 0 || write_file(llvm_text, mended, size));
    free(mended);
    free(text);
    return done;
}
