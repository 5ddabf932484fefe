/* value.c: see value.h. */
#include "vgpu/src/debug/value.h"

#include "vgpu/src/core/halfs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 200 }; /* elements of an array in one line */

/* ---- types ---- */

static const struct {
    const char *name;
    enum vg_encoding encoding;
    uint32_t size;
} known[] = {
    {"void", VG_UNSIGNED, 0},
    {"bool", VG_BOOL, 1},
    {"char", VG_CHAR, 1},
    {"signed char", VG_SIGNED, 1},
    {"unsigned char", VG_UNSIGNED, 1},
    {"short", VG_SIGNED, 2},
    {"unsigned short", VG_UNSIGNED, 2},
    {"int", VG_SIGNED, 4},
    {"signed", VG_SIGNED, 4},
    {"signed int", VG_SIGNED, 4},
    {"unsigned", VG_UNSIGNED, 4},
    {"unsigned int", VG_UNSIGNED, 4},
    {"long", VG_SIGNED, 8},
    {"long int", VG_SIGNED, 8},
    {"unsigned long", VG_UNSIGNED, 8},
    {"long unsigned int", VG_UNSIGNED, 8},
    {"long long", VG_SIGNED, 8},
    {"unsigned long long", VG_UNSIGNED, 8},
    {"long long int", VG_SIGNED, 8},
    {"long long unsigned int", VG_UNSIGNED, 8},
    {"size_t", VG_UNSIGNED, 8},
    {"int64_t", VG_SIGNED, 8},
    {"uint64_t", VG_UNSIGNED, 8},
    {"int32_t", VG_SIGNED, 4},
    {"uint32_t", VG_UNSIGNED, 4},
    {"int16_t", VG_SIGNED, 2},
    {"uint16_t", VG_UNSIGNED, 2},
    {"int8_t", VG_SIGNED, 1},
    {"uint8_t", VG_UNSIGNED, 1},
    {"float", VG_FLOAT, 4},
    {"double", VG_FLOAT, 8},
    {"half", VG_HALF, 2},
    {"__half", VG_HALF, 2},
    {"__nv_bfloat16", VG_BFLOAT16, 2},
};

static bool is_qualifier(const char *word, size_t n) {
    static const char *const words[] = {"const", "volatile", "restrict", "__restrict",
                                        "__restrict__"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncmp(words[i], word, n) == 0)
            return true;
    return false;
}

/* How long a word is that ends before a blank, * or &: those in a template's arguments are its
 * own. */
static size_t word_length(const char *at, const char *ends) {
    size_t n = 0;
    for (int depth = 0; at[n] != '\0' && (depth > 0 || strchr(ends, at[n]) == NULL); n++)
        depth += at[n] == '<' ? 1 : at[n] == '>' ? -1 : 0;
    return n;
}

bool dbg_type_read(const char *words, dbg_type *to) {
    char plain[128] = "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, words) == 0) { /* as most are */
            *to = (dbg_type){.encoding = known[i].encoding, .size = known[i].size};
            memcpy(to->name, words, strlen(words) + 1);
            return true;
        }
    }
    *to = (dbg_type){.encoding = VG_UNSIGNED};
    for (const char *at = words; *at != '\0';) {
        const size_t n = word_length(at, " *&");
        if (n > 0 && !is_qualifier(at, n) && strlen(plain) + n + 2 < sizeof plain)
            snprintf(plain + strlen(plain), sizeof plain - strlen(plain), "%s%.*s",
                     plain[0] != '\0' ? " " : "", (int)n, at);
        at += n;
        to->stars += *at == '*' || *at == '&';
        at += *at != '\0';
    }
    const char *start = words + strspn(words, " ");
    size_t len = word_length(start, "*&");
    while (len > 0 && start[len - 1] == ' ')
        len--;
    snprintf(to->name, sizeof to->name, "%.*s", (int)len, start);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, plain) == 0) {
            to->encoding = known[i].encoding;
            to->size = known[i].size;
            return true;
        }
    }
    return false;
}

static dbg_type type_named(const char *name) {
    dbg_type t;
    (void)dbg_type_read(name, &t);
    return t;
}

