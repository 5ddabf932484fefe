/* names.c: see names.h. */
#include "vgpu/src/inspect/names.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FIELDS = 24 };

static const char *const encodings[VG_ENCODINGS] = {
    [VG_SIGNED] = "signed", [VG_UNSIGNED] = "unsigned", [VG_FLOAT] = "float",
    [VG_HALF] = "half",     [VG_BFLOAT16] = "bfloat16", [VG_BOOL] = "bool",
    [VG_CHAR] = "char",     [VG_POINTER] = "pointer",
};

const char *vg_encoding_name(enum vg_encoding encoding) {
    return encodings[encoding];
}

/* "signed", "signed:color" */
static bool read_encoding(const char *text, enum vg_encoding *to, const char **type) {
    const size_t n = strcspn(text, ":");
    for (int i = 0; i < VG_ENCODINGS; i++) {
        if (strlen(encodings[i]) == n && strncmp(encodings[i], text, n) == 0) {
            *to = (enum vg_encoding)i;
            *type = text[n] == ':' ? text + n + 1 : NULL;
            return true;
        }
    }
    return false;
}

/* One more element at the end of a list; NULL: out of memory. */
static void *grow(void *list, int *count, size_t size) {
    char **at = list;
    char *more = *at;
    if ((*count & (*count - 1)) == 0) { /* powers of two: room doubles */
        more = realloc(*at, (size_t)(*count == 0 ? 1 : 2 * *count) * size);
        if (more == NULL)
            return NULL;
        *at = more;
    }
    void *element = more + (size_t)*count * size;
    memset(element, 0, size);
    ++*count;
    return element;
}

#define GROW(list, count) grow(&(list), &(count), sizeof *(list))

/* Cuts the line at its tabs. */
static int split(char *line, char **field) {
    int n = 0;
    for (char *at = line; at != NULL && n < MAX_FIELDS; n++) {
        field[n] = at;
        at = strchr(at, '\t');
        if (at != NULL)
            *at++ = '\0';
    }
    return n;
}

static vg_named_func *last_func(const vg_names *n) {
    return &n->funcs[n->num_funcs - 1];
}

static bool add_func(vg_names *n, char *const *field, int count) {
    vg_named_func *f = count == 5 ? GROW(n->funcs, n->num_funcs) : NULL;
    if (f == NULL)
        return false;
    f->symbol = field[1];
    f->name = field[2];
    f->line = atoi(field[3]);
    f->path = field[4];
    n->leaves_of = NULL;
    return true;
}

static bool add_scope(const vg_names *n, char *const *field, int count) {
    vg_named_func *f = last_func(n);
    const int outer = count == 4 ? atoi(field[1]) : -2;
    if (outer < -1 || outer >= f->num_scopes)
        return false;
    vg_named_scope *s = GROW(f->scopes, f->num_scopes);
    if (s != NULL)
        *s = (vg_named_scope){outer, field[2], field[3]};
    return s != NULL;
}

static bool add_var(vg_names *n, char *const *field, int count) {
    vg_named_func *f = last_func(n);
    const int scope = count == 9 ? atoi(field[1]) : -2;
    if (scope < -1 || scope >= f->num_scopes)
        return false;
    vg_named_var *v = GROW(f->vars, f->num_vars);
    if (v != NULL)
        *v = (vg_named_var){.scope = scope,
                            .name = field[2],
                            .type = field[3],
                            .symbol = field[4],
                            .offset = strtoull(field[5], NULL, 10),
                            .size = strtoull(field[6], NULL, 10),
                            .line = atoi(field[7]),
                            .parameter = atoi(field[8]) != 0};
    n->leaves_of = v;
    return v != NULL;
}

static bool add_type(vg_names *n, char *const *field, int count) {
    vg_named_var *v = count == 3 ? GROW(n->types, n->num_types) : NULL;
    if (v != NULL)
        *v = (vg_named_var){.scope = -1,
                            .name = field[1],
                            .type = field[1],
                            .symbol = "",
                            .size = strtoull(field[2], NULL, 10)};
    n->leaves_of = v;
    return v != NULL;
}

static bool add_value(vg_names *n, char *const *field, int count) {
    vg_named_value *v = count == 4 ? GROW(n->values, n->num_values) : NULL;
    if (v != NULL)
        *v = (vg_named_value){field[1], field[2], strtoll(field[3], NULL, 10)};
    return v != NULL;
}

/* All of the leaf lies within its variable. */
static bool lies_within(const vg_leaf *l, uint64_t size) {
    uint64_t end = (uint64_t)l->offset + l->size;
    for (int i = 0; i < l->dims; i++) {
        if (l->side[i] == 0)
            return true; /* an array without elements, or of unknown length */
        end += (uint64_t)(l->side[i] - 1) * l->stride[i];
    }
    return end <= size;
}

