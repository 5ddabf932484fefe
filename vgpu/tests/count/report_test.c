/*
 * report_test.c: VGPU_REPORT and vgpu_counters.h, by programs that end in every way a program can.
 * Each program is a child process; the report it leaves is read with jansson.
 */
#include "vgpu/include/vgpu_counters.h"
#include "vgpu/src/count/report.h"
#include "vgpu/tests/kernels_ptx.h"
#include "vgpu/tests/vgpu_test.h"

#include <jansson.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char folder[] = "/tmp/vgpu-report-XXXXXX";
static char path[64];

static void make_folder(void) {
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/r.json", folder);
}

static void remove_folder(void) {
    unlink(path);
    ck_assert_msg(rmdir(folder) == 0, "something was left behind in %s", folder);
}

/* Fills n floats with 128 threads a block. */
static void fill(int n) {
    float *d = NULL, value = 1.0f;
    void *args[] = {&d, &n, &value};
    const dim3 grid = {(unsigned)(n + 127) / 128, 1, 1}, block = {128, 1, 1};
    if (cudaMalloc((void **)&d, (size_t)n * sizeof(float)) != cudaSuccess ||
        cudaLaunchKernel(&fill_stub, grid, block, args, 0, NULL) != cudaSuccess)
        _exit(99);
}

/* Runs the program in a child with VGPU_REPORT set; returns how it ended. */
static int run(void (*program)(void), const char *report) {
    fflush(NULL);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (report != NULL)
            setenv("VGPU_REPORT", report, 1);
        program();
        exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

static json_t *load(void) {
    json_error_t error;
    json_t *tree = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(tree != NULL, "line %d: %s", error.line, error.text);
    return tree;
}

static json_int_t number(const json_t *o, const char *name) {
    const json_t *n = json_object_get(o, name);
    ck_assert_msg(json_is_integer(n), "no number \"%s\"", name);
    return json_integer_value(n);
}

static void three_launches(void) {
    register_kernels();
    fill(100);
    fill(100);
    fill(300);
}

TEST(the_report_has_the_names_that_others_rely_on) {
    static const char *const counters[] = {"warp_instructions",
                                           "thread_instructions",
                                           "global_load_requests",
                                           "global_load_sectors",
                                           "global_store_requests",
                                           "global_store_sectors",
                                           "shared_load_requests",
                                           "shared_store_requests",
                                           "shared_load_conflicts",
                                           "shared_store_conflicts",
                                           "fma"};
    ck_assert_int_eq(run(three_launches, path), 0);
    json_t *tree = load();
    ck_assert(json_is_true(json_object_get(tree, "complete")));
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(tree, "device"), "key")),
                     "h200");
    ck_assert_int_ge(number(json_object_get(tree, "memory"), "peak_bytes"), 2000);
    ck_assert_int_eq(number(json_object_get(tree, "totals"), "launches"), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(tree, "findings")), 0);
    const json_t *launches = json_object_get(tree, "launches");
    ck_assert_uint_eq(json_array_size(launches), 3);
    const json_t *last = json_array_get(launches, 2);
    ck_assert_str_eq(json_string_value(json_object_get(last, "kernel")), "fill");
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(last, "grid"), 0)), 3);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(last, "block"), 0)), 128);
    ck_assert(json_is_null(json_object_get(last, "fault")));
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        number(json_object_get(last, "counters"), counters[i]);
    ck_assert_int_eq(number(json_object_get(last, "counters"), "global_store_requests"), 10);
    ck_assert_int_eq(number(json_object_get(last, "counters"), "global_store_sectors"), 38);
    ck_assert(json_is_array(json_object_get(last, "lines")));
    json_decref(tree);
}

static void no_launch(void) {
    int count = 0;
    cudaGetDeviceCount(&count);
}

TEST(a_program_without_launches_reports_none) {
    ck_assert_int_eq(run(no_launch, path), 0);
    json_t *tree = load();
    ck_assert_uint_eq(json_array_size(json_object_get(tree, "launches")), 0);
    ck_assert(json_is_array(json_object_get(tree, "launches")));
    json_decref(tree);
}

static void killed(void) {
    three_launches();
    kill(getpid(), SIGKILL);
}
static void aborted(void) {
    three_launches();
    signal(SIGABRT, SIG_DFL);
    abort();
}
static void left_at_once(void) {
    three_launches();
    _exit(7);
}

/* Killed between two writings, a program may lack its last launches in the report,
 * not its first. */
TEST_EACH(a_report_remains_whatever_ends_the_program, 3) {
    static void (*const programs[])(void) = {killed, aborted, left_at_once};
    ck_assert_int_ne(run(programs[_i], path), 0);
    json_t *tree = load();
    ck_assert(json_is_false(json_object_get(tree, "complete")));
    ck_assert_uint_ge(json_array_size(json_object_get(tree, "launches")), 1);
    json_decref(tree);
}