dbg_type dbg_int_type(void) {
    return type_named("int");
}

bool dbg_is_float(const dbg_type *t) {
    return t->stars == 0 &&
           (t->encoding == VG_FLOAT || t->encoding == VG_HALF || t->encoding == VG_BFLOAT16);
}

bool dbg_is_signed(const dbg_type *t) {
    return t->stars == 0 && (t->encoding == VG_SIGNED || t->encoding == VG_CHAR);
}

uint32_t dbg_size_of(const dbg_type *t) {
    return t->stars > 0 ? 8 : t->size;
}

dbg_type dbg_pointee(const dbg_type *t) {
    dbg_type to = *t;
    to.stars--;
    return to;
}

/* ---- numbers ---- */

/* The low bytes of u, extended as the type says. */
static uint64_t extended(const dbg_type *t, uint64_t u) {
    const uint32_t size = dbg_size_of(t);
    if (t->encoding == VG_BOOL && t->stars == 0)
        return u != 0;
    if (size == 0 || size >= 8)
        return u;
    const int shift = 64 - 8 * (int)size;
    return dbg_is_signed(t) ? (uint64_t)((int64_t)(u << shift) >> shift) : u << shift >> shift;
}

dbg_value dbg_int(int64_t i) {
    dbg_value v = {.type = i >= INT32_MIN && i <= INT32_MAX ? dbg_int_type() : type_named("long")};
    v.u = (uint64_t)i;
    return v;
}

static double float_of_bits(const dbg_type *t, uint64_t bits) {
    float f;
    double d;
    const uint32_t low = (uint32_t)bits;
    if (t->encoding == VG_HALF)
        return (double)f16_value(low);
    if (t->encoding == VG_BFLOAT16)
        return (double)bf16_value(low);
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return t->size == 8 ? d : (double)f;
}

dbg_value dbg_from_bytes(const dbg_type *t, const uint8_t *bytes) {
    dbg_value v = {.type = *t};
    uint64_t bits = 0;
    memcpy(&bits, bytes, dbg_size_of(t));
    if (dbg_is_float(t))
        v.f = float_of_bits(t, bits);
    else if (t->encoding == VG_BOOL && t->stars == 0)
        v.u = bits; /* a bool that holds neither 0 nor 1 is shown as it is */
    else
        v.u = extended(t, bits);
    return v;
}

void dbg_to_bytes(const dbg_value *v, uint8_t bytes[8]) {
    uint64_t bits = v->u;
    if (dbg_is_float(&v->type)) {
        const float f = (float)v->f;
        uint32_t low;
        memcpy(&low, &f, sizeof low);
        memcpy(&bits, &v->f, sizeof bits);
        if (v->type.encoding == VG_HALF)
            bits = f16_bits(f);
        else if (v->type.encoding == VG_BFLOAT16)
            bits = bf16_bits(f);
        else if (v->type.size == 4)
            bits = low;
    }
    memcpy(bytes, &bits, 8);
}

double dbg_as_double(const dbg_value *v) {
    return dbg_is_float(&v->type)    ? v->f
           : dbg_is_signed(&v->type) ? (double)(int64_t)v->u
                                     : (double)v->u;
}

bool dbg_is_true(const dbg_value *v) {
    return dbg_is_float(&v->type) ? v->f != 0 : v->u != 0;
}

static uint64_t whole_of(double f) {
    if (f >= 9.2e18)
        return f < 1.8446744073709550e19 ? (uint64_t)f : UINT64_MAX;
    return f > -9.2e18 ? (uint64_t)(int64_t)f : f < 0 ? (uint64_t)INT64_MIN : 0;
}

dbg_value dbg_convert(const dbg_value *v, const dbg_type *to) {
    dbg_value r = {.type = *to};
    if (dbg_is_float(to)) {
        r.f = dbg_as_double(v);
        uint8_t bytes[8];
        dbg_to_bytes(&r, bytes);
        return dbg_from_bytes(to, bytes);
    }
    if (to->encoding == VG_BOOL && to->stars == 0)
        r.u = dbg_is_true(v);
    else
        r.u = extended(to, dbg_is_float(&v->type) ? whole_of(v->f) : v->u);
    return r;
}

