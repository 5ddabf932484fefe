/*
 * inspect_test.c: names of a source, and looking on while a kernel runs (vgpu/src/inspect). The
 * kernel is inspect/walk.cu, one block of 32 threads: a loop in one line, a function, a branch that
 * parts the warp, a barrier.
 */
#include "vgpu/src/inspect/inspect.h"
#include "vgpu/src/inspect/watched.h"
#include "vgpu/tests/vgpu_test.h"

#include <string.h>

enum { MOST = 64, N = 5 };

static char *read_whole(const char *name, size_t *len) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", VGPU_INSPECT_TESTS, name);
    FILE *f = fopen(path, "re");
    ck_assert_msg(f != NULL, "%s", path);
    char *text = calloc(1, 1 << 16);
    *len = fread(text, 1, (1 << 16) - 1, f);
    fclose(f);
    return text;
}

/* ---- names ---- */

static vg_names *names_of(const char *text) {
    return vg_names_read(text, strlen(text));
}

TEST(names_are_read) {
    size_t len;
    char *text = read_whole("walk.names", &len);
    vg_names *n = vg_names_read(text, len);
    ck_assert_ptr_nonnull(n);
    const vg_named_func *walk = vg_names_func(n, "_Z4walkPii");
    ck_assert_ptr_nonnull(walk);
    ck_assert_str_eq(walk->name, "walk");
    ck_assert_int_eq(walk->num_scopes, 1);
    ck_assert_int_eq(walk->vars[0].num_leaves, 1);
    ck_assert_int_eq(walk->vars[0].leaves[0].dims, 2);
    ck_assert_int_eq((int)walk->vars[0].leaves[0].stride[0], 64);
    ck_assert_str_eq(walk->vars[4].leaves[1].path, ".second[]");
    ck_assert_int_eq(walk->vars[4].leaves[1].encoding, VG_FLOAT);
    ck_assert_ptr_null(vg_names_func(n, "walk"));
    const vg_source *s = vg_names_source(n, 1);
    ck_assert_ptr_nonnull(s);
    ck_assert(strncmp(s->text, "// walk.cu", 10) == 0 && s->text[s->len - 1] == '\n');
    ck_assert_ptr_null(vg_names_source(n, 2));
    vg_names_free(n);
    free(text);
}

/* Texts that are none: refused, whatever is wrong with them. */
static const char *const broken[] = {
    "",
    "names\t2\n",
    "names\t1",
    "names\t1\nfunc\t_Z1kv\tk\t1\n",                   /* too few fields   */
    "names\t1\nwhat\t1\n",                             /* an unknown thing */
    "names\t1\nfunc\tk\tk\t1\tk.cu\nscope\t0\ta\tb\n", /* within a later one */
    "names\t1\nvar\t0\tx\tint\ts\t0\t4\t1\t0\n",       /* in a scope that is not there */
    "names\t1\nleaf\t\tsigned\t4\t0\n",                /* of no variable */
    "names\t1\nvar\t-1\tx\tint\ts\t0\t4\t1\t0\nleaf\t\tsigned\t4\t0\t3\n", /* half a dimension */
    "names\t1\nvar\t-1\tx\tint\ts\t0\t4\t1\t0\nleaf\t\tquaint\t4\t0\n",
    "names\t1\nvar\t-1\tx\tint\ts\t0\t4\t1\t0\nleaf\t\tsigned\t4:8:3\t0\n",
    "names\t1\nvar\t-1\tx\tint\ts\t0\t4\t1\t0\nleaf\t\tsigned\t4:3\t0\n",
    "names\t1\nconst\tN\tsigned\t4\n",
    "names\t1\nsource\t1\t99\tk.cu\nshort\n",
    "names\t1\nfunc\tk\tk\t1\tk.cu", /* no end of line */
};

TEST_EACH(broken_names_are_refused, sizeof broken / sizeof *broken) {
    ck_assert_msg(names_of(broken[_i]) == NULL, "case %d", _i);
}