static void faulting(void) {
    capture_stderr();
    register_kernels();
    cudaLaunchKernel(&wild_stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL);
}

TEST(a_fault_is_in_the_report) {
    ck_assert_int_eq(run(faulting, path), 0);
    json_t *tree = load();
    const json_t *launch = json_array_get(json_object_get(tree, "launches"), 0);
    const char *fault = json_string_value(json_object_get(launch, "fault"));
    ck_assert_ptr_nonnull(fault);
    ck_assert_ptr_nonnull(strstr(fault, "illegal"));
    json_decref(tree);
}

static void faulting_and_gone(void) {
    capture_stderr();
    three_launches();
    cudaLaunchKernel(&wild_stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL);
    _exit(0);
}

TEST(a_fault_is_in_the_report_of_a_program_that_dies_of_it) {
    ck_assert_int_eq(run(faulting_and_gone, path), 0);
    json_t *tree = load();
    const json_t *launch = json_array_get(json_object_get(tree, "launches"), 3);
    ck_assert(json_is_string(json_object_get(launch, "fault")));
    json_decref(tree);
}

static void with_a_child(void) {
    register_kernels();
    fill(100);
    const pid_t child = fork();
    if (child == 0)
        exit(0); /* runs the exit handlers it inherited */
    waitpid(child, NULL, 0);
    if (chdir("/") != 0)
        _exit(98);
    fill(100);
}

TEST(only_the_process_itself_writes_and_where_it_started) {
    char here[4096];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(run(with_a_child, "r.json"), 0);
    ck_assert_int_eq(chdir(here), 0);
    json_t *tree = load();
    ck_assert_uint_eq(json_array_size(json_object_get(tree, "launches")), 2);
    json_decref(tree);
}

static void child_exits_parent_does_not(void) {
    register_kernels();
    fill(100);
    const pid_t child = fork();
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
    _exit(0);
}

TEST(a_child_that_exits_leaves_the_report_alone) {
    ck_assert_int_eq(run(child_exits_parent_does_not, path), 0);
    json_t *tree = load();
    ck_assert(json_is_false(json_object_get(tree, "complete")));
    json_decref(tree);
}

static void to_nowhere(void) {
    FILE *errors = capture_stderr();
    register_kernels();
    fill(100);
    fill(100);
    const char *said = captured(errors);
    const char *first = strstr(said, "cannot write");
    if (first == NULL || strstr(first + 1, "cannot write") != NULL)
        _exit(1); /* once, and only once */
}

TEST(a_report_that_cannot_be_written_is_said_once) {
    ck_assert_int_eq(run(to_nowhere, "/nowhere/at/all.json"), 0);
}

TEST(an_old_report_survives_until_the_new_one_is_whole) {
    const vg_log log = {0};
    const vg_report r = {.log = &log, .complete = true};
    ck_assert(vg_report_write(&r, path));
    struct stat before, after;
    ck_assert_int_eq(stat(path, &before), 0);
    ck_assert(vg_report_write(&r, path));
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert_uint_ne(before.st_ino, after.st_ino); /* another file, moved into its place */
    const mode_t mask = umask(0);
    umask(mask);
    ck_assert_uint_eq(after.st_mode & 0777, 0666 & ~mask);
    ck_assert(!vg_report_write(&r, folder)); /* a folder is no place to write */
}

static void with_number_in_name(void) {
    register_kernels();
}

TEST(the_name_may_hold_the_process_number) {
    char pattern[80];
    snprintf(pattern, sizeof pattern, "%s/%%p.json", folder);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        setenv("VGPU_REPORT", pattern, 1);
        with_number_in_name();
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    snprintf(path, sizeof path, "%s/%ld.json", folder, (long)child);
    json_decref(load());
}

/* ---- findings ---- */

static void add_finding(vg_findings *list, enum vg_severity severity, int line,
                        const char *message) {
    vg_finding f = {.kind = VGPU_FOUND_RACE,
                    .severity = severity,
                    .kernel = "tiled",
                    .object = "shared array 'a'",
                    .has_element = true,
                    .element = 7,
                    .num_sites = 2,
                    .hazard = VGPU_RAW,
                    .count = 3};
    for (int i = 0; i < 2; i++) {
        snprintf(f.site[i].file, sizeof f.site[i].file, "k.cu");
        f.site[i].line = line + i;
        f.site[i].action = i == 0 ? "read" : "written";
        f.site[i].has_thread = true;
        f.site[i].thread = (vg_dim3){(uint32_t)i, 2, 3};
    }
    snprintf(f.message, sizeof f.message, "%s", message);
    vg_findings_add(list, &f);
}

static void hear(void *arg, const struct vgpu_fact *fact, const char *words) {
    (void)arg, (void)fact, (void)words;
}

