/* kernels_test.c: six products whose counters were read from an H200 (ncu), n = 256. */
#include "common/tests/suite.h"
#include "vgpu/tests/count/fixture.h"

#define FOLDER VGPU_COUNT_TESTS

typedef struct known {
    const char *kernel;
    uint32_t tile; /* blocks are tile x tile */
    uint64_t load_requests, load_sectors, store_requests, store_sectors;
    uint64_t least_conflicts, most_conflicts; /* loads and stores of shared memory, each */
} known;

/* The H200 counts over 500,000 conflicts of each kind in the last kernel. */
static const known table[] = {
    {"naive_col_x", 32, 1048576, 2621440, 2048, 8192, 0, 0},
    {"naive_row_x", 32, 1048576, 17301504, 2048, 65536, 0, 0},
    {"tiled16", 16, 65536, 262144, 2048, 8192, 0, 0},
    {"tiled32", 32, 32768, 131072, 2048, 8192, 0, 0},
    {"transposed33", 32, 32768, 131072, 2048, 8192, 0, 0},
    {"transposed32", 32, 32768, 131072, 2048, 8192, 500000, UINT64_MAX},
};

enum { N = 256 };

static vg_counts run(const known *k, int workers, bench *b) {
    size_t len = 0;
    char *text = read_text(VGPU_COUNT_SIX, &len);
    bench_open(b, text, len, workers);
    free(text);
    int n = N;
    uint64_t A = bench_memory(b, N * N * 4), B = bench_memory(b, N * N * 4),
             C = bench_memory(b, N * N * 4);
    void *args[] = {&n, &A, &B, &C};
    const vg_dim3 block = {k->tile, k->tile, 1}, grid = {N / k->tile, N / k->tile, 1};
    return bench_run(b, k->kernel, grid, block, 0, args);
}

TEST_EACH(counters_are_those_of_the_hardware, sizeof table / sizeof *table) {
    const known *k = &table[_i];
    bench b;
    const vg_counts c = run(k, 2, &b);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_REQUESTS, k->load_requests);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_SECTORS, k->load_sectors);
    ck_assert_counter(c, VGC_GLOBAL_STORE_REQUESTS, k->store_requests);
    ck_assert_counter(c, VGC_GLOBAL_STORE_SECTORS, k->store_sectors);
    ck_assert_counter(c, VGC_FMA, (uint64_t)N * N * N);
    ck_assert_counter(c, VGC_FLOPS, 2 * (uint64_t)N * N * N);
    ck_assert_uint_ge(c.v[VGC_SHARED_STORE_CONFLICTS], k->least_conflicts);
    ck_assert_uint_ge(c.v[VGC_SHARED_LOAD_CONFLICTS], k->least_conflicts);
    ck_assert_uint_le(c.v[VGC_SHARED_LOAD_CONFLICTS], k->most_conflicts);
    ck_assert_uint_le(c.v[VGC_SHARED_STORE_CONFLICTS], k->most_conflicts);
    ck_assert_counter(c, VGC_DIVERGENT_BRANCHES, 0);
    bench_close(&b);
}

/* Rows of 32 words: all lanes of a transposed access meet in one bank, 31 passes too many. */
TEST(conflicts_of_the_transposed_tile_are_exact) {
    bench b;
    const vg_counts c = run(&table[5], 2, &b);
    const uint64_t tiles = (N / 32) * (N / 32) * (N / 32), warps = 32;
    ck_assert_counter(c, VGC_SHARED_STORE_REQUESTS, 2 * tiles * warps);
    ck_assert_counter(c, VGC_SHARED_STORE_CONFLICTS, 31 * tiles * warps);
    ck_assert_counter(c, VGC_SHARED_STORE_WAVEFRONTS, 33 * tiles * warps);
    ck_assert_uint_eq(c.v[VGC_SHARED_LOAD_CONFLICTS] % (31 * tiles * warps), 0);
    ck_assert_counter(c, VGC_BARRIERS, 2 * tiles * warps);
    bench_close(&b);
}

