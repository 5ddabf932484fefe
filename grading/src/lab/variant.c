/* variant.c: see variant.h. */
#include "grading/src/lab/variant.h"

#include "grading/src/lab/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAME 31

static const char *const plain_names[VARIANT_NAME_COUNT] = {
#define X(capitals, name) name,
    VARIANT_NAMES(X)
#undef X
};

const char *variant_plain_name(enum variant_name which) {
    return plain_names[which];
}

/* ---- Names ---- */

/* What the language has for itself: C++ and CUDA. */
static const char *const taken_words[] = {
    "alignas",     "alignof",   "and",
    "and_eq",      "asm",       "auto",
    "bitand",      "bitor",     "bool",
    "break",       "case",      "catch",
    "char",        "char16_t",  "char32_t",
    "class",       "compl",     "const",
    "const_cast",  "constexpr", "continue",
    "decltype",    "default",   "delete",
    "do",          "double",    "dynamic_cast",
    "else",        "enum",      "explicit",
    "export",      "extern",    "false",
    "float",       "for",       "friend",
    "goto",        "if",        "inline",
    "int",         "long",      "main",
    "mutable",     "namespace", "new",
    "noexcept",    "not",       "not_eq",
    "nullptr",     "operator",  "or",
    "or_eq",       "private",   "protected",
    "public",      "register",  "reinterpret_cast",
    "return",      "short",     "signed",
    "sizeof",      "static",    "static_assert",
    "static_cast", "struct",    "switch",
    "template",    "this",      "thread_local",
    "throw",       "true",      "try",
    "typedef",     "typeid",    "typename",
    "union",       "unsigned",  "using",
    "virtual",     "void",      "volatile",
    "wchar_t",     "while",     "xor",
    "xor_eq",      "threadIdx", "blockIdx",
    "blockDim",    "gridDim",   "warpSize",
};

static bool is_taken(const char *name) {
    for (size_t i = 0; i < sizeof taken_words / sizeof *taken_words; i++)
        if (strcmp(taken_words[i], name) == 0)
            return true;
    return false;
}

static bool read_name(struct settings_reader *in, const config_setting_t *group,
                      enum variant_name which, struct variant *v) {
    const config_setting_t *s = config_setting_get_member(group, plain_names[which]);
    if (!s)
        return true;
    const char *name = settings_need_text(in, group, plain_names[which]);
    if (!name)
        return false;
    bool good = isalpha((unsigned char)*name);
    for (const char *c = name; *c; c++)
        good = good && (isalnum((unsigned char)*c) || *c == '_');
    if (!good || strlen(name) > MOST_NAME)
        return settings_refuse(
            in, s,
            "\"%.40s\" is not a name for '%s': a letter, then letters, digits and "
            "_, at most %d in all",
            name, plain_names[which], MOST_NAME);
    if (is_taken(name))
        return settings_refuse(in, s, "\"%s\" is a word of the language: '%s' needs another name",
                               name, plain_names[which]);
    for (int other = 0; other < VARIANT_NAME_COUNT; other++) {
        if (strcmp(plain_names[other], name) == 0)
            return settings_refuse(in, s, "'%s' cannot be called \"%s\": the kit has that name",
                                   plain_names[which], name);
        if (v->name[other] && strcmp(v->name[other], name) == 0)
            return settings_refuse(in, s, "'%s' and '%s' cannot both be called \"%s\"",
                                   plain_names[other], plain_names[which], name);
    }
    v->name[which] = xstrdup(name);
    return true;
}

static bool read_names(struct settings_reader *in, const config_setting_t *group,
                       struct variant *v) {
    const char *keys[VARIANT_NAME_COUNT + 1] = {NULL};
    memcpy(keys, plain_names, sizeof plain_names);
    if (!config_setting_is_group(group))
        return settings_refuse(in, group,
                               "'names' must be a group, as in names = { m = \"rows_c\"; };");
    bool good = settings_only_keys(in, group, keys);
    for (int i = 0; good && i < VARIANT_NAME_COUNT; i++)
        good = read_name(in, group, (enum variant_name)i, v);
    return good;
}

/* ---- Labs ---- */

/* 8, 16 or 32: what divides a warp, and whole sectors of 32 bytes. */
static bool get_side(struct settings_reader *in, const config_setting_t *s, const char *name,
                     int *side) {
    if (!settings_get_int(in, s, name, 8, 32, side))
        return false;
    return *side == 8 || *side == 16 || *side == 32 ||
           settings_refuse(in, s, "'%s' is %d; it must be 8, 16 or 32", name, *side);
}