TEST(findings_are_in_the_report) {
    vg_findings *list = vg_findings_create();
    add_finding(list, VG_WARNING, 30, "a warning");
    add_finding(list, VG_ERROR, 20, "two\nlines \"quoted\"");
    vg_findings_publish(list, 10, hear, NULL);
    const vg_log log = {0};
    const vg_report r = {.log = &log, .complete = true, .findings = list};
    ck_assert(vg_report_write(&r, path));
    json_t *tree = load();
    const json_t *findings = json_object_get(tree, "findings");
    ck_assert_uint_eq(json_array_size(findings), 2);
    const json_t *first = json_array_get(findings, 0);
    static const char *const texts[][2] = {{"kind", "race"},
                                           {"severity", "error"},
                                           {"kernel", "tiled"},
                                           {"file", "k.cu"},
                                           {"message", "two\nlines \"quoted\""},
                                           {"hazard", "RAW"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_str_eq(json_string_value(json_object_get(first, texts[i][0])), texts[i][1]);
    ck_assert_int_eq(number(first, "line"), 20);
    const json_t *other = json_array_get(json_object_get(first, "sites"), 1);
    ck_assert_int_eq(number(other, "line"), 21);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(other, "thread"), 0)), 1);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(findings, 1), "severity")),
                     "warning");
    json_decref(tree);
    vg_findings_destroy(list);
}

/* ---- the interface for programs ---- */

static void asks(void) {
    struct vgpu_counters c;
    uint64_t launches = 0;
    register_kernels();
    fill(100); /* not counted: nobody has asked yet */
    if (vgpu_last_counters(&c) || !vgpu_counters_enable() || vgpu_last_counters(&c))
        _exit(1);
    fill(100);
    fill(300);
    if (!vgpu_last_counters(&c) || c.global_store_requests != 10 || c.global_store_bytes != 1200)
        _exit(2);
    if (!vgpu_total_counters(&c, &launches) || launches != 2 || c.global_store_requests != 14)
        _exit(3);
    vgpu_reset_counters();
    if (vgpu_total_counters(&c, &launches) || launches != 0 || c.global_store_requests != 0)
        _exit(4);
    fill(100);
    _exit(vgpu_total_counters(&c, &launches) && launches == 1 ? 0 : 5);
}

TEST(programs_can_ask) {
    ck_assert_int_eq(run(asks, NULL), 0);
}

TEST(without_being_asked_nothing_is_counted_or_written) {
    ck_assert_int_eq(run(three_launches, NULL), 0);
    ck_assert_int_ne(access(path, F_OK), 0);
}

static void five_launches_traced(void) {
    setenv("VGPU_TRACE", "1", 1);
    register_kernels();
    fill(7); /* forgotten below */
    vgpu_reset_counters();
    fill(100);
    for (int i = 0; i < 4; i++)
        fill(300);
    _exit(vgpu_write_report() ? 0 : 1);
}

TEST(a_trace_follows_the_first_block) {
    ck_assert_int_eq(run(five_launches_traced, path), 0);
    json_t *tree = load();
    const json_t *traces = json_object_get(tree, "traces");
    ck_assert_uint_eq(json_array_size(traces), 4);
    const json_t *first = json_array_get(traces, 0);
    ck_assert_str_eq(json_string_value(json_object_get(first, "kernel")), "fill");
    ck_assert(json_is_false(json_object_get(first, "more")));
    const json_t *all = json_object_get(first, "accesses");
    ck_assert_uint_eq(json_array_size(all), 4); /* one store of each of the block's warps */
    for (size_t i = 0; i < 4; i++) {
        const json_t *a = json_array_get(all, i), *at = json_object_get(a, "at");
        const json_int_t warp = number(a, "warp");
        ck_assert_str_eq(json_string_value(json_object_get(a, "space")), "global");
        ck_assert_str_eq(json_string_value(json_object_get(a, "kind")), "store");
        ck_assert_int_eq(number(a, "bytes"), 4);
        ck_assert_int_eq(number(a, "phase"), 0);
        ck_assert_int_eq(number(a, "object_bytes"), 400);
        ck_assert_int_eq(number(a, "mask"), warp < 3 ? 0xffffffff : 0xf);
        ck_assert_uint_eq(json_array_size(at), 32);
        ck_assert(json_number_value(json_array_get(at, 1)) == (double)(128 * warp + 4));
    }
    json_decref(tree);
}

static void no_trace(void) {
    three_launches();
    _exit(vgpu_write_report() ? 0 : 1);
}

TEST(no_trace_unless_asked_for) {
    ck_assert_int_eq(run(no_trace, path), 0);
    json_t *tree = load();
    ck_assert_ptr_null(json_object_get(tree, "traces"));
    ck_assert(json_is_false(json_object_get(tree, "complete")));
    json_decref(tree);
    ck_assert_int_ne(run(no_trace, NULL), 0);
}

int main(void) {
    unsetenv("VGPU_REPORT");
    unsetenv("VGPU_TRACE");
    return run_vgpu_tests(
        (struct suite){.name = "reports", .set_up = make_folder, .tear_down = remove_folder});
}
