/* vgpucc_blank.c: see vgpucc_blank.h. */
#include "vgpu/tools/vgpucc_blank.h"

#include "vgpu/tools/vgpucc_sources.h"
#include "vgpu/tools/vgpucc_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct word {
    const char *at;
    size_t length;
} word;

/* ---- LLVM's text ---- */

/*     @_ZL1a = internal addrspace(4) global [4 x float] zeroinitializer, align 4 */
static bool is_hidden_zero(const char *line, size_t length, size_t *behind) {
    static const char head[] = " = internal addrspace(4) ", kind[] = "global ";
    static const char *const zeros[] = {" zeroinitializer", " 0", " 0.000000e+00", " null"};
    const char *at = line[0] == '@' ? memmem(line, length, head, sizeof head - 1) : NULL;
    const char *comma = at ? memmem(at, length - (size_t)(at - line), ", align ", 8) : NULL;
    if (!comma || strncmp(at + sizeof head - 1, kind, sizeof kind - 1) != 0)
        return false;
    *behind = (size_t)(at - line) + sizeof head - 1;
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
        const size_t n = strlen(zeros[i]);
        if ((size_t)(comma - at) > n && strncmp(comma - n, zeros[i], n) == 0)
            return true;
    }
    return false;
}

bool blanks_keep(const char *llvm_text) {
    size_t length = 0, size = 0, behind = 0;
    char *text = read_file(llvm_text, &length), *mended = NULL;
    FILE *out = text ? open_memstream(&mended, &size) : NULL;
    bool any = false;
    for (const char *at = text; out && *at;) {
        const size_t rest = strcspn(at, "\n");
        if (is_hidden_zero(at, rest, &behind)) {
            any = true;
            fprintf(out, "%.*sexternally_initialized %.*s\n", (int)behind, at, (int)(rest - behind),
                    at + behind);
        } else {
            fprintf(out, "%.*s\n", (int)rest, at);
        }
        at += rest + (at[rest] == '\n');
    }
    bool done = out && fclose(out) == 0;
    done = done && (!any || write_file(llvm_text, mended, size));
    free(mended);
    free(text);
    return done;
}

/* ---- the source ---- */

enum { MOST_DECLARED = 512, MOST_BLANK = 512 };

typedef struct declared {
    char *name, *type; /* type: the word before the first name; owned */
    bool given;        /* it has a value */
} declared;

typedef struct source_list {
    declared at[MOST_DECLARED];
    size_t count;
} source_list;

static void add_declared(source_list *list, word name, word type, bool given) {
    if (name.length == 0 || list->count == MOST_DECLARED)
        return;
    list->at[list->count++] = (declared){strndup(name.at, name.length),
                                         strndup(type.at ? type.at : "", type.length), given};
}

static bool is_one_of(word w, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == w.length && strncmp(words[i], w.at, w.length) == 0)
            return true;
    return false;
}

/* The next character of the program at or behind `at`. */
static char *next_live(const char *text, char *at) {
    for (;;) {
        char *next = source_skip_dead(text, at);
        if (next == at && !isspace((unsigned char)*at))
            return at;
        at = next != at ? next : at + 1;
    }
}