/* ---- arrays and structs ---- */

static bool has_prefix(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const vg_leaf *first_leaf(const dbg_value *v) {
    for (int i = 0; i < v->var->num_leaves; i++)
        if (has_prefix(v->var->leaves[i].path, v->path))
            return &v->var->leaves[i];
    return NULL;
}

/* The struct or array that a type names; NULL: none that pointers point to. */
static const vg_named_var *struct_of(const dbg_memory *m, const dbg_type *t) {
    const char *name = t->name;
    if (t->size != 0 || t->stars > 0)
        return NULL;
    for (int i = 0; m->names != NULL && i < m->names->num_types; i++)
        if (strcmp(m->names->types[i].name, name) == 0) /* "const float [8]", too */
            return &m->names->types[i];
    for (size_t n; m->names != NULL && (n = strcspn(name, " ")) > 0 && is_qualifier(name, n);)
        name += n + (name[n] == ' ');
    return m->names != NULL ? vg_names_type(m->names, name, m->func != NULL ? m->func->name : "")
                            : NULL;
}

uint32_t dbg_bytes_of(const dbg_memory *m, const dbg_type *t) {
    const vg_named_var *s = struct_of(m, t);
    return s != NULL ? (uint32_t)s->size : dbg_size_of(t);
}

/* The name of a number's type, of the program or C's. */
static dbg_type type_of_number(enum vg_encoding encoding, uint32_t size, const char *name) {
    dbg_type t = {.encoding = encoding, .size = size};
    for (size_t i = sizeof known / sizeof *known; name == NULL && i-- > 0;)
        if (known[i].encoding == encoding && known[i].size == size)
            snprintf(t.name, sizeof t.name, "%s", known[i].name);
    if (name != NULL)
        snprintf(t.name, sizeof t.name, "%s", name);
    return t;
}

dbg_value dbg_of_const(const vg_named_const *c) {
    const dbg_type t = type_of_number(c->encoding, c->size, c->type);
    uint8_t bytes[8];
    memcpy(bytes, &c->bits, sizeof bytes);
    return dbg_from_bytes(&t, bytes);
}

/* Bytes in which a number has bits. */
static uint32_t bytes_touched(const dbg_value *v) {
    return v->bits != 0 ? (v->shift + v->bits + 7U) / 8 : dbg_size_of(&v->type);
}

static uint64_t mask_of(const dbg_value *v) {
    return (v->bits < 64 ? (UINT64_C(1) << v->bits) - 1 : UINT64_MAX) << v->shift;
}

/* The bits of a bit field, as a number of its type. */
static dbg_value from_bits(const dbg_value *place, const uint8_t bytes[8]) {
    dbg_value v = *place;
    uint64_t u;
    memcpy(&u, bytes, sizeof u);
    u = (u & mask_of(place)) >> place->shift;
    const int above = 64 - place->bits;
    v.u = dbg_is_signed(&v.type) ? (uint64_t)((int64_t)(u << above) >> above) : u;
    return v;
}

uint32_t dbg_stored(const dbg_memory *m, dbg_value *v, uint8_t bytes[8]) {
    uint64_t own, there = 0;
    dbg_to_bytes(v, bytes);
    if (v->bits == 0)
        return dbg_size_of(&v->type);
    memcpy(&own, bytes, sizeof own);
    if (!m->read(m->self, v->at, &there, bytes_touched(v)))
        return 0;
    there = (there & ~mask_of(v)) | (own << v->shift & mask_of(v));
    memcpy(bytes, &there, sizeof there);
    *v = from_bits(v, bytes);
    return bytes_touched(v);
}

/* A reference is what it refers to. */
static bool follow(const dbg_memory *m, const vg_leaf *l, dbg_value *v, char error[DBG_ERROR]) {
    const size_t n = l->type != NULL ? strlen(l->type) : 0;
    const dbg_type to = dbg_pointee(&v->type);
    return n == 0 || l->encoding != VG_POINTER || l->type[n - 1] != '&' ||
           dbg_bytes_of(m, &to) == 0 || dbg_at(m, &to, v->u, v, error);
}

/* A number's place has been reached: reads it; until then only the way is kept. */
static bool settle(const dbg_memory *m, dbg_value *v, char error[DBG_ERROR]) {
    const vg_leaf *l = first_leaf(v);
    if (l == NULL) {
        snprintf(error, DBG_ERROR, "%s%s: the compiler tells nothing of what is in a %s",
                 v->var->name, v->path, v->var->type);
        return false;
    }
    if (strcmp(l->path, v->path) != 0)
        return true;
    dbg_type t = type_of_number(l->encoding, l->size, l->type);
    if (l->encoding == VG_POINTER) {
        (void)dbg_type_read(l->type != NULL ? l->type : v->var->type, &t);
        t.stars += t.stars == 0;
        if (l->type == NULL && v->path[0] != '\0' && strchr(v->path, '.') != NULL)
            t = (dbg_type){.encoding = VG_UNSIGNED, .stars = 1, .name = "void"};
    }
    uint8_t bytes[8] = {0};
    const uint64_t at = v->at + l->offset;
    const dbg_value place = {
        .type = t, .placed = true, .at = at, .shift = l->shift, .bits = l->bits};
    if (!m->read(m->self, at, bytes, bytes_touched(&place))) {
        snprintf(error, DBG_ERROR, "%s%s: nothing can be read at 0x%" PRIx64, v->var->name, v->path,
                 at);
        return false;
    }
    *v = l->bits != 0 ? from_bits(&place, bytes) : dbg_from_bytes(&t, bytes);
    v->placed = true;
    v->at = at;
    return follow(m, l, v, error);
}

bool dbg_of_var(const dbg_memory *m, const vg_named_var *var, uint64_t at, dbg_value *to,
                char error[DBG_ERROR]) {
    *to = (dbg_value){.var = var, .placed = true, .at = at};
    return settle(m, to, error);
}

bool dbg_at(const dbg_memory *m, const dbg_type *t, uint64_t at, dbg_value *to,
            char error[DBG_ERROR]) {
    const vg_named_var *s = struct_of(m, t);
    uint8_t bytes[8] = {0};
    if (s != NULL)
        return dbg_of_var(m, s, at, to, error);
    if (dbg_size_of(t) == 0) {
        snprintf(error, DBG_ERROR, "'%s' has no size here: cast the pointer, as in (float *)p",
                 t->name);
        return false;
    }
    if (!m->read(m->self, at, bytes, dbg_size_of(t))) {
        snprintf(error, DBG_ERROR, "nothing can be read at 0x%" PRIx64, at);
        return false;
    }
    *to = dbg_from_bytes(t, bytes);
    to->placed = true;
    to->at = at;
    return true;
}

static bool is_at_field(const dbg_value *v, const char *name) {
    const size_t n = strlen(v->path), len = strlen(name);
    for (int i = 0; i < v->var->num_leaves; i++) {
        const char *p = v->var->leaves[i].path;
        if (has_prefix(p, v->path) && p[n] == '.' && strncmp(p + n + 1, name, len) == 0 &&
            (p[n + 1 + len] == '\0' || p[n + 1 + len] == '.' || p[n + 1 + len] == '['))
            return true;
    }
    return false;
}

bool dbg_field(const dbg_memory *m, const dbg_value *of, const char *name, dbg_value *to,
               char error[DBG_ERROR]) {
    *to = *of;
    if (of->var == NULL || !is_at_field(of, name) ||
        strlen(of->path) + strlen(name) + 2 > sizeof to->path) {
        if (of->var == NULL)
            snprintf(error, DBG_ERROR, "a number has no field '%s'", name);
        else
            snprintf(error, DBG_ERROR, "%s%s has no field '%s'", of->var->name, of->path, name);
        return false;
    }
    const size_t n = strlen(of->path);
    snprintf(to->path + n, sizeof to->path - n, ".%s", name);
    return settle(m, to, error);
}

const char *dbg_field_name(const dbg_value *v, int i, char name[DBG_PATH]) {
    const size_t n = strlen(v->path);
    name[0] = '\0';
    for (int k = 0; v->var != NULL && k < v->var->num_leaves; k++) {
        const char *p = v->var->leaves[k].path;
        if (strncmp(p, v->path, n) != 0 || p[n] != '.')
            continue;
        const size_t len = strcspn(p + n + 1, ".[");
        if (strlen(name) == len && strncmp(name, p + n + 1, len) == 0)
            continue;
        snprintf(name, DBG_PATH, "%.*s", (int)len, p + n + 1);
        if (i-- == 0)
            return name;
    }
    return NULL;
}

bool dbg_is_array(const dbg_value *v) {
    const vg_leaf *l = v->var != NULL ? first_leaf(v) : NULL;
    return l != NULL && l->path[strlen(v->path)] == '[' && v->dims < l->dims;
}

uint32_t dbg_side(const dbg_value *v) {
    return dbg_is_array(v) ? first_leaf(v)->side[v->dims] : 0;
}

bool dbg_element(const dbg_memory *m, const dbg_value *of, int64_t index, dbg_value *to,
                 char error[DBG_ERROR]) {
    *to = *of;
    const uint32_t side = dbg_side(of);
    if (!dbg_is_array(of)) {
        snprintf(error, DBG_ERROR, "this is not an array, and has no element %" PRId64, index);
        return false;
    }
    if (side > 0 && (index < 0 || index >= side)) { /* 0: the launch says how many there are */
        snprintf(error, DBG_ERROR, "%s%s has the elements 0 to %u, not %" PRId64, of->var->name,
                 of->path, side - 1, index);
        return false;
    }
    to->at += (uint64_t)index * first_leaf(of)->stride[of->dims];
    to->dims++;
    const size_t n = strlen(of->path);
    snprintf(to->path + n, sizeof to->path - n, "[]");
    return settle(m, to, error);
}

/* ---- writing ---- */

/* As few digits as give the same number back. */
static void write_float(double f, bool single, FILE *to) {
    char text[40];
    const int most = single ? 9 : 17;
    for (int digits = single ? 6 : 15; digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, f);
        if (single ? strtof(text, NULL) == (float)f : strtod(text, NULL) == f)
            break;
    }
    fputs(isnan(f) ? "nan" : text, to);
}