static bool read_tile(struct settings_reader *in, const config_setting_t *s,
                      struct lab_variant *v) {
    return get_side(in, s, "tile", &v->tile);
}

static bool read_threads(struct settings_reader *in, const config_setting_t *s,
                         struct lab_variant *v) {
    if (!settings_is_list(s) || config_setting_length(s) != 2)
        return settings_refuse(
            in, s, "'threads' must be a block's threads along x and y, as in threads = [16, 8]");
    if (!get_side(in, config_setting_get_elem(s, 0), "threads", &v->threads[0]) ||
        !settings_get_int(in, config_setting_get_elem(s, 1), "threads", 1, 32, &v->threads[1]))
        return false;
    const int all = v->threads[0] * v->threads[1];
    return all % 32 == 0 ||
           settings_refuse(in, s, "'threads' makes %d x %d = %d; a block must be whole warps of 32",
                           v->threads[0], v->threads[1], all);
}

/* A layout that is plain is no variation: then it is not given. */
static bool read_layout(struct settings_reader *in, const config_setting_t *s, bool *transposed) {
    const char *word = config_setting_get_string(s);
    if (!word || strcmp(word, layout_name(true)) != 0)
        return settings_refuse(in, s, "'%s' must be \"%s\"; leave it out where it is plain",
                               config_setting_name(s), layout_name(true));
    *transposed = true;
    return true;
}

static bool read_a_layout(struct settings_reader *in, const config_setting_t *s,
                          struct lab_variant *v) {
    return read_layout(in, s, &v->layout.a_transposed);
}

static bool read_b_layout(struct settings_reader *in, const config_setting_t *s,
                          struct lab_variant *v) {
    return read_layout(in, s, &v->layout.b_transposed);
}

static bool read_padding(struct settings_reader *in, const config_setting_t *s,
                         struct lab_variant *v) {
    return lab_read_padding(in, s, &v->padding);
}

static bool read_alpha(struct settings_reader *in, const config_setting_t *s,
                       struct lab_variant *v) {
    return settings_get_factor(in, s, "alpha", PRODUCT_MOST_FACTOR, &v->alpha);
}

static bool read_beta(struct settings_reader *in, const config_setting_t *s,
                      struct lab_variant *v) {
    return settings_get_factor(in, s, "beta", PRODUCT_MOST_FACTOR, &v->beta);
}

static bool read_ring(struct settings_reader *in, const config_setting_t *s,
                      struct lab_variant *v) {
    (void)v;
    const char *word = config_setting_get_string(s);
    return (word && strcmp(word, ring_name(true)) == 0) ||
           settings_refuse(in, s, "'ring' must be \"%s\"; leave it out where it is plain",
                           ring_name(true));
}

typedef bool read_variation(struct settings_reader *in, const config_setting_t *s,
                            struct lab_variant *v);
static read_variation *const readers[VARY_COUNT] = {
    [VARY_TILE] = read_tile,         [VARY_THREADS] = read_threads, [VARY_A_LAYOUT] = read_a_layout,
    [VARY_B_LAYOUT] = read_b_layout, [VARY_PADDING] = read_padding, [VARY_ALPHA] = read_alpha,
    [VARY_BETA] = read_beta,         [VARY_RING] = read_ring,
};

/* What goes together, and what does not. */
static bool check_together(struct settings_reader *in, const config_setting_t *group,
                           const struct lab_variant *v) {
    const unsigned alpha = v->given & 1u << VARY_ALPHA, beta = v->given & 1u << VARY_BETA;
    if ((alpha == 0) != (beta == 0))
        return settings_refuse(in, group,
                               "'%s' needs '%s': C = alpha * A * B + beta * C has both, and either "
                               "may be 1",
                               alpha ? "alpha" : "beta", alpha ? "beta" : "alpha");
    const unsigned beside = 1u << VARY_PADDING | 1u << VARY_TILE | 1u << VARY_THREADS;
    if (v->padding > 0 && (v->given & ~beside) != 0)
        return settings_refuse(in, group,
                               "'padding' goes with 'tile' and 'threads' alone, not with other "
                               "layouts or products");
    return !(alpha && v->given & 1u << VARY_RING) ||
           settings_refuse(in, group, "'ring' has no 'alpha' and no 'beta': give one or the other");
}

/* What the lab takes, for messages. */
static void say_varies(struct text *t, const struct lab_spec *lab) {
    for (int v = 0; v < VARY_COUNT; v++)
        if (lab->varies & 1u << v)
            text_addf(t, "%s'%s'", t->length > 0 ? ", " : "",
                      lab_variation_name((enum lab_variation)v));
    if (t->length == 0)
        text_add(t, "names alone");
}

