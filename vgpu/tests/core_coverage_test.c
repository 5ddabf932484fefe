/* core_coverage_test.c: every instruction the executor has is carried out by a test in
 * vgpu/tests/ptx.
 *
 * Three lists are held against the tests: the rows of opcodes.h, the handlers of the op tables, and
 * the forms (opcodes with their modifiers and types) that forms.py knows of, without those
 * that the virtual GPU lacks. Whoever adds an instruction adds a test and its pattern there.
 */
#include "common/tests/suite.h"
#include "vgpu/src/core/lower.h"
#include "vgpu/src/core/optable.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets of texts ---- */

typedef struct text_set {
    char **at;
    size_t count;
} text_set;

static void add_text(text_set *set, const char *text) {
    char **at = realloc(set->at, (set->count + 1) * sizeof *at);
    char *copy = strdup(text);
    ck_assert(at != NULL && copy != NULL);
    set->at = at;
    set->at[set->count++] = copy;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_texts(text_set *set) {
    if (set->count == 0)
        return;
    qsort(set->at, set->count, sizeof *set->at, by_text);
}

static bool has_text(const text_set *set, const char *text) {
    return set->count > 0 && bsearch(&text, set->at, set->count, sizeof *set->at, by_text) != NULL;
}

static void free_texts(text_set *set) {
    for (size_t i = 0; i < set->count; i++)
        free(set->at[i]);
    free(set->at);
    *set = (text_set){0};
}

/* ---- what the tests have ---- */

typedef struct handler {
    op_fn fn;
    uint64_t (*lane)(const op *o, uint64_t a, uint64_t b, uint64_t c);
} handler;

static text_set forms;
static bool row_in_tests[PTX_CODES];
static handler *used;
static size_t num_used;

static void note_op(const op *o) {
    const op_entry *lanes = vg_find_op("lanes");
    handler h = {.fn = o->plain != NULL ? o->plain : o->fn};
    if (h.fn == lanes->fn)
        h = (handler){.lane = o->lane};
    for (size_t i = 0; i < num_used; i++)
        if (used[i].fn == h.fn && used[i].lane == h.lane)
            return;
    handler *more = realloc(used, (num_used + 1) * sizeof *used);
    ck_assert(more != NULL);
    used = more;
    used[num_used++] = h;
}

static void note_program(const program *p) {
    for (int i = 0; i < p->num_ops; i++) {
        note_op(&p->ops[i]);
        if (p->ops[i].plain != NULL) { /* observed: the op that tells observers is one, too */
            op teller = p->ops[i];
            teller.plain = NULL;
            note_op(&teller);
        }
    }
}

static void note_instruction(const ptx_instr *in) {
    char form[256];
    if (in->op == NULL) /* a label */
        return;
    int len = snprintf(form, sizeof form, "%s", in->op);
    for (int m = 0; m < in->num_mods && len < (int)sizeof form; m++)
        len += snprintf(form + len, sizeof form - (size_t)len, ".%s", in->mod[m]);
    add_text(&forms, form);
    row_in_tests[in->code->id] = true;
}

/* The kernels that a line `// run:` calls, and what they call. */
static void note_test(const char *path, const char *text, size_t len) {
    vg_mem *mem = vg_mem_create(1u << 26);
    vg_fault fault = {0};
    vg_module *module = vg_module_load(text, len, mem, &fault);
    ck_assert_msg(module != NULL, "%s: %s", path, fault.text);
    for (const ptx_func *f = module->ptx.funcs; f != NULL; f = f->next) {
        char call[300];
        snprintf(call, sizeof call, "--kernel %s ", f->name);
        if (f->is_entry && strstr(text, call) == NULL)
            continue;
        for (const ptx_instr *in = f->first; in != NULL; in = in->next)
            note_instruction(in);
        vg_kernel *kernel = f->is_entry ? vg_module_kernel(module, f->name) : NULL;
        for (int observed = 0; kernel != NULL && observed < 2; observed++)
            if (vg_kernel_prepare(kernel, observed != 0, &fault))
                note_program(observed != 0 ? &kernel->observed : &kernel->plain);
    }
    vg_module_unload(module, mem);
    vg_mem_destroy(mem);
}

static char *read_text(const char *path, size_t *len) {
    static char text[1 << 22];
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    *len = fread(text, 1, sizeof text - 1, f);
    text[*len] = '\0';
    ck_assert_msg(feof(f), "%s is larger than this test has room for", path);
    fclose(f);
    return text;
}

static void read_tests(void) {
    glob_t tests;
    ck_assert(glob(VGPU_PTX_TESTS "/*.ptx", 0, NULL, &tests) == 0);
    for (size_t i = 0; i < tests.gl_pathc; i++) {
        size_t len;
        if (strstr(tests.gl_pathv[i], "/refused.ptx") == NULL) { /* what there is not */
            const char *text = read_text(tests.gl_pathv[i], &len);
            note_test(tests.gl_pathv[i], text, len);
        }
    }
    globfree(&tests);
    sort_texts(&forms);
}

static void forget_tests(void) {
    free_texts(&forms);
    free(used);
}

/* ---- the lists ---- */

TEST(test_every_opcode_has_a_test) {
    int missing = 0;
    for (int id = PTX_UNKNOWN + 1; id < PTX_CODES; id++) {
        if (!row_in_tests[id]) {
            fprintf(stderr, "no test in vgpu/tests/ptx has the instruction %s\n",
                    ptx_opcode_of((enum ptx_code)id)->name);
            missing++;
        }
    }
    ck_assert_int_eq(missing, 0);
}

static bool is_used(const op_entry *e) {
    for (size_t i = 0; i < num_used; i++)
        if (used[i].fn == e->fn && used[i].lane == (e->fn == NULL ? e->lane : NULL))
            return true;
    return false;
}

/* How many of the list nobody runs; says which. */
static int untested(const op_entry *list) {
    /* Reached by other tests: a launch too long, and what no instruction becomes. */
    static const char *const exempt[] = {"unsupported", "lanes", NULL};
    int missing = 0;
    for (const op_entry *e = list; e->key != NULL; e++) {
        bool excused = false;
        for (size_t i = 0; exempt[i] != NULL; i++)
            excused = excused || strcmp(exempt[i], e->key) == 0;
        if (!excused && !is_used(vg_find_op(e->key))) {
            fprintf(stderr, "no kernel in vgpu/tests/ptx runs the handler %s\n", e->key);
            missing++;
        }
    }
    return missing;
}

TEST(test_every_handler_has_a_test) {
    static const op_entry *const vector_lists[] = {vg_ops_int_base,
                                                   vg_ops_float_base,
                                                   vg_ops_move_base,
                                                   vg_ops_mem_base,
                                                   vg_ops_half_base,
                                                   vg_ops_tensor_base,
                                                   NULL};
    const op_entry *const *const all[] = {vector_lists, vg_op_lists};
    int missing = 0;
    for (size_t part = 0; part < 2; part++)
        for (size_t l = 0; all[part][l] != NULL; l++)
            missing += untested(all[part][l]);
    ck_assert_int_eq(missing, 0);
}

/* The row of "add.rn.f32"; cuts the text at its dots. */
static enum ptx_code row_of(char *form) {
    ptx_instr in = {0};
    char *rest = form;
    in.op = strsep(&rest, ".");
    while (rest != NULL && in.num_mods < PTX_MAX_MODS)
        in.mod[in.num_mods++] = strsep(&rest, ".");
    ptx_decode(&in);
    return in.code->id;
}

TEST(test_every_form_has_a_test) {
    size_t len;
    int missing = 0;
    bool known[PTX_CODES] = {false};
    char *rest = NULL;
    for (char *form = strtok_r(read_text(VGPU_PTX_TESTS "/forms", &len), "\n", &rest); form != NULL;
         form = strtok_r(NULL, "\n", &rest)) {
        if (!has_text(&forms, form)) {
            fprintf(stderr, "no test in vgpu/tests/ptx has the form %s\n", form);
            missing++;
        }
        known[row_of(form)] = true;
    }
    ck_assert(!known[PTX_UNKNOWN]);
    for (int id = PTX_UNKNOWN + 1; id < PTX_CODES; id++) {
        const ptx_opcode *row = ptx_opcode_of((enum ptx_code)id);
        /* The list has forms of one line each, without labels and functions, and of a GPU. */
        const bool other = row->flow != GOES_ON || strncmp(row->name, "vgpu.", 5) == 0;
        if (!other && !known[id]) {
            fprintf(stderr, "vgpu/tests/ptx/forms.py has no form of %s: add its pattern\n",
                    row->name);
            missing++;
        }
    }
    ck_assert_int_eq(missing, 0);
}

int main(void) {
    return run_tests((struct suite){
        .name = "coverage", .seconds = 120, .set_up = read_tests, .tear_down = forget_tests});
}
