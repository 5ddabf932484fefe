/* rubric.c: reads rubrics with libconfig and refuses what is not exactly right (see rubric.h).
 * Longer than most files: every word that a rubric may hold is read, and refused, in this one
 * place. */
#include "grading/src/lab/rubric.h"

#include "grading/src/lab/cases.h"
#include "grading/src/lab/points.h"
#include "grading/src/lab/settings.h"
#include "grading/src/lab/work.h"

#include <ctype.h>
#include <libconfig.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAME    13 /* characters: the widths of the report's columns */
#define MOST_TITLE   28
#define MOST_SIDE    4194304
#define MOST_SECONDS 3600
#define MOST_POINTS  100
#define MOST_MADDS   (1 << 28) /* m n k: the virtual GPU takes about a second for them */
#define MOST_PLAIN   (5 * (int64_t)MOST_MADDS) /* the same where it checks and counts nothing */

/* A name: letters, digits and '-', not too wide for a table, and not taken. */
static bool need_name(struct settings_reader *in, const config_setting_t *group, char **name) {
    const char *value = settings_need_text(in, group, "name");
    if (!value)
        return false;
    const config_setting_t *at = config_setting_get_member(group, "name");
    for (const char *c = value; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-')
            return settings_refuse(in, at, "the name \"%s\" may hold letters, digits and '-' only",
                                   value);
    if (strlen(value) > MOST_NAME)
        return settings_refuse(in, at, "the name \"%s\" is longer than %d characters", value,
                               MOST_NAME);
    for (size_t i = 0; i < in->r->case_count; i++)
        if (strcmp(in->r->cases[i].name, value) == 0)
            return settings_refuse(in, at, "there is already a case \"%s\"", value);
    for (size_t i = 0; i < in->r->check_count; i++)
        if (strcmp(in->r->checks[i].name, value) == 0)
            return settings_refuse(in, at, "there is already a check \"%s\"", value);
    *name = xstrdup(value);
    return true;
}

static bool get_hints(struct settings_reader *in, const config_setting_t *group,
                      struct hints *hints) {
    const config_setting_t *list = config_setting_get_member(group, "hints");
    if (!list)
        return true;
    if (!settings_is_list(list))
        return settings_refuse(
            in, list, "'hints' must be a list of texts, as in hints = ( \"...\", \"...\" )");
    for (int i = 0; i < config_setting_length(list); i++) {
        const char *hint = config_setting_get_string_elem(list, i);
        if (!hint)
            return settings_refuse(in, list, "'hints' must hold texts only");
        if (hints->count == RUBRIC_MAX_HINTS)
            return settings_refuse(in, list, "more than %d hints", RUBRIC_MAX_HINTS);
        hints->hint[hints->count++] = xstrdup(hint);
    }
    return true;
}

/* A setting that may be missing. */
static bool get_bool(struct settings_reader *in, const config_setting_t *group, const char *name,
                     bool *value) {
    const config_setting_t *s = config_setting_get_member(group, name);
    if (!s)
        return true;
    if (config_setting_type(s) != CONFIG_TYPE_BOOL)
        return settings_refuse(in, s, "'%s' must be true or false, not %s", name,
                               settings_type_name(s));
    *value = config_setting_get_bool(s);
    return true;
}

/* What a case or a check is worth, and whether on top. */
static bool need_points(struct settings_reader *in, const config_setting_t *group, double *points,
                        bool *bonus) {
    const config_setting_t *s = settings_need(in, group, "points");
    if (!s || !get_bool(in, group, "bonus", bonus))
        return false;
    double value;
    if (!settings_get_number(in, s, "points", &value))
        return false;
    if (value < 0 || value > MOST_POINTS)
        return settings_refuse(in, s, "'points' is %g; it must be from 0 to %d", value,
                               MOST_POINTS);
    *points = points_of(value);
    if (fabs(value - *points) > 1e-9)
        return settings_refuse(in, s, "'points' is %.9g; there are no parts smaller than 0.01",
                               value);
    return *points > 0 || !*bonus || settings_refuse(in, s, "a bonus needs points: 'points' is 0");
}

/* The name of a function that the lab has; -1: refused. */
static int need_function(struct settings_reader *in, const config_setting_t *group) {
    static const char *const functions[ENTRY_COUNT] = {"matmul_cpu", "matmul_host",
                                                       "matmul_device"};
    const int function = SETTINGS_NEED_WORD(in, group, "function", functions);
    if (function < 0 || in->r->lab.entries & 1u << function)
        return function;
    settings_refuse(in, config_setting_get_member(group, "function"), "%s has no %s",
                    in->r->lab.name, functions[function]);
    return -1;
}

/* ---- Cases ---- */

static const char *const shape_words[SHAPE_CLASS_COUNT] = {
    [SHAPE_ONE] = "one",
    [SHAPE_TILE] = "tile",
    [SHAPE_TILES] = "tiles",
    [SHAPE_MORE_TILES] = "more-tiles",
    [SHAPE_TILE_MINUS] = "tile-minus",
    [SHAPE_TILE_PLUS] = "tile-plus",
    [SHAPE_SQUARE] = "square",
    [SHAPE_RAGGED] = "ragged",
    [SHAPE_ROW] = "row",
    [SHAPE_COLUMN] = "column",
    [SHAPE_OUTER] = "outer",
    [SHAPE_PRIME] = "prime",
    [SHAPE_THIN] = "thin",
    [SHAPE_LARGER] = "larger",
    [SHAPE_BLOCKS] = "blocks",
    [SHAPE_MANY_BLOCKS] = "many-blocks",
    [SHAPE_LONG_M] = "long-m",
    [SHAPE_LONG_N] = "long-n",
    [SHAPE_LONG_K] = "long-k",
    [SHAPE_TALL] = "tall",
    [SHAPE_WITHIN] = "within",
    [SHAPE_FIXED] = "fixed",
};

const char *shape_class_name(enum shape_class class) {
    return (unsigned)class < SHAPE_CLASS_COUNT ? shape_words[class] : "?";
}

/* m, n and k under this name. */
static bool need_sides(struct settings_reader *in, const config_setting_t *group, const char *name,
                       int64_t most, int side[3]) {
    const config_setting_t *s = settings_need(in, group, name);
    if (!s)
        return false;
    if (!settings_is_list(s) || config_setting_length(s) != 3)
        return settings_refuse(in, s, "'%s' must be m, n and k, as in %s = [70, 50, 90]", name,
                               name);
    for (int i = 0; i < 3; i++)
        if (!settings_get_int(in, config_setting_get_elem(s, (unsigned)i), name, 1, MOST_SIDE,
                              &side[i]))
            return false;
    if ((int64_t)side[0] * side[1] * side[2] > most)
        return settings_refuse(in, s, "m n k is more than %lld: grading would take too long",
                               (long long)most);
    return true;
}

static bool get_size(struct settings_reader *in, const config_setting_t *group,
                     struct case_spec *c) {
    if (c->shape != SHAPE_FIXED && c->shape != SHAPE_WITHIN)
        return true;
    const int64_t most = c->unchecked ? MOST_PLAIN : MOST_MADDS;
    if (!need_sides(in, group, "size", most, c->size))
        return false;
    if (c->shape == SHAPE_FIXED)
        return true;
    if (!need_sides(in, group, "up_to", most, c->up_to))
        return false;
    for (int i = 0; i < 3; i++)
        if (c->up_to[i] < c->size[i])
            return settings_refuse(in, config_setting_get_member(group, "up_to"),
                                   "'up_to' is less than 'size': %d, and %d", c->up_to[i],
                                   c->size[i]);
    return true;
}

/* Labs of square tiles are promised sizes that few classes keep to. */
static bool check_shape(struct settings_reader *in, const config_setting_t *group,
                        const struct case_spec *c) {
    const struct shape s = {c->size[0], c->size[1], c->size[2]};
    const bool tiles =
        c->shape == SHAPE_TILE || c->shape == SHAPE_TILES || c->shape == SHAPE_MORE_TILES;
    if (c->shape == SHAPE_FIXED ? shape_allowed(&in->r->lab, s) : tiles || !in->r->lab.square_tiles)
        return true;
    return settings_refuse(
        in, config_setting_get_member(group, c->shape == SHAPE_FIXED ? "size" : "shape"),
        "%s promises square sizes that are multiples of %d", in->r->lab.name, in->r->lab.tile);
}

static bool read_case(struct settings_reader *in, const config_setting_t *group, bool hidden,
                      struct case_spec *c) {
    static const char *const keys[] = {"name",    "function", "shape", "size",    "up_to",
                                       "numbers", "before",   "calls", "aligned", "checked",
                                       "points",  "bonus",    NULL};
    static const char *const hidden_keys[] = {
        "name",  "function", "shape",   "size",   "up_to", "numbers",    "before",
        "calls", "aligned",  "checked", "points", "bonus", "taken_from", NULL};
    static const char *const numbers[] = {"integers", "wide integers", "reals", "positive reals"};
    static const char *const before[] = {"nan", "numbers"};
    if (!config_setting_is_group(group))
        return settings_refuse(in, group, "a case must be a group, as in { name = \"one\"; ... }");
    if (!settings_only_keys(in, group, hidden ? hidden_keys : keys) ||
        !need_name(in, group, &c->name))
        return false;
    const int function = need_function(in, group);
    const int shape = function < 0 ? -1 : SETTINGS_NEED_WORD(in, group, "shape", shape_words);
    const int input = shape < 0 ? -1 : SETTINGS_NEED_WORD(in, group, "numbers", numbers);
    c->calls = 1;
    c->hidden = hidden;
    const config_setting_t *calls = config_setting_get_member(group, "calls");
    const config_setting_t *old = config_setting_get_member(group, "before");
    const int poison = input < 0 ? -1 : old ? SETTINGS_NEED_WORD(in, group, "before", before) : 0;
    if (poison < 0)
        return false;
    c->entry = (enum entry_point)function;
    c->shape = (enum shape_class)shape;
    c->input = (enum input_kind)input;
    c->poison = poison == 0 ? POISON_NAN : POISON_INTEGERS;
    if (calls && !settings_get_int(in, calls, "calls", 1, CASE_MAX_CALLS, &c->calls))
        return false;
    bool aligned = true, checked = true;
    if (!get_bool(in, group, "aligned", &aligned) || !get_bool(in, group, "checked", &checked))
        return false;
    c->unaligned = !aligned;
    c->unchecked = !checked;
    if (!get_size(in, group, c) || !check_shape(in, group, c))
        return false;
    if (c->unaligned && c->entry != ENTRY_DEVICE)
        return settings_refuse(in, config_setting_get_member(group, "aligned"),
                               "only matrices on the device can be unaligned: for matmul_device");
    return need_points(in, group, &c->points, &c->bonus);
}

static bool read_cases(struct settings_reader *in, const config_setting_t *list, bool hidden) {
    struct rubric *r = in->r;
    if (!settings_is_list(list) || config_setting_length(list) == 0)
        return settings_refuse(in, list,
                               "'cases' must be a list, as in cases = ( { name = \"one\"; ... } )");
    const size_t more = (size_t)config_setting_length(list);
    r->cases = xrealloc(r->cases, (r->case_count + more) * sizeof *r->cases);
    for (unsigned i = 0; i < more; i++) {
        const config_setting_t *group = config_setting_get_elem(list, i);
        struct case_spec c = {0};
        const bool ok = read_case(in, group, hidden, &c);
        if (c.name)
            r->cases[r->case_count++] = c;
        if (!ok)
            return false;
    }
    return true;
}

/* ---- Checks ---- */

static bool is_among(char *const *names, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* A name, or a list of names, of cases: those that the check looks at, if `of` is not NULL. */
static bool read_names(struct settings_reader *in, const config_setting_t *s, const char *key,
                       const struct check_spec *of, char **names, int *count) {
    const bool list = settings_is_list(s);
    const int n = list ? config_setting_length(s) : 1;
    if (n < 1 || n > RUBRIC_MAX_IN)
        return settings_refuse(in, s, "'%s' must name one to %d cases", key, RUBRIC_MAX_IN);
    for (int i = 0; i < n; i++) {
        const char *name =
            list ? config_setting_get_string_elem(s, i) : config_setting_get_string(s);
        if (!name)
            return settings_refuse(in, s, "'%s' must be the name of a case, or a list of names",
                                   key);
        const struct case_spec *c = lab_case(&in->r->lab, name);
        if (!c)
            return settings_refuse(in, s, "there is no case \"%s\"", name);
        if (of && !check_looks_at(of, c))
            return settings_refuse(in, s, "the check does not look at the case \"%s\"", name);
        if (is_among(names, *count, name))
            return settings_refuse(in, s, "the case \"%s\" stands there twice", name);
        names[(*count)++] = xstrdup(name);
    }
    return true;
}

bool check_looks_at(const struct check_spec *check, const struct case_spec *spec) {
    return check->in_count == 0 ? spec->entry == check->function
                                : is_among(check->in, check->in_count, spec->name);
}

bool limit_holds_in(const struct limit *limit, const struct case_spec *spec) {
    return limit->in_count == 0 || is_among(limit->in, limit->in_count, spec->name);
}

bool rubric_limits(const struct rubric *r, const struct case_spec *spec, const char *quantity) {
    for (size_t i = 0; i < r->check_count; i++) {
        const struct check_spec *check = &r->checks[i];
        for (int l = 0; l < check->limits && check_looks_at(check, spec); l++)
            if (strcmp(check->limit[l].quantity, quantity) == 0 &&
                limit_holds_in(&check->limit[l], spec))
                return true;
    }
    return false;
}

static bool read_limit(struct settings_reader *in, const config_setting_t *group,
                       const struct check_spec *of, struct limit *l) {
    static const char *const keys[] = {"value", "at_least", "at_most", "advice", "in", NULL};
    if (!config_setting_is_group(group))
        return settings_refuse(
            in, group, "a limit must be a group, as in { value = \"...\"; at_most = 1.0; }");
    const char *value = NULL, *advice = NULL;
    if (!settings_only_keys(in, group, keys) || !(value = settings_need_text(in, group, "value")))
        return false;
    if (!quantity_known(value))
        return settings_refuse(in, config_setting_get_member(group, "value"),
                               "nothing is counted under the name \"%s\"; docs/labs.md lists "
                               "what is",
                               value);
    double *const bound[] = {&l->least, &l->most};
    static const char *const bound_name[] = {"at_least", "at_most"};
    int bounds = 0;
    for (int i = 0; i < 2; i++) {
        const config_setting_t *s = config_setting_get_member(group, bound_name[i]);
        *bound[i] = NAN;
        if (!s)
            continue;
        if (!settings_get_number(in, s, bound_name[i], bound[i]))
            return false;
        bounds++;
    }
    if (bounds == 0)
        return settings_refuse(in, group, "a limit needs 'at_least' or 'at_most'");
    if (l->least > l->most)
        return settings_refuse(in, group, "'at_least' is more than 'at_most': nothing can be both");
    l->quantity = xstrdup(value);
    if (config_setting_get_member(group, "advice") &&
        !(advice = settings_need_text(in, group, "advice")))
        return false;
    l->advice = advice ? xstrdup(advice) : NULL;
    const config_setting_t *only = config_setting_get_member(group, "in");
    return !only || read_names(in, only, "in", of, l->in, &l->in_count);
}

static bool read_limits(struct settings_reader *in, const config_setting_t *group,
                        struct check_spec *c) {
    const config_setting_t *list = settings_need(in, group, "limits");
    if (!list)
        return false;
    if (!settings_is_list(list) || config_setting_length(list) == 0 ||
        config_setting_length(list) > RUBRIC_MAX_LIMITS)
        return settings_refuse(in, list, "'limits' must be a list of one to %d limits",
                               RUBRIC_MAX_LIMITS);
    for (int i = 0; i < config_setting_length(list); i++)
        if (!read_limit(in, config_setting_get_elem(list, (unsigned)i), c, &c->limit[c->limits++]))
            return false;
    for (int i = 0; i < c->limits && c->in_count > 0; i++)
        if (limit_holds_in(&c->limit[i], lab_case(&in->r->lab, c->in[0])))
            return true;
    return c->in_count == 0 ||
           settings_refuse(in, list, "no limit holds in the case \"%s\", which is looked at first",
                           c->in[0]);
}

static bool read_finds(struct settings_reader *in, const config_setting_t *group,
                       struct check_spec *c) {
    const config_setting_t *list = settings_need(in, group, "finds");
    if (!list)
        return false;
    if (!settings_is_list(list) || config_setting_length(list) == 0 ||
        config_setting_length(list) > RUBRIC_MAX_KINDS)
        return settings_refuse(in, list,
                               "'finds' must be a list of kinds, as in finds = [\"race\"]");
    for (int i = 0; i < config_setting_length(list); i++) {
        const char *kind = config_setting_get_string_elem(list, i);
        uint32_t k = 0;
        while (kind && k < VGPU_FOUND_COUNT && strcmp(vgpu_found_name(k), kind) != 0)
            k++;
        if (!kind || k == VGPU_FOUND_COUNT)
            return settings_refuse(
                in, list,
                "'finds' may hold \"race\", \"uninitialized\", \"barrier\", \"memory\", "
                "\"division\", \"endless\", \"fault\", \"leak\"; not %s%s%s",
                kind ? "\"" : "", kind ? kind : "something else", kind ? "\"" : "");
        c->finds[c->find_count++] = (enum vgpu_found)k;
    }
    return true;
}

/* Which cases it looks at: `case`, one or several; or all of a `function`. */
static bool read_in(struct settings_reader *in, const config_setting_t *group,
                    struct check_spec *c) {
    const config_setting_t *one = config_setting_get_member(group, "case");
    if (!one && c->kind == CHECK_COUNTS && config_setting_get_member(group, "function")) {
        const int function = need_function(in, group);
        c->function = (enum entry_point)function;
        return function >= 0;
    }
    if (one && config_setting_get_member(group, "function"))
        return settings_refuse(in, one, "a check has 'case' or 'function', not both");
    if (!(one = settings_need(in, group, "case")) ||
        !read_names(in, one, "case", NULL, c->in, &c->in_count))
        return false;
    const struct case_spec *first = lab_case(&in->r->lab, c->in[0]);
    if (c->kind == CHECK_LEAKS && c->in_count > 1)
        return settings_refuse(in, one, "leaks are looked for in one case");
    if (c->kind == CHECK_LEAKS && first->calls < 2)
        return settings_refuse(
            in, one, "leaks show in repeated calls: the case \"%s\" makes only one", first->name);
    return true;
}

static const char *const check_kinds[] = {
    [CHECK_FINDINGS] = "findings", [CHECK_COUNTS] = "counts",         [CHECK_ERRORS] = "errors",
    [CHECK_LEAKS] = "leaks",       [CHECK_UNFINISHED] = "unfinished",
};

const char *check_kind_name(enum check_kind kind) {
    return check_kinds[kind];
}

static bool read_check(struct settings_reader *in, const config_setting_t *group,
                       struct check_spec *c) {
#define CHECK_KEYS "name", "title", "kind", "points", "bonus", "section", "hints"
    static const char *const plain[] = {CHECK_KEYS, NULL};
    static const char *const findings[] = {CHECK_KEYS, "finds", NULL};
    static const char *const counts[] = {CHECK_KEYS, "case", "function", "limits", "gate", NULL};
    static const char *const leaks[] = {CHECK_KEYS, "case", NULL};
#undef CHECK_KEYS
    static const char *const *const keys[] = {
        [CHECK_FINDINGS] = findings, [CHECK_COUNTS] = counts,    [CHECK_ERRORS] = plain,
        [CHECK_LEAKS] = leaks,       [CHECK_UNFINISHED] = plain,
    };
    if (!config_setting_is_group(group))
        return settings_refuse(in, group,
                               "a check must be a group, as in { name = \"races\"; ... }");
    const int kind = SETTINGS_NEED_WORD(in, group, "kind", check_kinds);
    if (kind < 0 || !settings_only_keys(in, group, keys[kind]) || !need_name(in, group, &c->name))
        return false;
    c->kind = (enum check_kind)kind;
    const char *title = settings_need_text(in, group, "title"), *section = NULL;
    if (!title)
        return false;
    if (strlen(title) > MOST_TITLE)
        return settings_refuse(in, config_setting_get_member(group, "title"),
                               "the title \"%s\" is longer than %d characters", title, MOST_TITLE);
    c->title = xstrdup(title);
    const config_setting_t *place = config_setting_get_member(group, "section");
    if (place && !(section = settings_need_text(in, group, "section")))
        return false;
    if (section) {
        c->section = xstrdup(section);
        c->section_line = config_setting_source_line(place);
    }
    if (!need_points(in, group, &c->points, &c->bonus) || !get_hints(in, group, &c->hints))
        return false;
    if (c->kind == CHECK_FINDINGS)
        return read_finds(in, group, c);
    if (c->kind == CHECK_COUNTS)
        return read_in(in, group, c) && get_bool(in, group, "gate", &c->gate) &&
               read_limits(in, group, c);
    return c->kind != CHECK_LEAKS || read_in(in, group, c);
}

static bool read_checks(struct settings_reader *in, const config_setting_t *list) {
    struct rubric *r = in->r;
    if (!settings_is_list(list))
        return settings_refuse(in, list, "'checks' must be a list");
    r->checks = xcalloc((size_t)config_setting_length(list) + 1, sizeof *r->checks);
    for (int i = 0; i < config_setting_length(list); i++) {
        struct check_spec c = {0};
        const bool ok = read_check(in, config_setting_get_elem(list, (unsigned)i), &c);
        r->checks[r->check_count++] = c; /* what was read so far is freed with it */
        if (!ok)
            return false;
    }
    return true;
}

/* ---- Files ---- */

static void share_cases(struct rubric *r) {
    r->lab.cases = r->cases;
    r->lab.case_count = r->case_count;
}

/* Limits on time. */
static bool read_times(struct settings_reader *in, const config_setting_t *root) {
    struct rubric *r = in->r;
    const config_setting_t *call = config_setting_get_member(root, "call_seconds");
    const config_setting_t *all = config_setting_get_member(root, "seconds");
    r->call_seconds = RUBRIC_CALL_SECONDS;
    r->seconds = RUBRIC_SECONDS;
    return (!call ||
            settings_get_int(in, call, "call_seconds", 1, MOST_SECONDS, &r->call_seconds)) &&
           (!all || settings_get_int(in, all, "seconds", 1, MOST_SECONDS, &r->seconds));
}

static bool read_rubric(struct settings_reader *in, const config_setting_t *root) {
    static const char *const keys[] = {LAB_KEYS, "call_seconds", "seconds", "hints",
                                       "cases",  "checks",       NULL};
    if (!settings_only_keys(in, root, keys) || !settings_head(in, root, in->r->lab.name) ||
        !lab_read(in, root, &in->r->lab) || !read_times(in, root) ||
        !get_hints(in, root, &in->r->case_hints))
        return false;
    const config_setting_t *cases = settings_need(in, root, "cases");
    if (!cases || !read_cases(in, cases, false))
        return false;
    share_cases(in->r);
    const config_setting_t *checks = config_setting_get_member(root, "checks");
    if (checks && !read_checks(in, checks))
        return false;
    const double points = rubric_points(in->r);
    if (points != 100)
        return settings_refuse(in, cases,
                               "the points of all cases and checks add up to %g, not to 100%s",
                               points, rubric_bonus(in->r) > 0 ? " (bonuses do not count)" : "");
    return true;
}

/* Takes a hidden case's points from the visible one it names. */
static bool take_points(struct settings_reader *in, const config_setting_t *group, size_t index) {
    struct rubric *r = in->r;
    const struct case_spec *hidden = &r->cases[index];
    const config_setting_t *has = config_setting_get_member(group, "taken_from");
    if (hidden->bonus && has)
        return settings_refuse(in, has, "a bonus takes no points from another case");
    if (hidden->bonus)
        return true;
    const char *from = settings_need_text(in, group, "taken_from");
    if (!from)
        return false;
    const config_setting_t *at = config_setting_get_member(group, "taken_from");
    for (size_t i = 0; i < index; i++) {
        struct case_spec *c = &r->cases[i];
        if (strcmp(c->name, from) != 0)
            continue;
        if (c->bonus)
            return settings_refuse(in, at, "\"%s\" is a bonus: no points can be taken from it",
                                   from);
        if (c->points < hidden->points)
            return settings_refuse(in, at, "\"%s\" has %g points left, fewer than the %g asked for",
                                   from, c->points, hidden->points);
        c->points = points_of(c->points - hidden->points);
        return true;
    }
    return settings_refuse(in, at, "there is no case \"%s\" to take points from", from);
}

static bool read_hidden(struct settings_reader *in, const config_setting_t *root) {
    static const char *const keys[] = {"format", "lab", "cases", NULL};
    const size_t visible = in->r->case_count;
    if (!settings_only_keys(in, root, keys) || !settings_head(in, root, in->r->lab.name))
        return false;
    const config_setting_t *cases = settings_need(in, root, "cases");
    if (!cases)
        return false;
    const bool ok = read_cases(in, cases, true);
    share_cases(in->r);
    for (size_t i = visible; ok && i < in->r->case_count; i++)
        if (!take_points(in, config_setting_get_elem(cases, (unsigned)(i - visible)), i))
            return false;
    return ok;
}

bool rubric_load(struct rubric *r, const struct lab_spec *lab, const char *path, const char *hidden,
                 struct text *why) {
    *r = (struct rubric){.path = xstrdup(path)};
    lab_copy(&r->lab, lab);
    struct settings_reader in = {.r = r, .file = path, .why = why};
    bool ok = settings_read(&in, read_rubric);
    if (ok && hidden) {
        in.file = hidden;
        ok = settings_read(&in, read_hidden);
    }
    if (!ok)
        rubric_free(r);
    return ok;
}

static void free_texts(char **texts, int count) {
    for (int i = 0; i < count; i++)
        free(texts[i]);
}

void rubric_free(struct rubric *r) {
    for (size_t i = 0; i < r->case_count; i++)
        free(r->cases[i].name);
    for (size_t i = 0; i < r->check_count; i++) {
        struct check_spec *c = &r->checks[i];
        free(c->name);
        free(c->title);
        free(c->section);
        for (int j = 0; j < c->limits; j++) {
            free(c->limit[j].quantity);
            free(c->limit[j].advice);
            free_texts(c->limit[j].in, c->limit[j].in_count);
        }
        free_texts(c->in, c->in_count);
        free_texts(c->hints.hint, c->hints.count);
    }
    free_texts(r->case_hints.hint, r->case_hints.count);
    free(r->cases);
    free(r->checks);
    free(r->path);
    lab_free(&r->lab);
    *r = (struct rubric){0};
}

char *rubric_path(const struct lab_spec *lab, const char *root) {
    return xasprintf("%s/labs/%s/lab.cfg", root, lab->folder);
}

/* The points of bonuses, or of all else. */
static double add_up(const struct rubric *r, bool bonus) {
    double points = 0;
    for (size_t i = 0; i < r->case_count; i++)
        points += r->cases[i].bonus == bonus ? r->cases[i].points : 0;
    for (size_t i = 0; i < r->check_count; i++)
        points += r->checks[i].bonus == bonus ? r->checks[i].points : 0;
    return points_of(points);
}

double rubric_points(const struct rubric *r) {
    return add_up(r, false);
}

double rubric_bonus(const struct rubric *r) {
    return add_up(r, true);
}