static bool read_lab(struct settings_reader *in, const config_setting_t *group,
                     struct lab_variant *v) {
    if (!config_setting_is_group(group))
        return settings_refuse(in, group, "'%s' must be a group, as in %s = { tile = 16; };",
                               v->lab->name, v->lab->name);
    const char *keys[VARY_COUNT + 1] = {NULL};
    for (int i = 0; i < VARY_COUNT; i++)
        keys[i] = lab_variation_name((enum lab_variation)i);
    bool good = settings_only_keys(in, group, keys);
    for (int i = 0; good && i < VARY_COUNT; i++) {
        const config_setting_t *s = config_setting_get_member(group, keys[i]);
        if (!s)
            continue;
        struct text takes = {0};
        say_varies(&takes, v->lab);
        good = (v->lab->varies & 1u << i) != 0 ||
               settings_refuse(in, s, "%s does not take '%s'; it takes %s", v->lab->name, keys[i],
                               text_get(&takes));
        text_free(&takes);
        good = good && readers[i](in, s, v);
        v->given |= 1u << i;
    }
    return good && check_together(in, group, v);
}

/* ---- The file ---- */

/* settings_read hands on its own reader alone. */
struct variant_reader {
    struct settings_reader in;
    const struct labs *labs;
    struct variant *v;
};

static bool read_root(struct settings_reader *in, const config_setting_t *root) {
    struct variant_reader *r = (struct variant_reader *)(void *)in;
    int format;
    if (!settings_need_int(in, root, "format", 1, 1, &format))
        return false;
    for (int i = 0; i < config_setting_length(root); i++) {
        const config_setting_t *s = config_setting_get_elem(root, (unsigned)i);
        const char *name = config_setting_name(s);
        if (strcmp(name, "format") == 0)
            continue;
        if (strcmp(name, "names") == 0) {
            if (!read_names(in, s, r->v))
                return false;
            continue;
        }
        const struct lab_spec *lab = labs_find(r->labs, name);
        if (!lab || strcmp(lab->name, name) != 0) {
            struct text range = {0};
            labs_range(&range, r->labs);
            settings_refuse(in, s, "unknown setting '%s'; here there may be names, %s", name,
                            text_get(&range));
            text_free(&range);
            return false;
        }
        struct variant *v = r->v;
        v->labs = xrealloc(v->labs, (v->count + 1) * sizeof *v->labs);
        v->labs[v->count] = (struct lab_variant){.lab = lab};
        if (!read_lab(in, s, &v->labs[v->count++]))
            return false;
    }
    return true;
}

bool variant_read(struct variant *v, const struct labs *labs, const char *file, struct text *why) {
    *v = (struct variant){0};
    struct variant_reader r = {.in = {.file = file, .why = why}, .labs = labs, .v = v};
    if (settings_read(&r.in, read_root))
        return true;
    variant_free(v);
    return false;
}

void variant_free(struct variant *v) {
    for (int i = 0; i < VARIANT_NAME_COUNT; i++)
        free(v->name[i]);
    free(v->labs);
    *v = (struct variant){0};
}

void variant_facts(struct text *t, const struct variant *v) {
    for (int i = 0; i < VARIANT_NAME_COUNT; i++)
        if (v->name[i])
            text_addf(t, "name %s %s\n", plain_names[i], v->name[i]);
    for (size_t i = 0; i < v->count; i++) {
        const struct lab_variant *lab = &v->labs[i];
        if (lab->given & 1u << VARY_TILE)
            text_addf(t, "%s tile %d\n", lab->lab->name, lab->tile);
        if (lab->given & 1u << VARY_THREADS)
            text_addf(t, "%s threads %d %d\n", lab->lab->name, lab->threads[0], lab->threads[1]);
        if (lab->layout.a_transposed)
            text_addf(t, "%s a_layout %s\n", lab->lab->name, layout_name(true));
        if (lab->layout.b_transposed)
            text_addf(t, "%s b_layout %s\n", lab->lab->name, layout_name(true));
        if (lab->given & 1u << VARY_PADDING)
            text_addf(t, "%s padding %d\n", lab->lab->name, lab->padding);
        if (lab->given & 1u << VARY_BETA)
            text_addf(t, "%s alpha %d\n%s beta %d\n", lab->lab->name, lab->alpha, lab->lab->name,
                      lab->beta);
        if (lab->given & 1u << VARY_RING)
            text_addf(t, "%s ring %s\n", lab->lab->name, ring_name(true));
    }
}