static void write_bits(uint64_t u, uint32_t size, FILE *to) {
    int bit = 8 * (int)size - 1;
    while (bit > 0 && (u >> bit & 1) == 0)
        bit--;
    for (; bit >= 0; bit--)
        fputc((u >> bit & 1) != 0 ? '1' : '0', to);
}

static void write_character(uint64_t u, FILE *to) {
    const int c = (int)(u & 0xFF);
    fprintf(to, "%" PRId64 " ", (int64_t)(int8_t)c);
    fprintf(to, c >= 32 && c < 127 ? "'%c'" : "'\\%03o'", c);
}

static void write_as(const dbg_value *v, char format, FILE *to) {
    uint8_t bytes[8];
    uint64_t bits = 0;
    dbg_to_bytes(v, bytes);
    const uint32_t size = dbg_size_of(&v->type);
    memcpy(&bits, bytes, size);
    dbg_type wide = {.encoding = VG_SIGNED, .size = size};
    const bool floating = dbg_is_float(&v->type);
    const uint64_t whole = floating ? dbg_convert(v, &(dbg_type){VG_SIGNED, 8, 0, ""}).u : bits;
    switch (format) {
    case 'x': fprintf(to, "0x%" PRIx64, bits); break;
    case 'o': fprintf(to, "0%" PRIo64, bits); break;
    case 't': write_bits(bits, size, to); break;
    case 'u': fprintf(to, "%" PRIu64, whole); break;
    case 'd': fprintf(to, "%" PRId64, (int64_t)(floating ? whole : extended(&wide, bits))); break;
    case 'c': write_character(whole, to); break;
    default: write_float(dbg_as_double(v), v->type.size == 4, to); break;
    }
}

