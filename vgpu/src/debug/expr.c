/*
 * expr.c: see expr.h. A descent over the text that computes as it reads; operators by their
 * strength. What && || ?: do not want is read and computed, but its errors do not count.
 * Long, since it is one descent: each level calls the next, and the last one the first again.
 */
#include "vgpu/src/debug/expr.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64, NAME_MAX_LEN = 128 };

typedef struct reader {
    const dbg_env *env;
    const char *text, *at;
    int depth;
    bool idle; /* in the part of && || ?: that is not wanted */
    bool failed;
    char *error;
} reader;

__attribute__((format(printf, 2, 3))) static dbg_value fail(reader *r, const char *form, ...) {
    if (!r->failed) {
        va_list args;
        va_start(args, form);
        vsnprintf(r->error, DBG_ERROR, form, args);
        va_end(args);
    }
    r->failed = true;
    return dbg_int(0);
}

/* A value is at fault, not the text: in a part that is not wanted, that is no harm. */
static dbg_value miss(reader *r, const char *why) {
    return r->idle ? dbg_int(0) : fail(r, "%s", why);
}

static void skip_blanks(reader *r) {
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool take(reader *r, const char *sign) {
    skip_blanks(r);
    const size_t n = strlen(sign);
    if (strncmp(r->at, sign, n) != 0)
        return false;
    r->at += n;
    return true;
}

static void expect(reader *r, const char *sign) {
    if (!r->failed && !take(r, sign))
        (void)fail(r, *r->at != '\0' ? "expected '%s' before \"%s\"" : "expected '%s' at the end",
                   sign, r->at);
}

static bool is_in_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool take_name(reader *r, char name[NAME_MAX_LEN]) {
    skip_blanks(r);
    size_t n = 0;
    while (is_in_name(r->at[n]))
        n++;
    if (n == 0 || n >= NAME_MAX_LEN || isdigit((unsigned char)*r->at))
        return false;
    memcpy(name, r->at, n);
    name[n] = '\0';
    r->at += n;
    return true;
}

/* The arguments of a template, if "::" comes behind them: a < b is a comparison. 0: none. */
static size_t arguments_length(const char *at) {
    size_t n = 0;
    int depth = 0;
    do {
        depth += at[n] == '<' ? 1 : at[n] == '>' ? -1 : 0;
        n += at[n] != '\0';
    } while (depth > 0 && at[n] != '\0');
    return depth == 0 && n > 1 && strncmp(at + n, "::", 2) == 0 ? n : 0;
}

/* "sum", "lab::calls", "::calls", "tile<3>::SIDE" */
static bool take_qualified(reader *r, char name[NAME_MAX_LEN]) {
    skip_blanks(r);
    size_t n = strncmp(r->at, "::", 2) == 0 ? 2 : 0;
    for (bool more = true; more;) {
        const size_t start = n;
        while (is_in_name(r->at[n]))
            n++;
        if (n == start || isdigit((unsigned char)r->at[start]))
            return false;
        n += arguments_length(r->at + n);
        more = strncmp(r->at + n, "::", 2) == 0;
        n += more ? 2 : 0;
    }
    if (n >= NAME_MAX_LEN)
        return false;
    memcpy(name, r->at, n);
    name[n] = '\0';
    r->at += n;
    return true;
}

static dbg_value expression(reader *r, int least);
static dbg_value unary(reader *r);

static dbg_value of_type(const char *name, uint64_t u) {
    dbg_value v = {0};
    (void)dbg_type_read(name, &v.type);
    v.u = u;
    return v;
}

/* ---- what operators work on ---- */

/* C makes an int of a bit field that fits into one. */
static dbg_value of_bits(const dbg_value *v) {
    const dbg_type whole = dbg_int_type();
    dbg_value e = *v;
    if (v->type.encoding != VG_BOOL && v->bits < 32U + dbg_is_signed(&v->type))
        e = dbg_convert(v, &whole);
    e.bits = 0;
    e.placed = false;
    return e;
}

/* An array is a pointer to its first element where a number is wanted. */
static dbg_value as_number(reader *r, const dbg_value *v) {
    dbg_value e = *v;
    char why[DBG_ERROR];
    if (!r->failed && v->bits != 0)
        return of_bits(v);
    if (r->failed || v->var == NULL)
        return e;
    if (!dbg_is_array(v))
        return fail(r, "%s%s is a struct: name one of its fields", v->var->name, v->path);
    while (e.var != NULL && dbg_is_array(&e))
        if (!dbg_element(&r->env->memory, &e, 0, &e, why))
            return miss(r, why);
    if (e.var != NULL)
        return fail(r, "%s%s has structs as elements: name one of their fields", v->var->name,
                    v->path);
    dbg_value p = {.type = e.type};
    p.type.stars++;
    p.u = v->at;
    return p;
}

static dbg_value load(reader *r, const dbg_type *t, uint64_t at) {
    char why[DBG_ERROR];
    dbg_value v;
    if (dbg_bytes_of(&r->env->memory, t) == 0)
        return fail(r, "'%s' has no size here: cast the pointer, as in (float *)p", t->name);
    return dbg_at(&r->env->memory, t, at, &v, why) ? v : miss(r, why);
}

static dbg_value element(reader *r, const dbg_value *of, const dbg_value *index) {
    char why[DBG_ERROR];
    dbg_value e;
    if (r->failed)
        return *of;
    if (index->var != NULL || dbg_is_float(&index->type) || index->type.stars > 0)
        return fail(r, "an index is a whole number");
    if (of->var != NULL)
        return dbg_element(&r->env->memory, of, (int64_t)index->u, &e, why) ? e : miss(r, why);
    if (of->type.stars == 0)
        return miss(r, "only arrays and pointers have elements");
    const dbg_type t = dbg_pointee(&of->type);
    return load(r, &t, of->u + index->u * dbg_bytes_of(&r->env->memory, &t));
}

/* ---- operands ---- */

static dbg_value character(reader *r) {
    static const char *const escapes = "n\nt\tr\r0\0";
    int c = (unsigned char)*r->at;
    if (c == '\\' && r->at[1] != '\0') {
        r->at++;
        c = (unsigned char)*r->at;
        for (int i = 0; i < 8; i += 2)
            if (escapes[i] == c) {
                c = (unsigned char)escapes[i + 1];
                break;
            }
    }
    if (*r->at == '\0')
        return fail(r, "expected a character after '");
    r->at++;
    expect(r, "'");
    return of_type("char", (uint64_t)c);
}

static dbg_value number(reader *r) {
    char *end = NULL, *whole_end = NULL;
    const bool hex = r->at[0] == '0' && (r->at[1] == 'x' || r->at[1] == 'X');
    const double f = strtod(r->at, &end);
    const uint64_t u = strtoull(r->at, &whole_end, 0);
    dbg_value v;
    if (hex || whole_end >= end) {
        r->at = whole_end;
        bool is_unsigned = false, is_long = false;
        for (; *r->at != '\0' && strchr("uUlL", *r->at) != NULL; r->at++) {
            is_unsigned = is_unsigned || *r->at == 'u' || *r->at == 'U';
            is_long = is_long || *r->at == 'l' || *r->at == 'L';
        }
        is_long = is_long || u > UINT32_MAX || (u > INT32_MAX && !is_unsigned && !hex);
        is_unsigned = is_unsigned || u > INT64_MAX || (hex && !is_long && u > INT32_MAX);
        v = of_type(is_long       ? is_unsigned ? "unsigned long" : "long"
                    : is_unsigned ? "unsigned int"
                                  : "int",
                    u);
    } else {
        r->at = end;
        const bool single = *r->at == 'f' || *r->at == 'F';
        r->at += single;
        v = of_type(single ? "float" : "double", 0);
        v.f = single ? (double)(float)f : f;
    }
    return isalnum((unsigned char)*r->at) || *r->at == '_'
               ? fail(r, "this is not a number: \"%s\"", r->at)
               : v;
}

/* In a function of a struct its fields have names of their own. False: it has no such field. */
static bool field_of_this(reader *r, const char *name, dbg_value *to) {
    dbg_symbol s = {0};
    char why[DBG_ERROR];
    dbg_value pointer, all;
    if (!r->env->find(r->env->self, "this", &s) || s.var == NULL ||
        !dbg_of_var(&r->env->memory, s.var, s.at, &pointer, why) || pointer.type.stars != 1)
        return false;
    const dbg_type t = dbg_pointee(&pointer.type);
    return dbg_bytes_of(&r->env->memory, &t) != 0 &&
           dbg_at(&r->env->memory, &t, pointer.u, &all, why) &&
           dbg_field(&r->env->memory, &all, name, to, why);
}

/* Why a name means nothing. */
static dbg_value unknown(reader *r, const char *name, const dbg_symbol *s) {
    const vg_named_func *f = r->env->memory.func;
    if (s->var != NULL && f != NULL)
        return fail(r, "'%s' has no place in memory in %s", name, f->name);
    for (int i = 0; f != NULL && i < f->num_vars; i++)
        if (strcmp(f->vars[i].name, name) == 0)
            return fail(r, "'%s' does not live at this place of %s", name, f->name);
    return fail(r, "there is no '%s' here", name);
}

static dbg_value named(reader *r, const char *name) {
    dbg_symbol s = {0};
    dbg_value v;
    char why[DBG_ERROR];
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return of_type("bool", name[0] == 't');
    const vg_names *names = r->env->memory.names;
    if (!r->env->find(r->env->self, name, &s)) {
        const vg_named_func *f = r->env->memory.func;
        const vg_named_const *c = names != NULL ? vg_names_const(names, f, name) : NULL;
        const vg_named_value *n =
            names != NULL ? vg_names_value(names, name, f != NULL ? f->name : "") : NULL;
        return field_of_this(r, name, &v) ? v
               : c != NULL                ? dbg_of_const(c)
               : n != NULL                ? dbg_int(n->number)
                                          : unknown(r, name, &s);
    }
    if (s.var != NULL)
        return dbg_of_var(&r->env->memory, s.var, s.at, &v, why) ? v : miss(r, why);
    if (s.scalar)
        return of_type("int", s.xyz[0]);
    char field[NAME_MAX_LEN];
    if (!take(r, ".") || !take_name(r, field) || field[1] != '\0' || field[0] < 'x' ||
        field[0] > 'z')
        return fail(r, "%s has the fields x, y and z: %s.x", name, name);
    return of_type("unsigned int", s.xyz[field[0] - 'x']);
}

/* A type in parentheses, if there is one. */
static bool cast_type(reader *r, dbg_type *t) {
    const char *start = r->at;
    const size_t n = strcspn(start, ")");
    char words[NAME_MAX_LEN];
    if (start[n] != ')' || n == 0 || n >= sizeof words)
        return false;
    memcpy(words, start, n);
    words[n] = '\0';
    if (strspn(words, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789 *:<>,") != n)
        return false;
    const bool known = dbg_type_read(words, t);
    dbg_type end = *t;
    end.stars = 0;
    if (t->stars > 3 || (t->stars == 0 && t->size == 0) ||
        (!known && dbg_bytes_of(&r->env->memory, &end) == 0))
        return false;
    r->at += n + 1;
    return true;
}

static dbg_value primary(reader *r) {
    char name[NAME_MAX_LEN];
    skip_blanks(r);
    if (take(r, "(")) {
        const dbg_value v = expression(r, 0);
        expect(r, ")");
        return v;
    }
    if (take(r, "'"))
        return character(r);
    if (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1])))
        return number(r);
    if (take_qualified(r, name))
        return named(r, name);
    return *r->at != '\0' ? fail(r, "expected a name or a number before \"%s\"", r->at)
                          : fail(r, "expected a name or a number at the end");
}

