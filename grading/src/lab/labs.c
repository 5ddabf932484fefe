/* labs.c: finds the labs there are, and reads what they say about themselves (see labs.h). */
#include "grading/src/lab/labs.h"

#include "grading/src/lab/settings.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define USUAL_TILE 32
#define MOST_TILE  256
#define MOST_TITLE 28 /* characters: the width of a column in reports */
#define MOST_TEXT  80 /* ... in lists of labs */

/* ---- One lab ---- */

void lab_copy(struct lab_spec *to, const struct lab_spec *from) {
    *to = *from;
    to->name = xstrdup(from->name);
    to->folder = xstrdup(from->folder);
    to->title = xstrdup(from->title);
    to->task = xstrdup(from->task);
    to->teaches = xstrdup(from->teaches);
    to->fault = from->fault ? xstrdup(from->fault) : NULL;
}

void lab_free(struct lab_spec *lab) {
    free(lab->name);
    free(lab->folder);
    free(lab->title);
    free(lab->task);
    free(lab->teaches);
    free(lab->fault);
    *lab = (struct lab_spec){0};
}

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,.:+-()"

/* A few words about the lab, where the setting is there. They go into pages, scripts, tables and
 * other people's formats. */
static bool read_words(struct settings_reader *in, const config_setting_t *root, const char *name,
                       const char *allowed, int most, char **into) {
    const config_setting_t *s = config_setting_get_member(root, name);
    if (!s)
        return true;
    const char *words = settings_need_text(in, root, name);
    if (!words)
        return false;
    if (strlen(words) > (size_t)most)
        return settings_refuse(in, s, "'%s' has %zu characters; it may have %d", name,
                               strlen(words), most);
    if (words[strspn(words, allowed)])
        return settings_refuse(in, s, "'%s' may hold letters, digits, blanks and , . : + - ( )%s",
                               name, strchr(allowed, '\'') ? " '" : "");
    free(*into);
    *into = xstrdup(words);
    return true;
}

static bool read_functions(struct settings_reader *in, const config_setting_t *list,
                           struct lab_spec *lab) {
    if (!settings_is_list(list) || config_setting_length(list) == 0)
        return settings_refuse(in, list, "'functions' must be a list, as in (\"matmul_device\")");
    lab->entries = 0;
    for (int i = 0; i < config_setting_length(list); i++) {
        const char *name = config_setting_get_string_elem(list, i);
        int function = -1;
        for (int f = 0; f < ENTRY_COUNT; f++)
            if (name && strcmp(name, entry_name((enum entry_point)f)) == 0)
                function = f;
        if (function < 0)
            return settings_refuse(in, config_setting_get_elem(list, (unsigned)i),
                                   "'functions' may hold \"matmul_cpu\", \"matmul_host\" and "
                                   "\"matmul_device\"");
        lab->entries |= 1u << function;
    }
    return true;
}

static const char *const variation_names[VARY_COUNT] = {
#define X(capitals, name) name,
    LAB_VARIATIONS(X)
#undef X
};

const char *lab_variation_name(enum lab_variation variation) {
    return variation_names[variation];
}

static bool read_variations(struct settings_reader *in, const config_setting_t *list,
                            struct lab_spec *lab) {
    struct text all = {0};
    for (int v = 0; v < VARY_COUNT; v++)
        text_addf(&all, "%s\"%s\"", v ? ", " : "", variation_names[v]);
    bool good = settings_is_list(list) ||
                settings_refuse(in, list, "'varies' must be a list, as in (\"tile\")");
    lab->varies = 0;
    for (int i = 0; good && i < config_setting_length(list); i++) {
        const char *name = config_setting_get_string_elem(list, i);
        int which = 0;
        while (which < VARY_COUNT && !(name && strcmp(name, variation_names[which]) == 0))
            which++;
        good = which < VARY_COUNT || settings_refuse(in, config_setting_get_elem(list, (unsigned)i),
                                                     "'varies' may hold %s", text_get(&all));
        lab->varies |= good ? 1u << which : 0;
    }
    text_free(&all);
    return good;
}