/* Behind the bracket that closes the one at `at`, or at the text's end. */
static char *skip_brackets(const char *text, char *at) {
    const char open = *at, close = open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '>';
    int depth = 0;
    while (*(at = next_live(text, at)) != '\0') {
        depth += *at == open ? 1 : *at == close ? -1 : 0;
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

/* A value, up to the comma or semicolon behind it. */
static char *skip_value(const char *text, char *at) {
    while (*(at = next_live(text, at)) != '\0' && *at != ',' && *at != ';')
        at = strchr("([{", *at) ? skip_brackets(text, at) : at + 1;
    return at;
}

/* The declaration whose __constant__ ends at `at`; returns where it ends. */
static char *read_declaration(source_list *list, const char *text, char *at) {
    static const char *const classes[] = {"struct", "class", "union"};
    static const char *const marks[] = {"alignas", "__align__", "__attribute__", "decltype"};
    word last = {0}, before = {0}, type = {0};
    while (*(at = next_live(text, at)) != '\0' && *at != ';') {
        const bool marked = is_one_of(last, marks, sizeof marks / sizeof *marks);
        if (source_in_word(*at)) {
            before = last;
            last = (word){at, 0};
            while (source_in_word(at[last.length]))
                last.length++;
            at += last.length;
        } else if (*at == '[' || *at == '<' || (*at == '(' && marked)) {
            at = skip_brackets(text, at);
        } else if (*at == '{' && (is_one_of(last, classes, 3) || is_one_of(before, classes, 3))) {
            type = last; /* its members may have values */
            at = skip_brackets(text, at);
        } else if (*at == '=' || *at == '{' || *at == '(') {
            add_declared(list, last, type, true);
            at = skip_value(text, at);
            last = (word){0};
        } else if (*at == ',') {
            type = type.length > 0 ? type : before;
            add_declared(list, last, type, false);
            last = (word){0};
            at++;
        } else {
            at++; /* *, &, :: */
        }
    }
    add_declared(list, last, type.length > 0 ? type : before, false);
    return at;
}

static void look_for_constants(void *arg, const char *path, char *text) {
    static const char mark[] = "__constant__";
    (void)path;
    for (char *at = text; *at;) {
        char *next = source_skip_dead(text, at);
        if (next != at)
            at = next;
        else if (source_is_word(text, at, mark))
            at = read_declaration(arg, text, at + sizeof mark - 1);
        else
            at++;
    }
}

/* Does a class of the program give its members values? Those of variables of that class then have
 * some. */
static void look_for_values(void *arg, const char *path, char *text) {
    source_list *list = arg;
    (void)path;
    for (char *at = text; *at;) {
        char *next = source_skip_dead(text, at);
        if (next != at ||
            !(source_is_word(text, at, "struct") || source_is_word(text, at, "class"))) {
            at = next != at ? next : at + 1;
            continue;
        }
        at = next_live(text, at + strcspn(at, " \t\n"));
        const word name = {at, strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                          "0123456789")};
        at += name.length;
        char *open = at + strcspn(at, "{;(");
        if (*open != '{')
            continue;
        char *end = skip_brackets(text, open);
        bool given = false;
        for (char *in = open + 1; in < end && !given; in = next_live(text, in + 1))
            given = *in == '=' || *in == '{' ||
                    (name.length > 0 && strncmp(in, name.at, name.length) == 0 &&
                     !source_in_word(in[-1]) && in[name.length] == '(');
        for (size_t i = 0; given && i < list->count; i++)
            list->at[i].given |= strlen(list->at[i].type) == name.length &&
                                 strncmp(list->at[i].type, name.at, name.length) == 0;
    }
}

/* Is this the variable's name in PTX: the name itself, or _ZL1a, _ZN5space1aE, _ZZ1kvE1a_0? */
static bool is_mangled(word ptx, const char *name) {
    char counted[300];
    if (strlen(name) == ptx.length && strncmp(name, ptx.at, ptx.length) == 0)
        return true;
    const int n = snprintf(counted, sizeof counted, "%zu%s", strlen(name), name);
    if (n < 0 || (size_t)n >= sizeof counted)
        return false;
    const char *at = ptx.at, *end = ptx.at + ptx.length;
    while ((at = memmem(at, (size_t)(end - at), counted, (size_t)n)) != NULL) {
        at += n;
        if (!isdigit((unsigned char)at[-n - 1]) &&
            (at == end || *at == '_' || *at == '$' || *at == '.' ||
             (*at == 'E' && (at + 1 == end || at[1] == '_' || at[1] == '$' || at[1] == '.'))))
            return true;
    }
    return false;
}

static bool is_blank(const source_list *list, word ptx) {
    bool seen = false;
    for (size_t i = 0; i < list->count; i++) {
        if (!is_mangled(ptx, list->at[i].name))
            continue;
        if (list->at[i].given)
            return false;
        seen = true;
    }
    return seen;
}

/* ---- PTX ---- */

/* The name in ".visible .const .align 4 .b8 a[16];", if the line is of that form. */
static word constant_in(const char *line, size_t length) {
    const char *semicolon = memchr(line, ';', length);
    const char *name;
    if (line[0] != '.' || !semicolon || memchr(line, '=', length) ||
        strncmp(line, ".extern", 7) == 0 || !memmem(line, length, ".const ", 7))
        return (word){0};
    name = semicolon;
    while (name > line && name[-1] != ' ' && name[-1] != '\t')
        name--;
    return (word){name, strcspn(name, "[;")};
}

static size_t list_constants(const char *text, word *found) {
    size_t count = 0;
    for (const char *at = text; *at && count < MOST_BLANK;) {
        const size_t rest = strcspn(at, "\n");
        found[count] = constant_in(at, rest);
        count += found[count].length > 0;
        at += rest + (at[rest] == '\n');
    }
    return count;
}

bool blanks_name(const char *ptx, const args *options, const char *input) {
    static word found[MOST_BLANK];
    size_t length = 0;
    char *text = read_file(ptx, &length);
    source_list *list = calloc(1, sizeof *list);
    const size_t count = text ? list_constants(text, found) : 0;
    bool done = text && list;
    if (done && count > 0) {
        sources_each(options, input, look_for_constants, list);
        sources_each(options, input, look_for_values, list);
        FILE *f = fopen(ptx, "ae");
        for (size_t i = 0; f && i < count; i++)
            if (is_blank(list, found[i]))
                fprintf(f, ".pragma \"vgpu_blank %.*s\";\n", (int)found[i].length, found[i].at);
        done = f && fclose(f) == 0;
    }
    for (size_t i = 0; list && i < list->count; i++) {
        free(list->at[i].name);
        free(list->at[i].type);
    }
    free(list);
    free(text);
    return done;
}