/* p->field */
static dbg_value behind_arrow(reader *r, const dbg_value *of, const char *field) {
    const dbg_value zero = dbg_int(0), pointer = as_number(r, of);
    char why[DBG_ERROR];
    dbg_value v, e;
    if (r->failed)
        return *of;
    if (pointer.type.stars != 1)
        return r->idle ? dbg_int(0) : fail(r, "'->' wants a pointer to a struct");
    v = element(r, &pointer, &zero);
    if (r->failed || (r->idle && v.var == NULL))
        return v;
    return dbg_field(&r->env->memory, &v, field, &e, why) ? e : fail(r, "%s", why);
}

static dbg_value postfix(reader *r) {
    dbg_value v = primary(r);
    while (!r->failed) {
        char field[NAME_MAX_LEN], why[DBG_ERROR];
        if (take(r, "[")) {
            const dbg_value index = expression(r, 0);
            expect(r, "]");
            v = element(r, &v, &index);
        } else if (take(r, "->")) {
            if (!take_name(r, field))
                return fail(r, "expected a field's name after '->'");
            v = behind_arrow(r, &v, field);
        } else if (take(r, ".")) {
            dbg_value e;
            if (!take_name(r, field))
                return fail(r, "expected a field's name after '.'");
            v = dbg_field(&r->env->memory, &v, field, &e, why) ? e : fail(r, "%s", why);
        } else {
            break;
        }
    }
    return v;
}