/* A leaf that would lead out of its variable is left out. */
TEST(a_leaf_stays_in_its_variable) {
    vg_names *n = names_of("names\t1\nvar\t-1\tx\tint\ts\t0\t8\t1\t0\n"
                           "leaf\t\tsigned\t4\t8\nleaf\t[]\tsigned\t4\t0\t3\t4\n"
                           "leaf\t[]\tsigned\t4\t0\t2\t4\n");
    ck_assert_ptr_nonnull(n);
    ck_assert_int_eq(n->funcs[0].vars[0].num_leaves, 1);
    vg_names_free(n);
}

/* ... and a bit field too, whose bytes are only those that it has bits in. */
TEST(bit_fields_are_read) {
    vg_names *n = names_of("names\t1\nvar\t-1\tx\tbits\ts\t0\t2\t1\t0\n"
                           "leaf\t.a\tunsigned\t4:3:5\t0\nleaf\t.b\tunsigned\t4:7:9\t0\n"
                           "leaf\t.c\tunsigned\t4:7:10\t0\nleaf\t.d\tunsigned\t1:0:9\t0\n");
    ck_assert_ptr_nonnull(n);
    ck_assert_int_eq(n->funcs[0].vars[0].num_leaves, 2);
    ck_assert_int_eq(n->funcs[0].vars[0].leaves[0].shift, 3);
    ck_assert_int_eq(n->funcs[0].vars[0].leaves[0].bits, 5);
    vg_names_free(n);
}

