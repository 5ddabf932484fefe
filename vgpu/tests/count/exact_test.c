/* exact_test.c: kernels of edge.ptx, whose counts are worked out by hand. */
#include "common/tests/suite.h"
#include "vgpu/tests/count/fixture.h"

static bench b;
static uint64_t memory;
static const vg_dim3 one = {1, 1, 1};

static void open_edge(void) {
    size_t len = 0;
    char *text = read_text(VGPU_COUNT_TESTS "/edge.ptx", &len);
    bench_open(&b, text, len, 2);
    free(text);
    memory = bench_memory(&b, 65536);
}

static void close_edge(void) {
    bench_close(&b);
}

static vg_counts run(const char *kernel, uint32_t blocks, uint32_t threads, uint32_t number) {
    uint64_t p = memory;
    const bool only_number = strcmp(kernel, "banks") == 0 || strcmp(kernel, "barriers") == 0;
    void *both[] = {&p, &number}, *second[] = {&number};
    return bench_run(&b, kernel, (vg_dim3){blocks, 1, 1}, (vg_dim3){threads, 1, 1}, 0,
                     only_number ? second : both);
}

/* The counts of a source line of the last launch. */
static vg_counts line(int number) {
    const vg_log *log = vg_count_lock(b.count);
    const vg_launch_record *r = &log->records[log->num_records - 1];
    vg_counts c = {{0}};
    for (int i = 0; i < r->num_lines; i++)
        if (r->lines[i].line == number)
            c = r->lines[i].counts;
    vg_count_unlock(b.count);
    return c;
}

/* 40 threads are a full warp and a quarter of one; a predicate lets 5 or 35 of them work. */
TEST(predicates_switch_lanes_off) {
    vg_counts c = run("guarded", 3, 40, 5);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_REQUESTS, 3); /* the second warp asks for nothing */
    ck_assert_counter(c, VGC_GLOBAL_LOAD_SECTORS, 3);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_BYTES, 3 * 20);
    ck_assert_counter(c, VGC_FMA, 3 * 5);
    ck_assert_counter(c, VGC_ADD, 3 * 35);
    ck_assert_counter(c, VGC_FLOPS, 3 * (10 + 35));
    ck_assert_counter(c, VGC_WARP_INSTRUCTIONS, 3 * 2 * 11); /* issued all the same */
    ck_assert_counter(c, VGC_THREAD_INSTRUCTIONS, 3 * (40 * 7 + 5 * 3 + 35));
    ck_assert_counter(c, VGC_BRANCHES, 0);
    c = run("guarded", 3, 40, 35);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_REQUESTS, 6);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_SECTORS, 3 * 5); /* 128 bytes and 12 */
    ck_assert_counter(c, VGC_GLOBAL_STORE_SECTORS, 3 * 5);
    ck_assert_counter(c, VGC_FMA, 3 * 35);
}

TEST(lanes_that_left_count_nothing) {
    vg_counts c = run("leaving", 1, 64, 40);
    ck_assert_counter(c, VGC_BRANCHES, 2);
    ck_assert_counter(c, VGC_DIVERGENT_BRANCHES, 1);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_REQUESTS, 2);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_SECTORS, 5);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_BYTES, 160);
    ck_assert_counter(c, VGC_MUL, 40);
    ck_assert_counter(c, VGC_WARP_INSTRUCTIONS, 2 * 12);
    ck_assert_counter(c, VGC_THREAD_INSTRUCTIONS, 64 * 7 + 40 * 5);
    c = run("leaving", 1, 64, 32); /* the second warp leaves as a whole: no divergence */
    ck_assert_counter(c, VGC_DIVERGENT_BRANCHES, 0);
    ck_assert_counter(c, VGC_WARP_INSTRUCTIONS, 12 + 7);
    c = run("exiting", 2, 48, 33);
    ck_assert_counter(c, VGC_BRANCHES, 0); /* exit is no branch */
    ck_assert_counter(c, VGC_DIVERGENT_BRANCHES, 0);
    ck_assert_counter(c, VGC_BARRIERS, 4);
    ck_assert_counter(c, VGC_THREADS, 2 * 48);   /* launched is launched */
    ck_assert_counter(c, VGC_SHORT_BARRIERS, 2); /* 15 of each block's threads have left */
    ck_assert_counter(run("exiting", 2, 48, 48), VGC_SHORT_BARRIERS, 0);
    ck_assert_counter(c, VGC_GLOBAL_STORE_REQUESTS, 4);
    ck_assert_counter(c, VGC_GLOBAL_STORE_BYTES, 2 * 33 * 4);
    ck_assert_counter(c, VGC_WARP_INSTRUCTIONS, 2 * 2 * 11);
    ck_assert_counter(c, VGC_THREAD_INSTRUCTIONS, 2 * (48 * 4 + 15 + 33 * 6));
}