/* ---- operators ---- */

static dbg_type promoted(const dbg_type *t) {
    if (t->stars > 0 || t->size >= 4)
        return *t;
    return dbg_is_float(t) ? of_type("float", 0).type : dbg_int_type();
}

static dbg_type common_type(const dbg_type *a, const dbg_type *b) {
    const dbg_type x = promoted(a), y = promoted(b);
    if (dbg_is_float(&x) || dbg_is_float(&y))
        return !dbg_is_float(&x) ? y : !dbg_is_float(&y) || x.size >= y.size ? x : y;
    if (x.size != y.size)
        return x.size > y.size ? x : y;
    return dbg_is_signed(&x) ? y : x;
}

static dbg_value negated(reader *r, char sign, const dbg_value *of) {
    const dbg_type t = promoted(&of->type);
    dbg_value v = dbg_convert(of, &t);
    if (of->type.stars > 0 || (sign == '~' && dbg_is_float(&t)))
        return fail(r, "'%c' wants a %snumber", sign, sign == '~' ? "whole " : "");
    if (dbg_is_float(&t))
        v.f = sign == '-' ? -v.f : v.f;
    else
        v.u = sign == '-' ? 0 - v.u : sign == '~' ? ~v.u : v.u;
    return dbg_convert(&v, &t);
}

