/*
 * vgpucc_whole.c: looks for what PTX declares only; see vgpucc_whole.h. clang writes a declaration
 * for what is used, and for nothing else:
 *
 *     .extern .func  (.param .b32 func_retval0) _Z6helperf
 *     .extern .global .align 4 .u32 counter;
 */
#include "vgpu/tools/vgpucc_whole.h"

#include "vgpu/tools/vgpucc_args.h"
#include "vgpu/tools/vgpucc_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the executor has itself (vgpu/src/core/natives.c), and pure virtual functions. */
static bool is_native(const char *name, size_t len) {
    static const char *const natives[] = {"vprintf", "malloc", "free", "__assertfail"};
    if (len > 7 && (strncmp(name, "__vgpu_", 7) == 0 || strncmp(name, "__cxa_", 6) == 0))
        return true;
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        if (strlen(natives[i]) == len && strncmp(name, natives[i], len) == 0)
            return true;
    return false;
}

static bool in_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* "helper" of "_Z6helperf"; other names as they are. */
static void readable(const char **name, size_t *len) {
    if (*len < 4 || strncmp(*name, "_Z", 2) != 0 || !isdigit((unsigned char)(*name)[2]))
        return;
    char *behind = NULL;
    const unsigned long length = strtoul(*name + 2, &behind, 10);
    if (length > 0 && behind + length <= *name + *len) {
        *name = behind;
        *len = length;
    }
}

/* The last name before `end`. */
static const char *last_name(const char *line, const char *end, size_t *len) {
    while (end > line && !in_name(end[-1]))
        end--;
    const char *name = end;
    while (name > line && in_name(name[-1]))
        name--;
    *len = (size_t)(end - name);
    return name;
}

/* The name that a variable's line defines: .visible .global .align 4 .b8 name[40] = {...}; */
static const char *name_of(const char *line, size_t *len) {
    return last_name(line, line + strcspn(line, "[=;\n"), len);
}

/* Does code name it, or a variable that holds its address? clang takes a host's constant for one of
 * the device's as well, so a table of host functions declares what no kernel can call. Code stands
 * indented, variables do not. `tables`: how many tables of tables may lie in between. */
static bool code_reaches(const char *text, const char *name, size_t len, int tables) {
    for (const char *at = text; (at = memmem(at, strlen(at), name, len)) != NULL; at += len) {
        if ((at > text && in_name(at[-1])) || in_name(at[len]))
            continue;
        const char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        if (*line == '\t')
            return true;
        size_t table_len = 0;
        const char *table = name_of(line, &table_len);
        if (strncmp(line, ".extern", 7) != 0 && table != at && tables > 0 &&
            code_reaches(text, table, table_len, tables - 1))
            return true;
    }
    return false;
}

/* What a line declares and other code needs; NULL: nothing. */
static const char *needed(const char *text, const char *at, bool *function, size_t *len) {
    const char *end = at + strcspn(at, ";\n");
    *function = strncmp(at, ".extern .func", 13) == 0;
    if ((at > text && at[-1] != '\n') || (!*function && strncmp(at, ".extern .global", 15) != 0 &&
                                          strncmp(at, ".extern .const", 14) != 0))
        return NULL;
    const char *name = *function ? last_name(at, end, len) : name_of(at, len);
    return *function && (is_native(name, *len) || !code_reaches(text, name, *len, 4)) ? NULL : name;
}

bool whole_ptx(const char *input, const char *ptx) {
    size_t length = 0;
    char *text = read_file(ptx, &length);
    bool whole = true;
    for (const char *at = text; at && (at = strstr(at, ".extern ")) && whole; at++) {
        size_t len = 0;
        bool function = false;
        const char *name = needed(text, at, &function, &len);
        if (!name)
            continue;
        readable(&name, &len);
        complain("%s: device %s '%.*s' is used here and defined in another file: compile all files "
                 "with -rdc=true (or -dc), or #include that one",
                 input, function ? "function" : "variable", (int)len, name);
        whole = false;
    }
    free(text);
    return whole;
}

/* A linker's symbol for a device function; a variable has its own. */
#define FUNCTION "device function "

static void give_variables(const char *text, args *command) {
    for (const char *at = text; (at = strstr(at, ".visible ")) != NULL; at++) {
        if ((at > text && at[-1] != '\n') ||
            (strncmp(at, ".visible .global", 16) != 0 && strncmp(at, ".visible .const", 15) != 0))
            continue;
        size_t len = 0;
        const char *name = name_of(at, &len);
        args_push(command, format_text("--globalize-symbol=%.*s", (int)len, name));
    }
}

static void give_functions(const char *text, args *command) {
    static const char *const kinds[] = {"\n.visible .func", "\n.weak .func"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (const char *at = text; (at = strstr(at, kinds[k])) != NULL;) {
            size_t len = 0;
            at++;
            const char *name = last_name(at, at + strcspn(at, "\n"), &len);
            args_push(command, format_text("--add-symbol=" FUNCTION "%.*s=0,function,%s", (int)len,
                                           name, k == 0 ? "global" : "weak"));
        }
}

/* A reference for each name; the section is in no program's memory, and its name in what the linker
 * says: "undefined reference to `device function _Z6helperf'". */
static bool write_needs(const char *text, FILE *f, bool *any) {
    fputs(".section .note.GNU-stack,\"\",%progbits\n.section \"device code\",\"\",%progbits\n", f);
    *any = false;
    for (const char *at = text; (at = strstr(at, ".extern ")) != NULL; at++) {
        size_t len = 0;
        bool function = false;
        const char *name = needed(text, at, &function, &len);
        if (!name)
            continue;
        fprintf(f, ".quad \"%s%.*s\"\n", function ? FUNCTION : "", (int)len, name);
        *any = true;
    }
    return fclose(f) == 0;
}

bool whole_symbols(const char *ptx, args *gives, const char *needs, bool *any) {
    size_t length = 0;
    char *text = read_file(ptx, &length);
    FILE *f = text ? fopen(needs, "w") : NULL;
    const bool ok = f && write_needs(text, f, any);
    if (ok) {
        give_variables(text, gives);
        give_functions(text, gives);
    }
    free(text);
    return ok;
}