/* A word of a list, where there is one. */
static bool read_word(struct settings_reader *in, const config_setting_t *root, const char *name,
                      const char *const *words, int count, int *which) {
    if (!config_setting_get_member(root, name))
        return true;
    *which = settings_need_word(in, root, name, words, count);
    return *which >= 0;
}

static bool read_number(struct settings_reader *in, const config_setting_t *root, const char *name,
                        int low, int high, int *value) {
    const config_setting_t *s = config_setting_get_member(root, name);
    return !s || settings_get_int(in, s, name, low, high, value);
}

static const char *const kernel_names[] = {"other", "naive", "tiled"};

const char *lab_kernel_name(enum lab_kernel kernel) {
    return kernel_names[kernel];
}

static const char *const layouts[] = {"plain", "transposed"};

const char *layout_name(bool transposed) {
    return layouts[transposed];
}

static bool read_layout(struct settings_reader *in, const config_setting_t *root, const char *name,
                        bool *transposed) {
    int layout = *transposed;
    const bool good = read_word(in, root, name, layouts, 2, &layout);
    *transposed = layout == 1;
    return good;
}

bool lab_read_padding(struct settings_reader *in, const config_setting_t *s, int *padding) {
    return settings_get_int(in, s, "padding", LAB_PADDING_UNIT, LAB_MOST_PADDING, padding) &&
           (*padding % LAB_PADDING_UNIT == 0 ||
            settings_refuse(in, s, "'padding' is %d; it must be a multiple of %d", *padding,
                            LAB_PADDING_UNIT));
}

static bool read_layouts(struct settings_reader *in, const config_setting_t *root,
                         struct layout *l) {
    const config_setting_t *padding = config_setting_get_member(root, "padding");
    if (!read_layout(in, root, "a_layout", &l->a_transposed) ||
        !read_layout(in, root, "b_layout", &l->b_transposed) ||
        (padding && !lab_read_padding(in, padding, &l->padding)))
        return false;
    return !(l->padding > 0 && (l->a_transposed || l->b_transposed)) ||
           settings_refuse(in, padding ? padding : root,
                           "'padding' is for matrices that lie row by row: without 'a_layout' and "
                           "'b_layout'");
}

static const char *const rings[] = {"plain", "min-plus"};

const char *ring_name(bool min_plus) {
    return rings[min_plus];
}

/* alpha, beta and the ring: which product the lab's functions compute. */
static bool read_product(struct settings_reader *in, const config_setting_t *root,
                         struct lab_product *p) {
    const config_setting_t *alpha = config_setting_get_member(root, "alpha"),
                           *beta = config_setting_get_member(root, "beta");
    int ring = p->kind == PRODUCT_MIN_PLUS;
    if (!read_word(in, root, "ring", rings, 2, &ring))
        return false;
    if (ring == 1)
        *p = (struct lab_product){.kind = PRODUCT_MIN_PLUS};
    if (!alpha && !beta)
        return true;
    if (!alpha || !beta || ring == 1)
        return settings_refuse(in, alpha ? alpha : beta,
                               "'alpha' and 'beta' go together, and without 'ring'");
    p->kind = PRODUCT_SCALED;
    return settings_get_factor(in, alpha, "alpha", PRODUCT_MOST_FACTOR, &p->alpha) &&
           settings_get_factor(in, beta, "beta", PRODUCT_MOST_FACTOR, &p->beta);
}