static dbg_value address_of(reader *r, const dbg_value *v) {
    if (r->failed || r->idle)
        return *v;
    if (!v->placed)
        return fail(r, "'&' wants something that lies in memory");
    if (v->bits != 0)
        return fail(r, "a bit field has no address");
    if (v->var != NULL && (v->path[0] != '\0' || dbg_is_array(v)))
        return as_number(r, v);
    dbg_value p = {.type = v->type};
    if (v->var != NULL) /* a struct */
        (void)dbg_type_read(v->var->type, &p.type);
    p.type.stars++;
    p.u = v->at;
    return p;
}

static dbg_value unary_of(reader *r) {
    skip_blanks(r);
    const char sign = *r->at;
    if (sign != '\0' && strchr("-+~!*&", sign) != NULL) {
        r->at++;
        dbg_value v = unary(r);
        if (sign == '&')
            return address_of(r, &v);
        if (sign == '*') {
            const dbg_value zero = dbg_int(0);
            return element(r, &v, &zero);
        }
        v = as_number(r, &v);
        return r->failed ? v : sign == '!' ? dbg_int(!dbg_is_true(&v)) : negated(r, sign, &v);
    }
    dbg_type t;
    const char *back = r->at;
    if (take(r, "(") && cast_type(r, &t)) {
        dbg_value v = unary(r);
        v = as_number(r, &v);
        if (!r->failed && t.stars > 0 && dbg_is_float(&v.type))
            return fail(r, "a %s cannot become a pointer", v.type.name);
        return dbg_convert(&v, &t);
    }
    r->at = back;
    return postfix(r);
}

static dbg_value unary(reader *r) {
    if (r->depth >= MOST_DEPTH)
        return fail(r, "this is nested too deeply: %d levels are read", MOST_DEPTH);
    r->depth++;
    const dbg_value v = unary_of(r);
    r->depth--;
    return v;
}