TEST(names_fit_what_is_said) {
    static const struct {
        const char *name, *said, *within;
        int how_well; /* 0: not; 1: elsewhere; 2: outside all; more: around the function */
    } cases[] = {
        {"calls", "calls", "", 2},
        {"calls", "::calls", "lab::k", 2},
        {"lab::calls", "calls", "lab::k", 7},
        {"lab::inner::calls", "calls", "lab::k", 1},
        {"lab::inner::calls", "calls", "lab::inner::k", 14},
        {"lab::inner::calls", "inner::calls", "lab::k", 7},
        {"lab::calls", "::calls", "lab::k", 0},
        {"lab::calls", "alls", "lab::k", 0},
        {"kernel<3>", "kernel", "", 2},
        {"kernel<3>", "kernel<3>", "", 2},
        {"kernel<3>", "kernel<4>", "", 0},
        {"kernel<3, 4>", "kernel<3,4>", "", 2},
        {"acc<lab::spot>::add", "acc::add", "", 2},
        {"acc<lab::spot>::add", "add", "", 1},
        {"acc<lab::spot>", "spot", "", 0},
        {"acc<lab::spot", "spot>", "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(vg_name_fits(cases[i].name, cases[i].said, cases[i].within) ==
                          cases[i].how_well,
                      "%s for %s within %s", cases[i].said, cases[i].name, cases[i].within);
}

TEST(constants_and_values_are_found) {
    vg_names *n = names_of("names\t1\nvalue\tlab::mode\tFAST\t3\nvalue\tlab::\tLOOSE\t9\n"
                           "const\tN\tsigned\t4\t7\nfunc\tk\tlab::k<3>\t1\tk.cu\n"
                           "const\tN\tsigned\t4\t-3\n");
    ck_assert_ptr_nonnull(n);
    ck_assert_int_eq((int)vg_names_const(n, NULL, "N")->bits, 7);
    ck_assert_int_eq((int)vg_names_const(n, &n->funcs[1], "N")->bits, -3);
    ck_assert_ptr_null(vg_names_const(n, NULL, "M"));
    ck_assert_int_eq((int)vg_names_value(n, "mode::FAST", "")->number, 3);
    ck_assert_int_eq((int)vg_names_value(n, "lab::FAST", "")->number, 3);
    ck_assert_int_eq((int)vg_names_value(n, "LOOSE", "lab::k")->number, 9);
    ck_assert_ptr_null(vg_names_value(n, "inner::LOOSE", ""));
    vg_names_free(n);
}

TEST(watched_texts_come_apart) {
    char text[256];
    const int n = snprintf(text, sizeof text, VG_WATCHED_FORMAT "onetwo!names", (size_t)3,
                           (size_t)4, (size_t)5);
    vg_watched w;
    ck_assert(vg_watched_read(text, (size_t)n, &w));
    ck_assert(strncmp(w.graded, "one", w.graded_len) == 0 && w.graded_len == 3);
    ck_assert(strncmp(w.ptx, "two!", w.ptx_len) == 0 && w.ptx_len == 4);
    ck_assert(strncmp(w.names, "names", w.names_len) == 0 && w.names_len == 5);
    ck_assert(!vg_watched_read(text, (size_t)n - 1, &w)); /* cut off */
    ck_assert(!vg_watched_read(".version 7.0", 12, &w));
    ck_assert(!vg_watched_read("\n//vgpu watched", 15, &w));
}

/* ---- looking on ---- */

typedef struct seen {
    vg_inspect *in;
    const vg_names *names;
    int lines[MOST];
    uint32_t masks[MOST];
    int depth[MOST];
    int count;
    int pauses[8], num_pauses; /* enum vg_pause */
    int reads, writes;         /* of shared and global memory */
    int t[MOST];               /* lane 3's t */
    int r;                     /* twice's, at its return in the second call */
    bool k_alive[MOST];
    int box_after; /* box[0][3], when its line is done */
    uint64_t last_number;
} seen;

static const vg_named_var *var_of(const vg_named_func *f, const char *name) {
    for (int i = 0; i < f->num_vars; i++)
        if (strcmp(f->vars[i].name, name) == 0)
            return &f->vars[i];
    ck_abort_msg("no variable %s", name);
    return NULL;
}

static int local_int(const vg_stop_at *at, int lane, const vg_named_var *v) {
    const vg_place p = vg_inspect_place(at->warp->worker->launch, NULL, v);
    int value;
    ck_assert_int_eq(p.space, PS_LOCAL);
    memcpy(&value, vg_inspect_local(at->warp, lane) + p.at, sizeof value);
    return value;
}

static void on_stop(void *self, const vg_stop_at *at) {
    seen *s = self;
    vg_frame frames[VG_MAX_FRAMES];
    ck_assert_int_lt(s->count, MOST);
    const int n = vg_inspect_frames(s->in, at, frames, VG_MAX_FRAMES);
    const vg_named_func *walk = vg_names_func(s->names, "_Z4walkPii");
    const vg_frame *kernel = &frames[n - 1];
    ck_assert_ptr_eq(kernel->func, walk);
    s->lines[s->count] = at->line;
    s->masks[s->count] = at->mask;
    s->depth[s->count] = n;
    s->t[s->count] = local_int(at, 3, var_of(walk, "t"));
    s->k_alive[s->count] = vg_inspect_is_alive(s->in, kernel, var_of(walk, "k"));
    if (n == 2) {
        ck_assert_str_eq(frames[0].func->name, "twice");
        ck_assert_int_eq(kernel->line, 19); /* where it is called */
        s->r = local_int(at, 3, var_of(frames[0].func, "r"));
    }
    s->last_number = at->number;
    s->count++;
}

static void on_access(void *self, const vg_access *a) {
    seen *s = self;
    s->reads += a->kind == VG_READ;
    s->writes += a->kind == VG_WRITE;
    ck_assert(a->space == PS_SHARED || a->space == PS_GLOBAL);
    if (a->space == PS_SHARED && a->kind == VG_WRITE && (a->mask & 8) != 0)
        memcpy(&s->box_after, vg_inspect_shared(a->warp->block, a->at[3]), sizeof(int));
}

static void on_pause(void *self, warp *w, uint32_t mask, enum vg_pause why) {
    seen *s = self;
    (void)w, (void)mask;
    if (s->num_pauses < 8)
        s->pauses[s->num_pauses++] = (int)why;
}

static void watch(seen *s, uint64_t block, int *out) {
    size_t len;
    char *text = read_whole("walk.names", &len);
    vg_names *names = vg_names_read(text, len);
    free(text);
    vg_mem *mem = vg_mem_create(1 << 26);
    vg_fault fault = {0};
    text = read_whole("walk.ptx", &len);
    vg_module *mod = vg_module_load(text, len, mem, &fault);
    free(text);
    ck_assert_msg(mod != NULL, "%s", fault.text);
    vg_kernel *kernel = vg_module_kernel(mod, "_Z4walkPii");
    ck_assert_msg(vg_kernel_prepare(kernel, true, &fault), "%s", fault.text);
    const vg_watcher watcher = {.self = s, .stop = on_stop, .access = on_access, .pause = on_pause};
    vg_exec *exec = vg_exec_create(1);
    s->names = names;
    s->in = vg_inspect_create(names, &watcher);
    vg_inspect_block(s->in, block);
    ck_assert(vg_inspect_attach(s->in, exec));
    uint64_t d = vg_mem_alloc(mem, 32 * sizeof(int), 256, VG_MEM_DEVICE, NULL);
    int n = N;
    void *args[] = {&d, &n};
    const vg_launch_params params = {
        .grid = {2, 1, 1}, .block = {32, 1, 1}, .args = args, .mem = mem, .sm_count = 1};
    ck_assert_int_eq(vg_launch(exec, kernel, &params, &fault), VG_OK);
    memcpy(out, vg_mem_at(mem, d, 32 * sizeof(int)), 32 * sizeof(int));
    vg_exec_destroy(exec);
    vg_inspect_destroy(s->in);
    vg_module_unload(mod, mem);
    vg_mem_destroy(mem);
    vg_names_free(names);
}

TEST(lines_are_stops) {
    seen s = {0};
    int out[32];
    watch(&s, 0, out);
    char text[512] = "";
    for (int i = 0; i < s.count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d ", s.lines[i]);
    bool same = s.count > 10 && s.lines[0] == 14 && s.lines[s.count - 1] == 26;
    int twice = 0, parted = 0;
    for (int i = 0; i < s.count; i++) {
        twice += s.lines[i] == 8;
        parted += s.lines[i] == 21 || s.lines[i] == 23;
        ck_assert_uint_eq(s.masks[i], s.lines[i] == 21   ? 0xFFFFu
                                      : s.lines[i] == 23 ? 0xFFFF0000u
                                                         : 0xFFFFFFFFu);
        ck_assert_int_eq(s.depth[i], s.lines[i] == 8 || s.lines[i] == 9 ? 2 : 1);
    }
    ck_assert_msg(same && twice == 2 && parted == 2, "%s", text);
    ck_assert_uint_eq(s.last_number, (uint64_t)s.count - 1);
    for (int i = 0; i < 32; i++)
        ck_assert_int_eq(out[i], -2 + i + N);
}

TEST(variables_have_their_values) {
    seen s = {0};
    int out[32];
    watch(&s, 1, out);
    ck_assert_int_eq(s.r, 2); /* twice(1) */
    ck_assert_int_eq(s.t[s.count - 1], 2);
    for (int i = 0; i < s.count; i++) {
        const bool in_loop = s.lines[i] == 8 || s.lines[i] == 9;
        if (in_loop)
            ck_assert(s.k_alive[i]);
        else if (s.lines[i] < 18 || s.lines[i] > 19)
            ck_assert(!s.k_alive[i]);
        if (s.lines[i] > 19)
            ck_assert_int_eq(s.t[i], 2);
    }
    ck_assert_int_eq(s.box_after, 2); /* an access is told when it has been made */
    ck_assert_int_eq(s.writes, 3);
    ck_assert_int_eq(s.reads, 1);
}

TEST(pauses_are_told) {
    seen s = {0};
    int out[32], kinds[5] = {0};
    watch(&s, 0, out);
    for (int i = 0; i < s.num_pauses; i++)
        kinds[s.pauses[i]]++;
    ck_assert_int_eq(kinds[VG_PAUSE_BARRIER], 1);
    ck_assert_int_eq(kinds[VG_PAUSE_END], 1);
    ck_assert_int_ge(kinds[VG_PAUSE_PART], 2);
    ck_assert_int_eq(kinds[VG_PAUSE_FAULT], 0);
}

TEST(again_is_the_same) {
    static seen first, second;
    int out[2][32];
    watch(&first, 0, out[0]);
    watch(&second, 0, out[1]);
    ck_assert_int_eq(first.count, second.count);
    ck_assert_mem_eq(first.lines, second.lines, sizeof first.lines);
    ck_assert_mem_eq(first.t, second.t, sizeof first.t);
    ck_assert_mem_eq(first.masks, second.masks, sizeof first.masks);
    ck_assert_mem_eq(out[0], out[1], sizeof out[0]);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "inspect"});
}