TEST_EACH(workers_make_no_difference, sizeof table / sizeof *table) {
    bench one, four;
    const vg_counts a = run(&table[_i], 1, &one), c = run(&table[_i], 4, &four);
    for (int i = 0; i < VGC_COUNT; i++)
        ck_assert_counter(c, (enum vg_counter)i, a.v[i]);
    const vg_log *x = vg_count_lock(one.count), *y = vg_count_lock(four.count);
    ck_assert_int_eq(x->num_records, 1);
    ck_assert_int_eq(x->records[0].num_lines, y->records[0].num_lines);
    for (int i = 0; i < x->records[0].num_lines; i++) {
        const vg_line_counts *p = &x->records[0].lines[i], *q = &y->records[0].lines[i];
        ck_assert_str_eq(p->file, q->file);
        ck_assert_int_eq(p->line, q->line);
        ck_assert_int_eq(memcmp(&p->counts, &q->counts, sizeof p->counts), 0);
    }
    vg_count_unlock(one.count);
    vg_count_unlock(four.count);
    bench_close(&one);
    bench_close(&four);
}

/* The line of six.cu that holds this text. */
static int line_with(const char *text) {
    size_t len = 0;
    char *source = read_text(FOLDER "/six.cu", &len);
    const char *at = strstr(source, text);
    ck_assert_msg(at != NULL, "six.cu has no '%s'", text);
    int line = 1;
    for (const char *s = source; s < at; s++)
        line += *s == '\n';
    free(source);
    return line;
}

TEST(lines_have_their_own_counts_and_add_up) {
    bench b;
    run(&table[3], 2, &b);
    const vg_log *log = vg_count_lock(b.count);
    const vg_launch_record *r = &log->records[0];
    ck_assert_str_eq(r->kernel, "tiled32");
    ck_assert_uint_eq(r->static_shared, 2 * 32 * 32 * 4);
    vg_counts sum = {{0}};
    for (int i = 0; i < r->num_lines; i++) {
        const vg_line_counts *l = &r->lines[i];
        vg_counts_add(&sum, &l->counts, 1);
        ck_assert_str_eq(strrchr(l->file, '/'), "/six.cu");
        ck_assert(i == 0 || vg_line_order(l - 1, l) < 0);
        if (l->line == line_with("a[y][x] = A[row * n + first + x];")) {
            ck_assert_counter(l->counts, VGC_GLOBAL_LOAD_REQUESTS, 16384);
            ck_assert_counter(l->counts, VGC_GLOBAL_LOAD_SECTORS, 65536);
            ck_assert_counter(l->counts, VGC_SHARED_STORE_REQUESTS, 16384);
        }
        if (l->line == line_with("sum += a[y][p] * b[p][x];")) {
            ck_assert_counter(l->counts, VGC_FMA, N * N * N);
            ck_assert_counter(l->counts, VGC_GLOBAL_LOAD_REQUESTS, 0);
        }
    }
    ck_assert_counter(r->counts, VGC_THREADS, N * N); /* the launch's, and no line's */
    sum.v[VGC_THREADS] = N * N;
    /* All warps load as much as each other. */
    sum.v[VGC_LOADS_EACH] =
        32 * (sum.v[VGC_GLOBAL_LOAD_REQUESTS] + sum.v[VGC_SHARED_LOAD_REQUESTS]) / (N * N);
    ck_assert_counter(r->counts, VGC_LOADS_EACH, sum.v[VGC_LOADS_EACH]);
    ck_assert_int_eq(memcmp(&sum, &r->counts, sizeof sum), 0);
    vg_count_unlock(b.count);
    bench_close(&b);
}

int main(void) {
    return run_tests((struct suite){.name = "counters of six kernels", .seconds = 120});
}