static const struct {
    const char *sign;
    int strength;
} operators[] = {{"||", 1}, {"&&", 2}, {"<<", 8}, {">>", 8}, {"==", 6}, {"!=", 6},
                 {"<=", 7}, {">=", 7}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
                 {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static int next_operator(reader *r, int least) {
    skip_blanks(r);
    for (int i = 0; i < (int)(sizeof operators / sizeof *operators); i++)
        if (strncmp(r->at, operators[i].sign, strlen(operators[i].sign)) == 0)
            return operators[i].strength >= least ? i : -1;
    return -1;
}

static dbg_value compare(const char *sign, const dbg_value *a, const dbg_value *b) {
    dbg_type t = a->type.stars > 0 || b->type.stars > 0 ? of_type("unsigned long", 0).type
                                                        : common_type(&a->type, &b->type);
    const dbg_value x = dbg_convert(a, &t), y = dbg_convert(b, &t);
    int order;         /* of x to y */
    bool none = false; /* NaN has none */
    if (dbg_is_float(&t)) {
        none = isnan(x.f) || isnan(y.f);
        order = (x.f > y.f) - (x.f < y.f);
    } else if (dbg_is_signed(&t)) {
        order = ((int64_t)x.u > (int64_t)y.u) - ((int64_t)x.u < (int64_t)y.u);
    } else {
        order = (x.u > y.u) - (x.u < y.u);
    }
    if (sign[0] == '!')
        return dbg_int(none || order != 0);
    const bool equal = sign[1] == '=' && order == 0;
    return dbg_int(!none &&
                   (equal || (sign[0] == '<' && order < 0) || (sign[0] == '>' && order > 0)));
}

static dbg_value shift_or_divide(reader *r, const char *sign, const dbg_value *x,
                                 const dbg_value *y) {
    dbg_value v = *x;
    const bool is_signed = dbg_is_signed(&x->type);
    const unsigned by = (unsigned)(y->u & (8 * x->type.size - 1));
    if (sign[0] == '<')
        v.u = x->u << by;
    else if (sign[0] == '>')
        v.u = is_signed ? (uint64_t)((int64_t)x->u >> by) : x->u >> by;
    else if (y->u == 0)
        return miss(r, "this divides by zero");
    else if (is_signed && y->u == UINT64_MAX) /* by -1: INT64_MIN has no counterpart */
        v.u = sign[0] == '/' ? 0 - x->u : 0;
    else if (sign[0] == '/')
        v.u = is_signed ? (uint64_t)((int64_t)x->u / (int64_t)y->u) : x->u / y->u;
    else
        v.u = is_signed ? (uint64_t)((int64_t)x->u % (int64_t)y->u) : x->u % y->u;
    return dbg_convert(&v, &x->type);
}

static dbg_value compute(reader *r, const char *sign, const dbg_value *a, const dbg_value *b) {
    const bool shifts = strlen(sign) == 2;
    const dbg_type t = shifts ? promoted(&a->type) : common_type(&a->type, &b->type);
    dbg_value x = dbg_convert(a, &t);
    const dbg_value y = shifts ? *b : dbg_convert(b, &t);
    const char s = sign[0];
    if (dbg_is_float(&t) || (shifts && dbg_is_float(&b->type))) {
        if (s != '+' && s != '-' && s != '*' && s != '/')
            return fail(r, "'%s' wants whole numbers", sign);
        x.f = s == '+' ? x.f + y.f : s == '-' ? x.f - y.f : s == '*' ? x.f * y.f : x.f / y.f;
        return dbg_convert(&x, &t);
    }
    if (shifts || s == '/' || s == '%')
        return shift_or_divide(r, sign, &x, &y);
    x.u = s == '+'   ? x.u + y.u
          : s == '-' ? x.u - y.u
          : s == '*' ? x.u * y.u
          : s == '&' ? (x.u & y.u)
          : s == '|' ? (x.u | y.u)
                     : (x.u ^ y.u);
    return dbg_convert(&x, &t);
}

static dbg_value on_pointers(reader *r, const char *sign, const dbg_value *a, const dbg_value *b) {
    const bool both = a->type.stars > 0 && b->type.stars > 0, left = a->type.stars > 0;
    const dbg_type t = dbg_pointee(left ? &a->type : &b->type);
    const uint32_t bytes = dbg_bytes_of(&r->env->memory, &t);
    const uint64_t size = bytes != 0 ? bytes : 1;
    if (both && sign[0] == '-')
        return of_type("long", (uint64_t)((int64_t)(a->u - b->u) / (int64_t)size));
    if (both || dbg_is_float(left ? &b->type : &a->type) || (sign[0] != '+' && sign[0] != '-') ||
        (sign[0] == '-' && !left))
        return fail(r, "'%s' cannot be done with a pointer", sign);
    dbg_value v = left ? *a : *b;
    v.placed = false;
    v.u += size * (left ? sign[0] == '-' ? 0 - b->u : b->u : a->u);
    return v;
}

static dbg_value apply(reader *r, const char *sign, dbg_value a, dbg_value b) {
    a = as_number(r, &a);
    b = as_number(r, &b);
    if (r->failed)
        return a;
    if (strchr("=!", sign[0]) != NULL || (strchr("<>", sign[0]) != NULL && sign[1] != sign[0]))
        return compare(sign, &a, &b);
    if (a.type.stars > 0 || b.type.stars > 0)
        return on_pointers(r, sign, &a, &b);
    return compute(r, sign, &a, &b);
}

/* a && b, a || b: b counts only where a leaves it open. */
static dbg_value logical(reader *r, bool is_and, dbg_value a, int strength) {
    a = as_number(r, &a);
    const bool was_idle = r->idle, left = dbg_is_true(&a);
    r->idle = was_idle || left != is_and;
    dbg_value b = expression(r, strength + 1);
    b = as_number(r, &b);
    r->idle = was_idle;
    return dbg_int(is_and ? left && dbg_is_true(&b) : left || dbg_is_true(&b));
}

static dbg_value choice(reader *r, dbg_value condition) {
    condition = as_number(r, &condition);
    const bool was_idle = r->idle, first = dbg_is_true(&condition);
    r->idle = was_idle || !first;
    const dbg_value a = expression(r, 0);
    expect(r, ":");
    r->idle = was_idle || first;
    const dbg_value b = expression(r, 0);
    r->idle = was_idle;
    return first ? a : b;
}

static dbg_value expression(reader *r, int least) {
    if (r->depth >= MOST_DEPTH)
        return fail(r, "this is nested too deeply: %d levels are read", MOST_DEPTH);
    r->depth++;
    dbg_value v = unary(r);
    for (int i; !r->failed && (i = next_operator(r, least > 1 ? least : 1)) >= 0;) {
        const char *sign = operators[i].sign;
        r->at += strlen(sign);
        if (operators[i].strength <= 2) {
            v = logical(r, sign[0] == '&', v, operators[i].strength);
            continue;
        }
        const dbg_value b = expression(r, operators[i].strength + 1);
        v = apply(r, sign, v, b);
    }
    if (!r->failed && least == 0 && take(r, "?"))
        v = choice(r, v);
    r->depth--;
    return v;
}

bool dbg_eval(const dbg_env *env, const char *text, dbg_value *to, char error[DBG_ERROR]) {
    reader r = {.env = env, .text = text, .at = text, .error = error};
    *to = expression(&r, 0);
    skip_blanks(&r);
    if (!r.failed && *r.at == '=')
        (void)fail(&r, "an expression changes nothing: set var %s does; == compares", text);
    else if (!r.failed && *r.at != '\0')
        (void)fail(&r, "expected an operator before \"%s\"", r.at);
    return !r.failed;
}

/* Where a lone = stands; NULL: nowhere. */
static const char *assignment(const char *text) {
    for (const char *at = text; (at = strchr(at, '=')) != NULL; at++) {
        const bool left = at > text && strchr("=!<>", at[-1]) != NULL;
        if (!left && at[1] != '=')
            return at;
        at += at[1] == '=';
    }
    return NULL;
}

bool dbg_assign(const dbg_env *env, const char *text, dbg_value *to, char error[DBG_ERROR]) {
    const char *sign = assignment(text);
    char left[512];
    if (sign == NULL || (size_t)(sign - text) >= sizeof left) {
        snprintf(error, DBG_ERROR, "expected a place, '=' and a value: set var sum = 0");
        return false;
    }
    snprintf(left, sizeof left, "%.*s", (int)(sign - text), text);
    dbg_value place, value;
    if (!dbg_eval(env, left, &place, error) || !dbg_eval(env, sign + 1, &value, error))
        return false;
    if (!place.placed || place.var != NULL || value.var != NULL) {
        snprintf(error, DBG_ERROR,
                 "expected one number in memory on the left of '=', and a number "
                 "on its right");
        return false;
    }
    value = dbg_convert(&value, &place.type);
    value.placed = true;
    value.at = place.at;
    value.shift = place.shift;
    value.bits = place.bits;
    uint8_t bytes[8];
    const uint32_t size = dbg_stored(&env->memory, &value, bytes);
    if (size == 0 || !env->memory.write(env->memory.self, place.at, bytes, size)) {
        snprintf(error, DBG_ERROR, "nothing can be written at 0x%" PRIx64, place.at);
        return false;
    }
    *to = value;
    return true;
}
