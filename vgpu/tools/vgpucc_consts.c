/* vgpucc_consts.c: see vgpucc_consts.h. */
#include "vgpu/tools/vgpucc_consts.h"

#include "vgpu/tools/vgpucc_process.h"
#include "vgpu/tools/vgpucc_sources.h"
#include "vgpu/tools/vgpucc_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct span {
    const char *at;
    size_t length;
} span;

/* ---- the source ---- */

/* Behind the mark at `at` stands a variable with a value, and not a function. */
static bool has_value(const char *text, char *at) {
    while (*at && !strchr("=({;}", *at)) {
        char *next = source_skip_dead(text, at);
        at = next != at ? next : at + 1;
    }
    return *at == '=' || *at == '{';
}

/* The declaration that the mark at `at` stands in says that it is constant. */
static bool is_constant(const char *text, const char *at) {
    const char *begin = at;
    while (begin > text && !strchr(";{}", begin[-1]))
        begin--;
    for (const char *word = begin; *word && !strchr("=({;}", *word); word++)
        if (source_is_word(text, word, "const") || source_is_word(text, word, "constexpr"))
            return true;
    return false;
}

static void look_for_marks(void *arg, const char *path, char *text) {
    static const char *const marks[] = {"__device__", "__constant__"};
    bool *found = arg;
    (void)path;
    for (char *at = text; *at && !*found;) {
        char *next = source_skip_dead(text, at);
        for (size_t i = 0; next == at && i < sizeof marks / sizeof *marks; i++)
            *found |=
                source_is_word(text, at, marks[i]) && has_value(text, at) && is_constant(text, at);
        at = next != at ? next : at + 1;
    }
}

/* ---- LLVM's text ---- */

/*     @_ZL1a = internal addrspace(4) constant [2 x i32] [i32 1, i32 2], align 4
 *
 * name: with its @; value: the type and what follows it, up to the comma. False: another line. */
static bool constant_in(span line, span *name, span *value) {
    static const char word[] = "constant ";
    const char *end = line.at + line.length;
    const char *equals = line.at[0] == '@' ? memmem(line.at, line.length, " = ", 3) : NULL;
    const char *found =
        equals ? memmem(equals, (size_t)(end - equals), word, sizeof word - 1) : NULL;
    if (!found || memmem(equals, (size_t)(found - equals), " private ", 9))
        return false;
    const char *align = NULL;
    for (const char *at = found; (at = memmem(at, (size_t)(end - at), ", align ", 8)) != NULL; at++)
        align = at;
    if (!align)
        return false;
    const char *comdat = memmem(found, (size_t)(align - found), ", comdat", 8);
    *name = (span){line.at, (size_t)(equals - line.at)};
    *value = (span){found + sizeof word - 1, 0};
    value->length = (size_t)((comdat ? comdat : align) - value->at);
    return true;
}

static span line_at(const char *at) {
    return (span){at, strcspn(at, "\n")};
}

static const char *next_line(span line) {
    return line.at + line.length + (line.at[line.length] == '\n');
}

static bool is_undefined(span value) {
    static const char end[] = " undef";
    const size_t n = sizeof end - 1;
    return value.length > n && strncmp(value.at + value.length - n, end, n) == 0;
}

static bool same(span a, span b) {
    return a.length == b.length && strncmp(a.at, b.at, a.length) == 0;
}

bool consts_declared(const char *device_text, const options *o, const char *input) {
    size_t length = 0;
    bool found = false;
    char *text = read_file(device_text, &length);
    span name, value;
    sources_each(&o->both, input, look_for_marks, &found);
    for (const char *at = text; !found && at && *at; at = next_line(line_at(at)))
        found = constant_in(line_at(at), &name, &value);
    free(text);
    return found;
}

/* Does this text of the host's half have constants without values? */
static bool lacks_values(const char *host_text) {
    size_t length = 0;
    bool found = false;
    char *text = read_file(host_text, &length);
    span name, value;
    for (const char *at = text; !found && at && *at; at = next_line(line_at(at)))
        found = constant_in(line_at(at), &name, &value) && is_undefined(value);
    free(text);
    return found;
}

/* The device's value for this one of the host's, of the same type; length 0: it has none that the
 * host could have, too. */
static span value_for(const char *device, span name, span of) {
    const span type = {of.at, of.length - (sizeof " undef" - 1)};
    span other, value;
    for (const char *at = device; *at; at = next_line(line_at(at)))
        if (constant_in(line_at(at), &other, &value) && same(name, other))
            return value.length > type.length && strncmp(value.at, type.at, type.length) == 0 &&
                           !memchr(value.at, '@', value.length) && !is_undefined(value)
                       ? value
                       : (span){0};
    return (span){0};
}

/* @_ZL5names is names; others keep the name that object files have. */
static void tell_missing(const char *input, span name) {
    static const char local[] = "@_ZL";
    const size_t n = sizeof local - 1;
    span plain = {name.at + 1, name.length - 1};
    if (strncmp(name.at, local, n) == 0) {
        plain.at = name.at + n + strspn(name.at + n, "0123456789");
        plain.length = name.length - (size_t)(plain.at - name.at);
    }
    complain("warning: %s: host code has no values of the device's constant '%.*s', and what it "
             "reads there is undefined: declare it without const, and use cudaMemcpyFromSymbol",
             input, (int)plain.length, plain.at);
}

/* Gives them those of `device_text`. False when a file cannot be read or written. */
static bool give_values(const char *host_text, const char *device_text, const char *input) {
    size_t length = 0, size = 0;
    char *host = read_file(host_text, &length), *device = read_file(device_text, &length);
    char *mended = NULL;
    FILE *out = host && device ? open_memstream(&mended, &size) : NULL;
    for (const char *at = host; out && *at; at = next_line(line_at(at))) {
        const span line = line_at(at);
        span name, value, given = {0};
        if (constant_in(line, &name, &value) && is_undefined(value)) {
            given = value_for(device, name, value);
            if (given.length == 0)
                tell_missing(input, name);
        }
        if (given.length > 0)
            fprintf(out, "%.*s%.*s%.*s\n", (int)(value.at - at), at, (int)given.length, given.at,
                    (int)(line.length - (size_t)(value.at - at) - value.length),
                    value.at + value.length);
        else
            fprintf(out, "%.*s\n", (int)line.length, at);
    }
    bool done = out && fclose(out) == 0;
    done = done && write_file(host_text, mended, size);
    free(mended);
    free(host);
    free(device);
    return done;
}

/* ---- the compiler ---- */

static bool run(args *command, const options *o) {
    const pid_t pid = start(command, workdir_file("constants"), o->verbose);
    args_free(command);
    return pid > 0 && finish(pid) == 0;
}

bool consts_compile(const options *o, const setup *s, const char *input, const char *ptx,
                    const char *object) {
    const char *host = workdir_file("ll"), *device = workdir_file("ll");
    args front = {0}, all = {0}, back = {0};
    host_front_command(&front, o, s, input, ptx, host);
    if (!run(&front, o))
        return false;
    if (!lacks_values(host))
        return true;
    device_constants_command(&all, o, s, input, device);
    if (!run(&all, o) || !give_values(host, device, input))
        return false;
    host_back_command(&back, o, s, host, object);
    return run(&back, o);
}