/* The name of an enumeration's number; NULL: it has none. */
static const char *name_of_number(const dbg_memory *m, const dbg_value *v) {
    for (int i = 0; m->names != NULL && v->type.stars == 0 && i < m->names->num_values; i++) {
        const vg_named_value *n = &m->names->values[i];
        if (n->number == (int64_t)v->u && strcmp(n->type, v->type.name) == 0 && n->type[0] != '\0')
            return n->name;
    }
    return NULL;
}

static void write_number(const dbg_memory *m, const dbg_value *v, char format, FILE *to) {
    const char *name = dbg_is_float(&v->type) ? NULL : name_of_number(m, v);
    if (format == 0 && name != NULL)
        fputs(name, to);
    else if (format != 0)
        write_as(v, format, to);
    else if (v->type.stars > 0)
        fprintf(to, "(%s %.*s) 0x%" PRIx64, v->type.name, v->type.stars, "****", v->u);
    else if (dbg_is_float(&v->type))
        write_float(v->f, v->type.size != 8, to);
    else if (v->type.encoding == VG_BOOL && v->u <= 1)
        fputs(v->u != 0 ? "true" : "false", to);
    else if (v->type.encoding == VG_CHAR)
        write_character(v->u, to);
    else if (dbg_is_signed(&v->type))
        fprintf(to, "%" PRId64, (int64_t)v->u);
    else
        fprintf(to, "%" PRIu64, v->u);
}

