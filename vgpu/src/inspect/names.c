/* names.c: see names.h. */
#include "vgpu/src/inspect/names.h"

#include <limits.h>
#include <stdio.h>
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

static bool add_const(const vg_names *n, char *const *field, int count) {
    vg_named_func *f = last_func(n);
    vg_named_const c = {.name = field[1]};
    if (count != 5 || !read_encoding(field[2], &c.encoding, &c.type))
        return false;
    c.size = (uint32_t)strtoul(field[3], NULL, 10);
    c.bits = (uint64_t)strtoll(field[4], NULL, 10);
    vg_named_const *to = c.size == 0 || c.size > 8 ? &c : GROW(f->consts, f->num_consts);
    if (to != NULL)
        *to = c;
    return to != NULL;
}

static bool add_value(vg_names *n, char *const *field, int count) {
    vg_named_value *v = count == 4 ? GROW(n->values, n->num_values) : NULL;
    if (v != NULL)
        *v = (vg_named_value){field[1], field[2], strtoll(field[3], NULL, 10)};
    return v != NULL;
}

/* "4"; of a bit field "4:3:5". */
static bool read_bytes(const char *text, vg_leaf *to) {
    char *end = NULL;
    to->size = (uint32_t)strtoul(text, &end, 10);
    if (*end != ':')
        return true;
    const unsigned long shift = strtoul(end + 1, &end, 10);
    const unsigned long bits = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
    to->shift = (uint8_t)shift;
    to->bits = (uint8_t)bits;
    return *end == '\0' && shift < 8 && bits > 0 && bits <= 64 - shift;
}

/* All of the leaf lies within its variable. */
static bool lies_within(const vg_leaf *l, uint64_t size) {
    uint64_t end =
        (uint64_t)l->offset + (l->bits != 0 ? (uint32_t)(l->shift + l->bits + 7) / 8 : l->size);
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
    vg_leaf l = {
        .path = field[1], .offset = (uint32_t)strtoul(field[4], NULL, 10), .dims = (count - 5) / 2};
    for (int i = 0; i < l.dims; i++) {
        l.side[i] = (uint32_t)strtoul(field[5 + 2 * i], NULL, 10);
        l.stride[i] = (uint32_t)strtoul(field[6 + 2 * i], NULL, 10);
    }
    if (!read_encoding(field[2], &l.encoding, &l.type) || !read_bytes(field[3], &l))
        return false;
    const bool target = v->points != 0;
    if (l.size == 0 || l.size > 8 || l.bits > 8 * l.size ||
        !lies_within(&l, target ? v->points : v->size))
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
           : strcmp(what, "const") == 0  ? add_const(n, field, count)
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
        free(names->funcs[f].consts);
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

/* Behind the template's arguments that begin here. */
static const char *behind_arguments(const char *at) {
    int depth = 0;
    do {
        depth += *at == '<' ? 1 : *at == '>' ? -1 : 0;
        at++;
    } while (*at != '\0' && depth > 0);
    return at;
}

/* Is the rest of a name what is said? Arguments of a template may be left out, as blanks may. */
static bool is_said(const char *name, const char *said) {
    for (;; name++, said++) {
        while (*name == ' ')
            name++;
        while (*said == ' ')
            said++;
        if (*name == '<' && (*said == '\0' || (said[0] == ':' && said[1] == ':')))
            name = behind_arguments(name);
        if (*name != *said)
            return false;
        if (*name == '\0')
            return true;
    }
}

int vg_name_fits(const char *name, const char *said, const char *within) {
    const bool whole = said[0] == ':' && said[1] == ':';
    if (is_said(name, whole ? said + 2 : said))
        return 2;
    for (const char *at = name; *at != '\0' && !whole;) {
        if (*at == '<') {
            at = behind_arguments(at);
        } else if (at[0] != ':' || at[1] != ':') {
            at++;
        } else {
            at += 2;
            const size_t around = (size_t)(at - name);
            if (is_said(at, said))
                return strncmp(name, within, around) == 0 ? 2 + (int)around : 1;
        }
    }
    return 0;
}

const vg_named_var *vg_names_type(const vg_names *names, const char *said, const char *within) {
    const vg_named_var *best = NULL;
    int how_well = 0;
    for (int i = 0; i < names->num_types; i++) {
        const int fits = strcmp(names->types[i].name, said) == 0
                             ? INT_MAX
                             : vg_name_fits(names->types[i].name, said, within);
        if (fits > how_well) {
            how_well = fits;
            best = &names->types[i];
        }
    }
    return best;
}

/* Numbers of "lab::color" are lab::color::RED, and lab::RED as well. */
static int value_fits(const vg_named_value *v, const char *said, const char *within) {
    char name[512];
    size_t n = strlen(v->type);
    const bool unnamed = n == 0 || v->type[n - 1] == ':';
    snprintf(name, sizeof name, "%s%s%s", v->type, unnamed ? "" : "::", v->name);
    const int fits = vg_name_fits(name, said, within);
    if (unnamed)
        return fits;
    while (n > 0 && v->type[n - 1] != ':')
        n--;
    snprintf(name, sizeof name, "%.*s%s", (int)n, v->type, v->name);
    const int outside = vg_name_fits(name, said, within);
    return outside > fits ? outside : fits;
}

const vg_named_value *vg_names_value(const vg_names *names, const char *said, const char *within) {
    const vg_named_value *best = NULL;
    int how_well = 0;
    for (int i = 0; i < names->num_values; i++) {
        const int fits = value_fits(&names->values[i], said, within);
        if (fits > how_well) {
            how_well = fits;
            best = &names->values[i];
        }
    }
    return best;
}

const vg_named_const *vg_names_const(const vg_names *names, const vg_named_func *f,
                                     const char *said) {
    const vg_named_const *best = NULL;
    int how_well = 0;
    for (int i = 0; f != NULL && i < f->num_consts; i++)
        if (strcmp(f->consts[i].name, said) == 0)
            return &f->consts[i];
    for (int i = 0; i < names->funcs[0].num_consts; i++) {
        const vg_named_const *c = &names->funcs[0].consts[i];
        const int fits = vg_name_fits(c->name, said, f != NULL ? f->name : "");
        if (fits > how_well) {
            how_well = fits;
            best = c;
        }
    }
    return best;
}

const vg_named_func *vg_names_func(const vg_names *names, const char *symbol) {
    for (int i = 1; i < names->num_funcs; i++)
        if (strcmp(names->funcs[i].symbol, symbol) == 0)
            return &names->funcs[i];
    return NULL;
}