static bool add_leaf(const vg_names *n, char *const *field, int count) {
    vg_named_var *v = n->leaves_of;
    if (v == NULL || count < 5 || (count - 5) % 2 != 0 || (count - 5) / 2 > VG_LEAF_DIMS)
        return false;
    vg_leaf l = {.path = field[1],
                 .size = (uint32_t)strtoul(field[3], NULL, 10),
                 .offset = (uint32_t)strtoul(field[4], NULL, 10),
                 .dims = (count - 5) / 2};
    for (int i = 0; i < l.dims; i++) {
        l.side[i] = (uint32_t)strtoul(field[5 + 2 * i], NULL, 10);
        l.stride[i] = (uint32_t)strtoul(field[6 + 2 * i], NULL, 10);
    }
    if (!read_encoding(field[2], &l.encoding, &l.type))
        return false;
    const bool target = v->points != 0;
    if (l.size == 0 || l.size > 8 || !lies_within(&l, target ? v->points : v->size))
        return true; /* long double and the like are not shown */
    vg_leaf *to = target ? GROW(v->targets, v->num_targets) : GROW(v->leaves, v->num_leaves);
    if (to != NULL)
        *to = l;
    return to != NULL;
}

static bool add_target(const vg_names *n, char *const *field, int count) {
    if (n->leaves_of == NULL || count != 2)
        return false;
    n->leaves_of->points = strtoull(field[1], NULL, 10);
    return n->leaves_of->points != 0;
}

/* The line is behind; *at moves over the text. */
static bool add_source(vg_names *n, char *const *field, int count, char **at, const char *end) {
    const size_t len = count == 4 ? strtoull(field[2], NULL, 10) : 0;
    vg_source *s =
        count == 4 && len < (size_t)(end - *at) ? GROW(n->sources, n->num_sources) : NULL;
    if (s == NULL || (*at)[len] != '\n')
        return false;
    *s = (vg_source){atoi(field[1]), field[3], *at, len};
    *at += len + 1;
    return true;
}

static bool read_line(vg_names *n, char *line, char **at, const char *end) {
    char *field[MAX_FIELDS] = {line};
    const int count = split(line, field);
    const char *what = field[0];
    return strcmp(what, "names") == 0    ? count == 2 && strcmp(field[1], "1") == 0
           : strcmp(what, "source") == 0 ? add_source(n, field, count, at, end)
           : strcmp(what, "func") == 0   ? add_func(n, field, count)
           : strcmp(what, "scope") == 0  ? add_scope(n, field, count)
           : strcmp(what, "var") == 0    ? add_var(n, field, count)
           : strcmp(what, "leaf") == 0   ? add_leaf(n, field, count)
           : strcmp(what, "type") == 0   ? add_type(n, field, count)
           : strcmp(what, "value") == 0  ? add_value(n, field, count)
           : strcmp(what, "points") == 0 ? add_target(n, field, count)
                                         : false;
}

vg_names *vg_names_read(const char *text, size_t len) {
    vg_names *n = calloc(1, sizeof *n);
    bool ok = n != NULL && len > 8 && strncmp(text, "names\t1\n", 8) == 0;
    if (ok)
        n->text = malloc(len + 1);
    ok = ok && n->text != NULL && GROW(n->funcs, n->num_funcs) != NULL;
    if (ok) {
        memcpy(n->text, text, len);
        n->text[len] = '\0';
    }
    char *at = ok ? n->text : NULL;
    while (ok && at < n->text + len) {
        char *line = at, *newline = strchr(line, '\n');
        if (newline == NULL) {
            ok = false;
            break;
        }
        *newline = '\0';
        at = newline + 1;
        ok = read_line(n, line, &at, n->text + len);
    }
    if (!ok) {
        vg_names_free(n);
        return NULL;
    }
    return n;
}

void vg_names_free(vg_names *names) {
    if (names == NULL)
        return;
    for (int f = 0; f < names->num_funcs; f++) {
        for (int v = 0; v < names->funcs[f].num_vars; v++) {
            free(names->funcs[f].vars[v].leaves);
            free(names->funcs[f].vars[v].targets);
        }
        free(names->funcs[f].vars);
        free(names->funcs[f].scopes);
    }
    for (int t = 0; t < names->num_types; t++) {
        free(names->types[t].leaves);
        free(names->types[t].targets);
    }
    free(names->types);
    free(names->values);
    free(names->funcs);
    free(names->sources);
    free(names->text);
    free(names);
}

const vg_source *vg_names_source(const vg_names *names, int file) {
    for (int i = 0; i < names->num_sources; i++)
        if (names->sources[i].file == file)
            return &names->sources[i];
    return NULL;
}

const vg_named_var *vg_names_type(const vg_names *names, const char *name) {
    for (int i = 0; i < names->num_types; i++)
        if (strcmp(names->types[i].name, name) == 0)
            return &names->types[i];
    return NULL;
}

const vg_named_value *vg_names_value(const vg_names *names, const char *name) {
    for (int i = 0; i < names->num_values; i++)
        if (strcmp(names->values[i].name, name) == 0)
            return &names->values[i];
    return NULL;
}

const vg_named_func *vg_names_func(const vg_names *names, const char *symbol) {
    for (int i = 1; i < names->num_funcs; i++)
        if (strcmp(names->funcs[i].symbol, symbol) == 0)
            return &names->funcs[i];
    return NULL;
}