static void write_part(const dbg_memory *m, const dbg_value *v, char format, int depth, FILE *to);

static bool is_matrix(const dbg_value *v) {
    const vg_leaf *l = first_leaf(v);
    return l != NULL && v->dims == l->dims - 2 && strcmp(l->path + strlen(v->path), "[][]") == 0;
}

/* How many numbers lie there, of an array whose side the launch says. */
static uint32_t numbers_there(const dbg_memory *m, const dbg_value *v) {
    uint32_t n = 0;
    char why[DBG_ERROR];
    dbg_value e;
    while (n <= MOST_SHOWN && dbg_element(m, v, n, &e, why) && e.var == NULL)
        n++;
    return n;
}

static void write_array(const dbg_memory *m, const dbg_value *v, char format, int depth, FILE *to) {
    const uint32_t said = dbg_side(v), side = said > 0 ? said : numbers_there(m, v);
    const bool rows = is_matrix(v);
    fputc('{', to);
    for (uint32_t i = 0; i < side && i < MOST_SHOWN; i++) {
        char why[DBG_ERROR];
        dbg_value e;
        if (rows)
            fprintf(to, "%s\n%*s[%u] = ", i > 0 ? "," : "", 2 * depth + 2, "", i);
        else
            fputs(i > 0 ? ", " : "", to);
        if (dbg_element(m, v, i, &e, why))
            write_part(m, &e, format, depth + 1, to);
        else
            fputs("<unreadable>", to);
    }
    if (side > MOST_SHOWN && said > 0)
        fprintf(to, "… %u more", side - MOST_SHOWN);
    else if (side > MOST_SHOWN)
        fputs("…", to);
    if (rows)
        fprintf(to, "\n%*s", 2 * depth, "");
    fputc('}', to);
}

static void write_struct(const dbg_memory *m, const dbg_value *v, char format, int depth,
                         FILE *to) {
    const char *parting = "{";
    char field[DBG_PATH], why[DBG_ERROR];
    for (int i = 0; dbg_field_name(v, i, field) != NULL; i++) {
        dbg_value e;
        fprintf(to, "%s%s = ", parting, field);
        if (dbg_field(m, v, field, &e, why))
            write_part(m, &e, format, depth + 1, to);
        else
            fputs("<unreadable>", to);
        parting = ", ";
    }
    fputc('}', to);
}

static void write_part(const dbg_memory *m, const dbg_value *v, char format, int depth, FILE *to) {
    if (v->var == NULL)
        write_number(m, v, format, to);
    else if (dbg_is_array(v))
        write_array(m, v, format, depth, to);
    else
        write_struct(m, v, format, depth, to);
}

void dbg_write(const dbg_memory *m, const dbg_value *v, char format, FILE *to) {
    write_part(m, v, format, 0, to);
}