bool lab_read(struct settings_reader *in, const config_setting_t *root, struct lab_spec *lab) {
    static const char *const sizes[] = {"any", "square tiles"};
    static const char *const bounds[] = {"float32", "3xtf32"};
    const config_setting_t *functions = config_setting_get_member(root, "functions");
    const config_setting_t *cublas = config_setting_get_member(root, "cublas");
    const config_setting_t *varies = config_setting_get_member(root, "varies");
    int size = lab->square_tiles, bound = lab->bound == BOUND_3XTF32, kernel = (int)lab->kernel;
    if (!read_words(in, root, "title", PLAIN, MOST_TITLE, &lab->title) ||
        !read_words(in, root, "task", PLAIN "'", MOST_TEXT, &lab->task) ||
        !read_words(in, root, "teaches", PLAIN "'", MOST_TEXT, &lab->teaches) ||
        (functions && !read_functions(in, functions, lab)) ||
        (varies && !read_variations(in, varies, lab)) ||
        !read_number(in, root, "tile", 1, MOST_TILE, &lab->tile) ||
        !read_number(in, root, "block", 1, MOST_TILE, &lab->block) ||
        !read_number(in, root, "capability", 0, 999, &lab->capability) ||
        !read_word(in, root, "kernel", kernel_names, 3, &kernel) ||
        !read_word(in, root, "sizes", sizes, 2, &size) ||
        !read_word(in, root, "bound", bounds, 2, &bound) || !read_layouts(in, root, &lab->layout) ||
        !read_product(in, root, &lab->product))
        return false;
    if (cublas && config_setting_type(cublas) != CONFIG_TYPE_BOOL)
        return settings_refuse(in, cublas, "'cublas' must be true or false, not %s",
                               settings_type_name(cublas));
    lab->cublas = cublas ? config_setting_get_bool(cublas) : lab->cublas;
    lab->kernel = (enum lab_kernel)kernel;
    lab->square_tiles = size == 1;
    lab->bound = bound == 1 ? BOUND_3XTF32 : BOUND_FLOAT32;
    return true;
}

/* ---- All labs ---- */

/* The lab itself: whether the rest of the file is right is seen when it is graded by. */
static bool read_descriptor(struct settings_reader *in, const config_setting_t *root) {
    return settings_head(in, root, in->lab->name) && settings_need(in, root, "title") &&
           settings_need(in, root, "functions") && lab_read(in, root, in->lab);
}

/* The lab of a folder's name, as in "lab3-tiled-square". False: it is none. */
static bool lab_of_folder(struct lab_spec *lab, const char *folder) {
    char *end;
    if (strncmp(folder, "lab", 3) != 0 || !isdigit((unsigned char)folder[3]) || folder[3] == '0')
        return false;
    const long number = strtol(folder + 3, &end, 10);
    if (*end != '-' || number > 999)
        return false;
    *lab = (struct lab_spec){.number = (int)number,
                             .name = xasprintf("lab%ld", number),
                             .folder = xstrdup(folder),
                             .title = xstrdup(""),
                             .task = xstrdup(""),
                             .teaches = xstrdup(""),
                             .tile = USUAL_TILE,
                             .block_rows = LAB_BLOCK_ROWS,
                             .block = USUAL_TILE};
    return true;
}

static int by_number(const void *a, const void *b) {
    const struct lab_spec *x = a, *y = b;
    return x->number != y->number ? x->number - y->number : strcmp(x->folder, y->folder);
}

static void open_lab(struct lab_spec *lab, const char *file) {
    struct text why = {0};
    struct settings_reader in = {.lab = lab, .file = file, .why = &why};
    if (!settings_read(&in, read_descriptor))
        lab->fault = xstrdup(text_get(&why));
    text_free(&why);
}

