/* names.c: see names.h. The C++ runtime's demangler is used where the program is linked with it. */
#include "vgpu/src/core/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char *__cxa_demangle(const char *mangled, char *buf, size_t *len, int *status)
    __attribute__((weak));

/* "void tiled<32>(float const*)" -> "tiled<32>"; what is in no namespace's name is named alone. */
static void strip_signature(const char *full, char *buf, size_t len) {
    static const char anonymous[] = "(anonymous namespace)::";
    int angle = 0;
    size_t start = 0, end = strlen(full);
    for (size_t i = 0; full[i] != '\0'; i++) {
        if (strncmp(full + i, anonymous, strlen(anonymous)) == 0) {
            i += strlen(anonymous) - 1; /* neither its blank nor its parentheses mean anything */
            start = angle == 0 ? i + 1 : start;
        } else if (full[i] == '<') {
            angle++;
        } else if (full[i] == '>') {
            angle--;
        } else if (full[i] == ' ' && angle == 0) {
            start = i + 1;
        } else if (full[i] == '(' && angle == 0) {
            end = i;
            break;
        }
    }
    snprintf(buf, len, "%.*s", (int)(end - start), full + start);
}

/* Without a demangler: the first plain name of _Z5tiledPKf, or of a nested _ZN2ns5tiledE…. */
static void first_component(const char *mangled, char *buf, size_t len) {
    const char *p = mangled + 2;
    if (*p == 'N')
        p++;
    size_t n = 0, at = 0;
    while (isdigit((unsigned char)*p)) {
        n = strtoul(p, (char **)&p, 10);
        if (n > strlen(p))
            break;
        if (strncmp(p, "_GLOBAL__N_", strlen("_GLOBAL__N_")) != 0) /* a namespace without a name */
            at += (size_t)snprintf(buf + at, len - at, "%s%.*s", at != 0 ? "::" : "", (int)n, p);
        at = at < len ? at : len - 1;
        p += n;
        if (mangled[2] != 'N')
            break;
    }
    if (at == 0)
        snprintf(buf, len, "%s", mangled);
}

const char *vg_pretty_function(const char *mangled, char *buf, size_t len) {
    if (strncmp(mangled, "_Z", 2) != 0) {
        snprintf(buf, len, "%s", mangled);
        return buf;
    }
    if (&__cxa_demangle != NULL) {
        int status = -1;
        char *full = __cxa_demangle(mangled, NULL, NULL, &status);
        if (status == 0 && full != NULL) {
            strip_signature(full, buf, len);
            free(full);
            return buf;
        }
        free(full);
    }
    first_component(mangled, buf, len);
    return buf;
}

/* "kernel<64>(int)::tile" -> "tile"; false where there is no demangler, or nothing to it. */
static bool demangled_variable(const char *mangled, char *buf, size_t len) {
    int status = -1;
    char *full = &__cxa_demangle != NULL && strncmp(mangled, "_ZZ", 3) == 0
                     ? __cxa_demangle(mangled, NULL, NULL, &status)
                     : NULL;
    size_t start = full != NULL && status == 0 ? strlen(full) : 0;
    while (start > 0 && (isalnum((unsigned char)full[start - 1]) || full[start - 1] == '_'))
        start--;
    const bool good = start > 0 && full[start - 1] == ':' && full[start] != '\0';
    if (good)
        snprintf(buf, len, "%s", full + start);
    free(full);
    return good;
}

/* "_ZN3boxL4seenE" -> "seen": one of a namespace, perhaps static. False: it is something else. */
static bool variable_of_namespace(const char *mangled, char *buf, size_t len) {
    const char *at = mangled + strlen("_ZN"), *name = NULL;
    size_t length = 0;
    if (strncmp(mangled, "_ZN", strlen("_ZN")) != 0)
        return false;
    while (*at != 'E') {
        at += *at == 'L';
        char *begin = NULL;
        length = isdigit((unsigned char)*at) ? strtoul(at, &begin, 10) : 0;
        if (length == 0 || length > strlen(begin))
            return false;
        name = begin;
        at = name + length;
    }
    if (name == NULL || at[1] != '\0')
        return false;
    snprintf(buf, len, "%.*s", (int)length, name);
    return true;
}

const char *vg_pretty_variable(const char *mangled, char *buf, size_t len) {
    const size_t total = strlen(mangled);
    if (strncmp(mangled, "_Z", 2) == 0) {
        if (demangled_variable(mangled, buf, len) || variable_of_namespace(mangled, buf, len))
            return buf;
        /* <length><name> at the very end, perhaps with a discriminator _0 behind it */
        for (size_t i = 2; i < total; i++) {
            /* a name's length, not a template's number: Lm64 */
            if (!isdigit((unsigned char)mangled[i]) || strchr("ELZN", mangled[i - 1]) == NULL)
                continue;
            char *name;
            const size_t n = strtoul(mangled + i, &name, 10);
            const size_t left = total - (size_t)(name - mangled);
            if (n > 0 &&
                (n == left || (n < left && name[n] == '_' &&
                               (isdigit((unsigned char)name[n + 1]) || name[n + 1] == '_') &&
                               strspn(name + n, "_0123456789") == left - n))) {
                snprintf(buf, len, "%.*s", (int)n, name);
                return buf;
            }
        }
    }
    snprintf(buf, len, "%s", mangled);
    return buf;
}