TEST(both_sides_of_a_branch_are_issued) {
    const vg_counts c = run("sides", 1, 32, 0);
    ck_assert_counter(c, VGC_BRANCHES, 2);
    ck_assert_counter(c, VGC_DIVERGENT_BRANCHES, 1);
    ck_assert_counter(c, VGC_ADD_DOUBLE, 16);
    ck_assert_counter(c, VGC_MUL_DOUBLE, 16);
    ck_assert_counter(c, VGC_FMA_DOUBLE, 16);
    ck_assert_counter(c, VGC_FLOPS, 16 * 4);
    ck_assert_counter(c, VGC_WARP_INSTRUCTIONS, 5 + 3 + 1 + 2);
    ck_assert_counter(c, VGC_THREAD_INSTRUCTIONS, 32 * 5 + 16 * 3 + 16 + 2 * 32);
}

TEST(sectors_of_every_width) {
    static const struct {
        uint32_t stride, sectors[4]; /* of loads of 2, 4, 8 and 16 bytes */
    } known[] = {{16, {16, 16, 16, 16}},
                 {0, {1, 1, 1, 1}},
                 {32, {32, 32, 32, 32}},
                 {48, {32, 32, 32, 32}},
                 {1024, {32, 32, 32, 32}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        run("widths", 1, 32, known[i].stride);
        for (int w = 0; w < 4; w++) {
            const vg_counts c = line(2 << w);
            ck_assert_counter(c, VGC_GLOBAL_LOAD_REQUESTS, 1);
            ck_assert_counter(c, VGC_GLOBAL_LOAD_SECTORS, known[i].sectors[w]);
            ck_assert_counter(c, VGC_GLOBAL_LOAD_BYTES, 32u * (2u << w));
        }
    }
    run("widths", 1, 5, 16); /* 5 lanes of a warp that has no more */
    ck_assert_counter(line(16), VGC_GLOBAL_LOAD_SECTORS, 3);
    ck_assert_counter(line(16), VGC_GLOBAL_LOAD_BYTES, 80);
}

TEST(sectors_depend_on_where_an_access_begins) {
    memory += 16; /* half a sector on: 33 half sectors touch 17 */
    run("widths", 1, 32, 16);
    ck_assert_counter(line(4), VGC_GLOBAL_LOAD_SECTORS, 17);
    ck_assert_counter(line(16), VGC_GLOBAL_LOAD_SECTORS, 17);
    memory += 16;
    run("widths", 1, 32, 16);
    ck_assert_counter(line(16), VGC_GLOBAL_LOAD_SECTORS, 16);
}

TEST(bank_conflicts_of_every_width) {
    static const struct {
        uint32_t stride, wavefronts[4], conflicts[4]; /* of loads of 2, 4, 8 and 16 bytes */
    } known[] = {
        {0, {1, 1, 1, 1}, {0, 0, 0, 0}},  {16, {4, 4, 4, 4}, {3, 3, 2, 0}},
        {48, {4, 4, 4, 4}, {3, 3, 2, 0}}, {128, {32, 32, 32, 32}, {31, 31, 30, 28}},
        {32, {8, 8, 8, 8}, {7, 7, 6, 4}}, {144, {4, 4, 4, 4}, {3, 3, 2, 0}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const vg_counts all = run("banks", 1, 32, known[i].stride);
        ck_assert_counter(all, VGC_SHARED_LOAD_REQUESTS, 4);
        ck_assert_counter(all, VGC_SHARED_LOAD_BYTES, 32 * (2 + 4 + 8 + 16));
        for (int w = 0; w < 4; w++) {
            const vg_counts c = line(w == 3 ? 17 : 2 << w);
            ck_assert_counter(c, VGC_SHARED_LOAD_WAVEFRONTS, known[i].wavefronts[w]);
            ck_assert_counter(c, VGC_SHARED_LOAD_CONFLICTS, known[i].conflicts[w]);
        }
        ck_assert_counter(line(16), VGC_SHARED_STORE_WAVEFRONTS, known[i].wavefronts[3]);
        ck_assert_counter(line(16), VGC_SHARED_STORE_CONFLICTS, known[i].conflicts[3]);
    }
}

/* Half a warp or more, and more than 8 sectors for each 128 bytes. */
TEST(loads_from_far_apart_are_scattered) {
    ck_assert_counter(run("strided", 1, 32, 1), VGC_SCATTERED_LOAD_BYTES, 0);
    ck_assert_counter(run("strided", 1, 32, 2), VGC_SCATTERED_LOAD_BYTES, 0); /* 8 sectors */
    ck_assert_counter(run("strided", 3, 32, 3), VGC_SCATTERED_LOAD_BYTES, 3 * 128);
    ck_assert_counter(run("strided", 1, 16, 8), VGC_SCATTERED_LOAD_BYTES, 64);
    ck_assert_counter(run("strided", 1, 15, 8), VGC_SCATTERED_LOAD_BYTES, 0);
}

TEST(different_words_of_shared_memory) {
    static const struct {
        uint32_t stride, words;
    } step[] = {{1, 32}, {2, 16}, {4, 8}, {5, 7}, {32, 1}};
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        run("strided", 2, 32, step[i].stride);
        ck_assert_counter(line(2), VGC_SHARED_LOAD_WORDS, 2 * step[i].words);
        ck_assert_counter(line(3), VGC_SHARED_LOAD_WORDS, 2 * 4 * step[i].words);
    }
}

TEST(nothing_is_remembered_from_one_kernel_to_the_next) {
    for (int round = 0; round < 2; round++) {
        vg_counts c = bench_run(&b, "narrow", one, (vg_dim3){32, 1, 1}, 0, NULL);
        ck_assert_counter(c, VGC_SHARED_STORE_CONFLICTS, 7);
        c = bench_run(&b, "wide", one, (vg_dim3){32, 1, 1}, 0, NULL);
        ck_assert_counter(c, VGC_SHARED_STORE_CONFLICTS, 4);
        ck_assert_counter(c, VGC_SHARED_STORE_WAVEFRONTS, 8);
    }
}

/* ---- many steps of one instruction, against plain counting ---- */

enum { STEPS = 3000, NOTHING = -1 };

static uint32_t random_state;

static uint32_t rnd(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

/* Copies count as on their way from their start to the wait for them, in no group, too. */
TEST(loads_that_copies_overlap) {
    const vg_counts c = run("overlaps", 3, 64, 8);
    ck_assert_counter(c, VGC_ASYNC_COPIES, 3 * 2);
    ck_assert_counter(c, VGC_OVERLAPPED_LOAD_BYTES, 3 * (24 + 32) * (4 + 2));
    ck_assert_counter(c, VGC_SHARED_LOAD_BYTES, 3 * (64 * 4 + (24 + 32) * (4 + 2 + 4)));
    ck_assert_counter(run("overlaps", 1, 64, 64), VGC_OVERLAPPED_LOAD_BYTES, 0);
}

TEST(copies_bring_what_hides_behind_work) {
    ck_assert_counter(run("brings", 2, 64, 0), VGC_BROUGHT_LOAD_BYTES, 0);
    ck_assert_counter(run("brings", 2, 64, 3), VGC_BROUGHT_LOAD_BYTES, 0);
    ck_assert_counter(run("brings", 2, 64, 4), VGC_BROUGHT_LOAD_BYTES, 2 * 64 * 2 * 4);
    ck_assert_counter(run("overlaps", 2, 64, 0), VGC_BROUGHT_LOAD_BYTES, 0); /* nobody loads it */
}

/* Halfwords for 32 lanes: what went before, moved, with other lanes; now and then something new. */
static void make_step(int32_t *lane, const int32_t *before) {
    const uint32_t how = rnd() % 8;
    const int32_t stride = (int32_t)(rnd() % 3 == 0   ? rnd() % 200
                                     : rnd() % 3 == 0 ? 0
                                                      : 1u << rnd() % 8),
                  base = (int32_t)(rnd() % 600);
    for (int i = 0; i < 32; i++) {
        const int32_t old = before != NULL ? before[i] : NOTHING;
        if (before == NULL || how == 0)
            lane[i] = base + i * stride;
        else if (how == 1)
            lane[i] = (int32_t)(rnd() % 16000);
        else if (how < 6) /* the same shape, elsewhere */
            lane[i] = old == NOTHING ? NOTHING : old + (int32_t)how % 4;
        else
            lane[i] = rnd() % 4 == 0 ? NOTHING : old;
        lane[i] = lane[i] == NOTHING ? NOTHING : lane[i] % 16000;
    }
}

typedef struct plain_counts {
    uint64_t requests, sectors, wavefronts, conflicts;
} plain_counts;

/* One access of `size` bytes, rounded down to multiples of it. */
static void count_plainly(plain_counts *c, const int32_t *lane, uint32_t size) {
    const uint32_t words = size < 4 ? 1 : size / 4, group = 32 / words;
    bool sector[1024] = {false}, any = false, one_address = true;
    const uint64_t passes = c->wavefronts;
    int32_t seen = NOTHING;
    for (int i = 0; i < 32; i++) {
        const int32_t at =
            lane[i] == NOTHING ? NOTHING : (int32_t)(2 * (uint32_t)lane[i] & ~(size - 1));
        one_address &= at == NOTHING || seen == NOTHING || at == seen;
        seen = at == NOTHING ? seen : at;
    }
    for (uint32_t first = 0; first < 32; first += group) {
        bool word[8192] = {false};
        uint32_t load[32] = {0}, most = 0;
        for (uint32_t i = first; i < first + group; i++) {
            const uint32_t at = 2 * (uint32_t)lane[i] & ~(size - 1);
            for (uint32_t w = at / 4; lane[i] != NOTHING && w < at / 4 + words; w++) {
                c->sectors += !sector[w / 8];
                sector[w / 8] = true;
                load[w % 32] += !word[w];
                word[w] = true;
                most = load[w % 32] > most ? load[w % 32] : most;
            }
        }
        any |= most > 0;
        c->wavefronts += most;
        c->conflicts += most > 0 ? most - 1 : 0;
    }
    c->requests += any;
    c->wavefronts = one_address && any ? passes + 1 : c->wavefronts; /* a broadcast to all groups */
}

TEST_EACH(every_step_of_an_instruction_is_exact, 8) {
    random_state = (uint32_t)_i + 1;
    const uint64_t table = bench_memory(&b, STEPS * 128);
    uint32_t steps = STEPS;
    int32_t *lanes = vg_mem_at(b.mem, table, STEPS * 128);
    plain_counts halves = {0}, words = {0}, fours = {0}, generic[2] = {{0}, {0}};
    for (int i = 0; i < STEPS; i++) {
        make_step(lanes + 32 * i, i > 0 ? lanes + 32 * (i - 1) : NULL);
        count_plainly(&halves, lanes + 32 * i, 2);
        count_plainly(&words, lanes + 32 * i, 4);
        count_plainly(&fours, lanes + 32 * i, 16);
        count_plainly(&generic[i % 2], lanes + 32 * i, 4);
    }
    void *args[] = {(void *)&table, &memory, &steps};
    bench_run(&b, "gather", one, (vg_dim3){32, 1, 1}, 0, args);
    ck_assert_counter(line(102), VGC_GLOBAL_LOAD_REQUESTS, halves.requests);
    ck_assert_counter(line(102), VGC_GLOBAL_LOAD_SECTORS, halves.sectors);
    ck_assert_counter(line(104), VGC_GLOBAL_LOAD_SECTORS, words.sectors);
    ck_assert_counter(line(202), VGC_SHARED_STORE_WAVEFRONTS, halves.wavefronts);
    ck_assert_counter(line(202), VGC_SHARED_STORE_CONFLICTS, halves.conflicts);
    ck_assert_counter(line(204), VGC_SHARED_STORE_REQUESTS, words.requests);
    ck_assert_counter(line(204), VGC_SHARED_STORE_CONFLICTS, words.conflicts);
    ck_assert_counter(line(216), VGC_SHARED_STORE_WAVEFRONTS, fours.wavefronts);
    ck_assert_counter(line(216), VGC_SHARED_STORE_CONFLICTS, fours.conflicts);
    ck_assert_counter(line(300), VGC_GLOBAL_LOAD_SECTORS, generic[0].sectors);
    ck_assert_counter(line(300), VGC_SHARED_LOAD_WAVEFRONTS, generic[1].wavefronts);
    ck_assert_counter(line(300), VGC_SHARED_LOAD_CONFLICTS, generic[1].conflicts);
}

TEST(generic_addresses_count_where_they_lead) {
    vg_counts c = run("generic", 1, 32, 12);
    ck_assert_counter(c, VGC_SHARED_STORE_REQUESTS, 1);
    ck_assert_counter(c, VGC_SHARED_STORE_BYTES, 48);
    ck_assert_counter(c, VGC_GLOBAL_STORE_REQUESTS, 1);
    ck_assert_counter(c, VGC_GLOBAL_STORE_BYTES, 80);
    ck_assert_counter(c, VGC_GLOBAL_STORE_SECTORS, 3); /* bytes 48 … 127 */
    c = run("generic", 1, 32, 32);
    ck_assert_counter(c, VGC_GLOBAL_STORE_REQUESTS, 0);
    ck_assert_counter(c, VGC_SHARED_STORE_WAVEFRONTS, 1);
    c = run("generic", 1, 32, 0);
    ck_assert_counter(c, VGC_SHARED_STORE_REQUESTS, 0);
    ck_assert_counter(c, VGC_GLOBAL_STORE_SECTORS, 4);
}

TEST(local_memory_lies_lane_beside_lane) {
    const vg_counts c = bench_run(&b, "locals", one, (vg_dim3){32, 1, 1}, 0, NULL);
    ck_assert_counter(c, VGC_LOCAL_STORE_REQUESTS, 1);
    ck_assert_counter(c, VGC_LOCAL_STORE_SECTORS, 4);
    ck_assert_counter(c, VGC_LOCAL_STORE_BYTES, 128);
    ck_assert_counter(line(2), VGC_LOCAL_LOAD_SECTORS, 8);
    ck_assert_counter(line(3), VGC_LOCAL_LOAD_SECTORS, 8);
    ck_assert_counter(line(4), VGC_LOCAL_LOAD_SECTORS, 4);
    ck_assert_counter(line(5), VGC_LOCAL_LOAD_SECTORS, 4);
    ck_assert_counter(c, VGC_LOCAL_LOAD_BYTES, 128 + 256 + 32 + 128);
    /* By lane; volatile; and what else works on the same places, even in part: all of it. */
    ck_assert_counter(c, VGC_LOCAL_PINNED_BYTES, 128 + 128 + 128 + 256 + 32);
}

TEST(constants_come_one_word_a_pass) {
    const vg_counts c = bench_run(&b, "constants", one, (vg_dim3){32, 1, 1}, 0, NULL);
    ck_assert_counter(c, VGC_CONST_LOAD_REQUESTS, 2);
    ck_assert_counter(c, VGC_CONST_LOAD_REPLAYS, 3);
    ck_assert_counter(c, VGC_CONST_LOAD_BYTES, 256);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_REQUESTS, 0);
}

TEST(atomics_are_neither_loads_nor_stores) {
    const vg_counts c = run("atomics", 2, 32, 0);
    ck_assert_counter(c, VGC_GLOBAL_ATOMIC_REQUESTS, 4);
    ck_assert_counter(c, VGC_GLOBAL_ATOMIC_SECTORS, 2 * (1 + 4));
    ck_assert_counter(c, VGC_GLOBAL_ATOMIC_BYTES, 2 * 256);
    ck_assert_counter(c, VGC_SHARED_ATOMIC_REQUESTS, 2);
    ck_assert_counter(c, VGC_SHARED_ATOMIC_BYTES, 256);
    ck_assert_counter(c, VGC_GLOBAL_LOAD_REQUESTS, 0);
    ck_assert_counter(c, VGC_GLOBAL_STORE_REQUESTS, 0);
}

TEST(guarded_barriers) {
    const vg_counts c = run("barriers", 2, 128, 64);
    ck_assert_counter(c, VGC_BARRIERS, 2 * (4 + 4));
    ck_assert_counter(c, VGC_WARP_INSTRUCTIONS, 2 * 4 * 6);
    ck_assert_counter(c, VGC_THREAD_INSTRUCTIONS, 2 * (128 * 5 + 64));
    ck_assert_counter(c, VGC_BRANCHES, 0);
}

TEST(arguments_of_functions_are_no_memory) {
    const vg_counts c = bench_run(&b, "calls", one, (vg_dim3){32, 1, 1}, 0, NULL);
    ck_assert_counter(c, VGC_LOCAL_LOAD_REQUESTS, 0);
    ck_assert_counter(c, VGC_LOCAL_STORE_REQUESTS, 0);
    ck_assert_counter(c, VGC_ADD, 64);
    ck_assert_counter(c, VGC_SPECIAL, 64);
    ck_assert_counter(c, VGC_FLOPS, 128);
    ck_assert_counter(c, VGC_WARP_INSTRUCTIONS, 8 + 4);
}

TEST(a_fault_is_told_and_the_next_launch_starts_from_zero) {
    bench_try(&b, "faulting", one, (vg_dim3){32, 1, 1}, 0, NULL, VG_ILLEGAL_ADDRESS);
    const vg_log *log = vg_count_lock(b.count);
    ck_assert_int_eq(log->num_records, 1);
    ck_assert_ptr_nonnull(log->records[0].fault);
    ck_assert_ptr_null(strchr(log->records[0].fault, '\n'));
    vg_count_unlock(b.count);
    const vg_counts c = run("guarded", 1, 32, 32);
    ck_assert_counter(c, VGC_GLOBAL_STORE_REQUESTS, 1);
    log = vg_count_lock(b.count);
    ck_assert_ptr_null(log->records[1].fault);
    ck_assert_uint_eq(log->launches, 2);
    vg_count_unlock(b.count);
}

TEST(memory_in_use_is_followed) {
    run("guarded", 1, 32, 32);
    const uint64_t before = vg_count_peak_memory(b.count);
    ck_assert_uint_ge(before, 65536);
    bench_memory(&b, 1 << 20);
    run("guarded", 1, 32, 32);
    ck_assert_uint_eq(vg_count_peak_memory(b.count), before + (1 << 20));
}

int main(void) {
    return run_tests(
        (struct suite){.name = "counters, exactly", .set_up = open_edge, .tear_down = close_edge});
}