struct labs labs_open(const char *root) {
    struct labs labs = {0};
    char *folder = xasprintf("%s/labs", root);
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        struct lab_spec lab;
        if (!lab_of_folder(&lab, entry->d_name))
            continue;
        char *file = xasprintf("%s/%s/lab.cfg", folder, entry->d_name);
        if (access(file, F_OK) == 0) {
            open_lab(&lab, file);
            labs.lab = xrealloc(labs.lab, (labs.count + 1) * sizeof *labs.lab);
            labs.lab[labs.count++] = lab;
        } else {
            lab_free(&lab);
        }
        free(file);
    }
    if (dir)
        closedir(dir);
    free(folder);
    if (labs.count > 0)
        qsort(labs.lab, labs.count, sizeof *labs.lab, by_number);
    for (size_t i = 1; i < labs.count; i++)
        if (labs.lab[i].number == labs.lab[i - 1].number && !labs.lab[i - 1].fault)
            labs.lab[i - 1].fault =
                xasprintf("there are two folders for %s: labs/%s and labs/%s", labs.lab[i].name,
                          labs.lab[i - 1].folder, labs.lab[i].folder);
    return labs;
}

void labs_free(struct labs *labs) {
    for (size_t i = 0; i < labs->count; i++)
        lab_free(&labs->lab[i]);
    free(labs->lab);
    *labs = (struct labs){0};
}

/* The number that a name begins with: 3 in "lab3", "Lab 03", "lab_3-tiled" and "3"; *end is what
 * follows. 0: there is none. */
static long number_of(const char *name, const char **end) {
    char *after;
    if (strncasecmp(name, "lab", 3) == 0) {
        name += 3;
        name += strspn(name, " _-");
    }
    const long number = isdigit((unsigned char)*name) ? strtol(name, &after, 10) : 0;
    *end = number > 0 ? after : name;
    return number;
}

/* The last part of a path, without the slashes behind it and without ".cu". */
static char *last_part(const char *word) {
    size_t end = strlen(word), begin;
    while (end > 0 && word[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && word[begin - 1] != '/';)
        begin--;
    if (end - begin > 3 && strncasecmp(word + end - 3, ".cu", 3) == 0)
        end -= 3;
    return xasprintf("%.*s", (int)(end - begin), word + begin);
}

const struct lab_spec *labs_find(const struct labs *labs, const char *word) {
    const struct lab_spec *found = NULL;
    const char *rest;
    char *name = last_part(word);
    const long number = number_of(name, &rest);
    for (size_t i = 0; i < labs->count && number > 0; i++) {
        const struct lab_spec *lab = &labs->lab[i];
        const char *words = strchr(lab->folder, '-'); /* all of them, or the first few */
        if (!found && lab->number == number && strncasecmp(words, rest, strlen(rest)) == 0)
            found = lab;
    }
    free(name);
    return found;
}

char *lab_program(const struct lab_spec *lab) {
    return xasprintf("%s.cu", lab->name);
}

void labs_range(struct text *t, const struct labs *labs) {
    if (labs->count == 0)
        text_add(t, "a lab: the kit's folder labs/ holds none");
    for (size_t from = 0, to; from < labs->count; from = to + 1) {
        to = from;
        while (to + 1 < labs->count && labs->lab[to + 1].number <= labs->lab[to].number + 1)
            to++;
        text_addf(t, from == 0 ? "%s" : ", %s", labs->lab[from].name);
        if (to > from)
            text_addf(t, " to %s", labs->lab[to].name);
    }
}

/* ---- Cases ---- */

const struct case_spec *lab_case(const struct lab_spec *lab, const char *name) {
    for (size_t i = 0; i < lab->case_count; i++)
        if (strcmp(lab->cases[i].name, name) == 0)
            return &lab->cases[i];
    return NULL;
}

const char *input_name(enum input_kind kind) {
    switch (kind) {
    case INPUT_SMALL: return "integers";
    case INPUT_WIDE: return "wide integers";
    case INPUT_REAL: return "reals";
    case INPUT_POSITIVE: return "positive reals";
    }
    return "?";
}

bool input_is_exact(enum input_kind kind) {
    return kind != INPUT_REAL && kind != INPUT_POSITIVE;
}

bool case_is_special(const struct case_spec *c) {
    return c->unaligned || c->unchecked || c->input == INPUT_POSITIVE;
}
