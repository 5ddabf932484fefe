/* parts_test.c: the counters' parts by themselves, against slow and plain counterparts. */
#include "common/tests/suite.h"
#include "vgpu/src/core/opcodes.h"
#include "vgpu/src/count/banks.h"
#include "vgpu/src/count/classify.h"
#include "vgpu/src/count/json_out.h"
#include "vgpu/src/count/lanes.h"
#include "vgpu/src/count/model.h"
#include "vgpu/tests/count/fixture.h"

#include <math.h>

/* ---- sectors ---- */

static uint32_t random_state = 1;

static uint32_t rnd(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

/* Addresses as kernels make them, and as they don't. */
static void make_addresses(uint64_t *at, int kind) {
    const uint64_t base = (uint64_t)rnd() * 4 + ((uint64_t)rnd() << 20);
    const uint64_t stride = rnd() % 100 * 4, width = 1 + rnd() % 32;
    for (unsigned i = 0; i < 32; i++) {
        switch (kind) {
        case 0: /* rows of a block */
            at[i] = base + i / width * (stride + 4096) + i % width * 4;
            break;
        case 1: /* a stride, downwards */ at[i] = base + 1000000 - i * stride; break;
        case 2: /* close together */ at[i] = base + rnd() % 2100; break;
        case 3: /* far apart */ at[i] = ((uint64_t)rnd() << 20) + rnd(); break;
        default: /* two allocations */
            at[i] = base + (rnd() % 2 == 0 ? UINT64_C(1) << 40 : 0) + rnd() % 64;
        }
    }
}

static uint32_t plain_sectors(const uint64_t *at) {
    uint32_t count = 0;
    for (int i = 0; i < 32; i++) {
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen |= at[j] / 32 == at[i] / 32;
        count += !seen;
    }
    return count;
}

TEST(sectors_in_every_instruction_set) {
    const vg_lane_math *sets[4];
    const int count = vg_lane_math_all(sets, 4);
    ck_assert_int_ge(count, 1);
    for (int round = 0; round < 20000; round++) {
        uint64_t at[32], apart[32];
        make_addresses(at, round % 5);
        for (int i = 0; i < 32; i++)
            apart[i] = at[i] - at[0];
        for (int k = 0; k < count; k++) {
            ck_assert_uint_eq(sets[k]->sectors(at), plain_sectors(at));
            ck_assert(sets[k]->same_shape(at, apart));
        }
        apart[rnd() % 32] ^= UINT64_C(1) << rnd() % 64;
        for (int k = 0; k < count; k++)
            ck_assert(!sets[k]->same_shape(at, apart));
    }
}

/* ---- banks ---- */

TEST(conflicts_by_the_definition) {
    for (int round = 0; round < 5000; round++) {
        static const uint32_t sizes[] = {1, 2, 4, 8, 16};
        const uint32_t size = sizes[rnd() % 5], words = size < 4 ? 1 : size / 4, group = 32 / words;
        const uint32_t mask = rnd() % 3 == 0   ? UINT32_MAX
                              : rnd() % 9 == 0 ? 3u << rnd() % 31
                                               : rnd() | 1u << rnd() % 32;
        uint64_t at[32];
        for (int i = 0; i < 32; i++)
            at[i] = (uint64_t)(rnd() % (round % 2 == 0 ? 64 : 2048)) * size;
        uint32_t wavefronts = 0, conflicts = 0;
        for (uint32_t first = 0; first < 32; first += group) {
            bool wanted[32768] = {false}; /* by word */
            uint32_t load[32] = {0}, most = 0;
            for (uint32_t i = first; i < first + group; i++) {
                for (uint32_t w = 0; (mask >> i & 1) != 0 && w < words; w++) {
                    bool *word = &wanted[at[i] / 4 + w];
                    load[(at[i] / 4 + w) % 32] += !*word;
                    *word = true;
                }
            }
            for (int k = 0; k < 32; k++)
                most = load[k] > most ? load[k] : most;
            wavefronts += most;
            conflicts += most > 0 ? most - 1 : 0;
        }
        bool one_address = true;
        for (int i = 0; i < 32; i++)
            one_address &= (mask >> i & 1) == 0 || at[i] == at[__builtin_ctz(mask)];
        wavefronts = one_address ? 1 : wavefronts;
        const vg_bank_cost cost = vg_bank_cost_of(at, mask, size);
        ck_assert_uint_eq(cost.wavefronts, wavefronts);
        ck_assert_uint_eq(cost.conflicts, conflicts);
    }
}

/* ---- instructions ---- */

static vg_class class_of(const char *text) {
    static char copy[100];
    ptx_instr in = {0};
    snprintf(copy, sizeof copy, "%s", text);
    char *rest = copy;
    in.op = strsep(&rest, ".");
    while (rest != NULL)
        in.mod[in.num_mods++] = strsep(&rest, ".");
    ptx_decode(&in);
    return vg_classify(&in);
}

TEST(instructions_by_kind) {
    static const struct {
        const char *text;
        enum vg_counter operation;
        uint32_t elements, flops;
    } known[] = {
        {"fma.rn.f32", VGC_FMA, 1, 2},
        {"mad.rn.f32", VGC_FMA, 1, 2},
        {"mad.lo.s32", VGC_COUNT, 0, 0},
        {"add.rn.ftz.f32", VGC_ADD, 1, 1},
        {"sub.f64", VGC_ADD_DOUBLE, 1, 1},
        {"add.s32", VGC_COUNT, 0, 0},
        {"mul.f32", VGC_MUL, 1, 1},
        {"mul.wide.u32", VGC_COUNT, 0, 0},
        {"fma.rn.f64", VGC_FMA_DOUBLE, 1, 2},
        {"div.full.f32", VGC_SPECIAL, 1, 1},
        {"rsqrt.approx.f32", VGC_SPECIAL, 1, 1},
        {"sqrt.rn.f64", VGC_SPECIAL_DOUBLE, 1, 1},
        {"fma.rn.f16x2", VGC_FMA_HALF, 2, 4},
        {"fma.rn.bf16", VGC_FMA_HALF, 1, 2},
        {"add.f16", VGC_ADD_HALF, 1, 1},
        {"min.f32", VGC_COUNT, 0, 0},
        {"setp.lt.f32", VGC_COUNT, 0, 0},
        {"cvt.rn.f32.s32", VGC_COUNT, 0, 0},
        {"atom.global.add.f32", VGC_COUNT, 0, 0},
        {"cp.async.cg.shared.global", VGC_ASYNC_COPIES, 0, 0},
        {"cp.async.commit_group", VGC_COUNT, 0, 0},
        {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", VGC_MMA, 1, 2048},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", VGC_MMA, 1, 8192},
        {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16", VGC_COUNT, 0, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const vg_class c = class_of(known[i].text);
        ck_assert_msg(c.operation == known[i].operation, "%s", known[i].text);
        ck_assert_msg(c.elements == known[i].elements && c.flops == known[i].flops, "%s",
                      known[i].text);
    }
    ck_assert(class_of("bra.uni").branch);
    ck_assert(class_of("call.uni").call);
    ck_assert(class_of("bar.sync").barrier);
    ck_assert(class_of("barrier.sync.aligned").barrier);
    ck_assert(!class_of("bar.warp.sync").barrier);
    ck_assert(class_of("ld.param.u64").argument);
    ck_assert(class_of("st.param::func.u64").argument);
    ck_assert(!class_of("ld.local.u64").argument);
}

TEST(every_counter_has_its_own_name) {
    for (int i = 0; i < VGC_COUNT; i++) {
        ck_assert_ptr_nonnull(vg_counter_name((enum vg_counter)i));
        ck_assert_int_eq(vg_counter_named(vg_counter_name((enum vg_counter)i)), i);
    }
    ck_assert_int_eq(vg_counter_named("nothing"), VGC_COUNT);
}

/* ---- JSON ---- */

static char *json_of(const char *value) {
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    vg_json j;
    vg_json_begin(&j, f);
    vg_json_text(&j, NULL, value);
    fclose(f);
    return text;
}

TEST(text_is_escaped) {
    static const char *const known[][2] = {
        {"plain", "\"plain\""},
        {"say \"hi\" \\ there", "\"say \\\"hi\\\" \\\\ there\""},
        {"a\tb\nc\rd\be\f", "\"a\\tb\\nc\\rd\\be\\f\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"naïve ∑ 𝄞", "\"naïve ∑ 𝄞\""},
        {"\xff\xc3", "\"\\ufffd\\ufffd\""},                       /* no UTF-8, cut short */
        {"\xc0\x80", "\"\\ufffd\\ufffd\""},                       /* overlong            */
        {"\xed\xa0\x80!", "\"\\ufffd\\ufffd\\ufffd!\""},          /* a surrogate         */
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}, /* beyond U+10FFFF     */
        {"", "\"\""},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char *text = json_of(known[i][0]);
        ck_assert_str_eq(text, known[i][1]);
        free(text);
    }
    char *null = json_of(NULL);
    ck_assert_str_eq(null, "null");
    free(null);
}

TEST(structure_and_numbers) {
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    vg_json j;
    vg_json_begin(&j, f);
    vg_json_object(&j, NULL);
    vg_json_count(&j, "big", UINT64_C(9007199254740993));
    vg_json_real(&j, "half", 0.5);
    vg_json_real(&j, "none", NAN);
    vg_json_bool(&j, "yes", true);
    vg_json_inline(&j);
    vg_json_array(&j, "dim");
    vg_json_count(&j, NULL, 1);
    vg_json_count(&j, NULL, 2);
    vg_json_array_end(&j);
    vg_json_array(&j, "empty");
    vg_json_array_end(&j);
    vg_json_array(&j, "rows");
    for (int i = 0; i < 2; i++) {
        vg_json_inline(&j);
        vg_json_object(&j, NULL);
        vg_json_count(&j, "i", (uint64_t)i);
        vg_json_array(&j, "deep");
        vg_json_array_end(&j);
        vg_json_object_end(&j);
    }
    vg_json_array_end(&j);
    vg_json_object_end(&j);
    vg_json_end(&j);
    fclose(f);
    ck_assert_str_eq(
        text,
        "{\n  \"big\": 9007199254740993,\n  \"half\": 0.5,\n  \"none\": null,\n  \"yes\": true,\n"
        "  \"dim\": [1, 2],\n  \"empty\": [],\n  \"rows\": [\n    {\"i\": 0, \"deep\": []},\n"
        "    {\"i\": 1, \"deep\": []}\n  ]\n}\n");
    free(text);
}

/* ---- the log ---- */

static void add_launch(vg_log *log, const char *kernel, uint32_t blocks, int num_lines,
                       uint64_t fma) {
    vg_launch_record r = {.kernel = vg_log_intern(log, kernel),
                          .symbol = vg_log_intern(log, kernel),
                          .grid = {blocks, 1, 1},
                          .block = {32, 1, 1},
                          .num_lines = num_lines};
    r.lines = calloc((size_t)num_lines + 1, sizeof *r.lines);
    for (int i = 0; i < num_lines; i++) {
        r.lines[i] = (vg_line_counts){.file = vg_log_intern(log, "k.cu"), .line = i + 1};
        r.lines[i].counts.v[VGC_FMA] = fma;
    }
    r.counts.v[VGC_FMA] = fma * (uint64_t)num_lines;
    vg_log_add(log, &r);
    ck_assert_ptr_null(r.lines);
}

TEST(many_launches_are_added_up) {
    vg_log log = {0};
    for (int i = 0; i < VG_LOG_LAUNCHES + 500; i++)
        add_launch(&log, i % 2 == 0 ? "even" : "odd", 7, 3, 10);
    ck_assert_int_eq(log.num_single, VG_LOG_LAUNCHES);
    ck_assert_int_eq(log.num_records, VG_LOG_LAUNCHES + 2);
    const vg_launch_record *sum = &log.records[VG_LOG_LAUNCHES];
    ck_assert_str_eq(sum->kernel, "even");
    ck_assert_uint_eq(sum->count, 250);
    ck_assert_uint_eq(sum->first, VG_LOG_LAUNCHES);
    ck_assert_int_eq(sum->num_lines, 3);
    ck_assert_uint_eq(sum->lines[2].counts.v[VGC_FMA], 2500);
    ck_assert_uint_eq(log.launches, VG_LOG_LAUNCHES + 500);
    ck_assert_uint_eq(log.totals.v[VGC_FMA], 30u * (VG_LOG_LAUNCHES + 500));
    ck_assert_uint_eq(log.unlisted, 0);
    vg_log_clear(&log);
    ck_assert_int_eq(log.num_records, 0);
    ck_assert_uint_eq(log.launches, 0);
    add_launch(&log, "even", 7, 1, 1);
    ck_assert_int_eq(log.num_single, 1);
    vg_log_free(&log);
}

TEST(many_lines_and_many_shapes_are_bounded) {
    vg_log log = {0};
    for (int i = 0; i < 60; i++)
        add_launch(&log, "long", 7, 1000, 1);
    ck_assert_int_eq(log.num_single, VG_LOG_LINES / 1000);
    ck_assert_int_eq(log.num_records, VG_LOG_LINES / 1000 + 1);
    add_launch(&log, "long", 7, 1, 1); /* once sums have begun, there are no more single launches */
    ck_assert_int_eq(log.num_records, VG_LOG_LINES / 1000 + 1);
    for (uint32_t i = 0; i < VG_LOG_SUMS + 10; i++)
        add_launch(&log, "long", 1000 + i, 1, 1);
    ck_assert_int_eq(log.num_records, VG_LOG_LINES / 1000 + VG_LOG_SUMS);
    ck_assert_uint_eq(log.unlisted, 11);
    ck_assert_uint_eq(log.totals.v[VGC_FMA], 60000 + 1 + VG_LOG_SUMS + 10);
    vg_log_free(&log);
}

TEST(sums_merge_lines_that_differ) {
    vg_log log = {0};
    for (int i = 0; i < VG_LOG_LAUNCHES; i++)
        add_launch(&log, "k", 1, 0, 0);
    add_launch(&log, "k", 1, 2, 5);
    add_launch(&log, "k", 1, 4, 1);
    add_launch(&log, "k", 1, 1, 1);
    const vg_launch_record *sum = &log.records[VG_LOG_LAUNCHES];
    ck_assert_int_eq(sum->num_lines, 4);
    ck_assert_uint_eq(sum->lines[0].counts.v[VGC_FMA], 7);
    ck_assert_uint_eq(sum->lines[1].counts.v[VGC_FMA], 6);
    ck_assert_uint_eq(sum->lines[3].counts.v[VGC_FMA], 1);
    vg_log_free(&log);
}

/* ---- devices ---- */

TEST(occupancy_and_its_limit) {
    static const struct {
        const char *device;
        uint32_t threads;
        uint64_t shared;
        int blocks, warps;
        const char *limit;
    } known[] = {
        {"h200", 1024, 8192, 2, 64, "threads"},       {"h200", 32, 0, 32, 32, "blocks"},
        {"h200", 128, 100000, 2, 8, "shared memory"}, {"t4", 1024, 8192, 1, 32, "threads"},
        {"c1060", 256, 8192, 2, 16, "shared memory"}, {"gt330m", 1024, 0, 0, 0, "threads"},
        {"gt330m", 256, 0, 4, 32, "threads"},         {"c2075", 64, 0, 8, 16, "blocks"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const vg_profile *p = vg_profile_find(known[i].device);
        ck_assert_ptr_nonnull(p);
        const vg_occupancy o = vg_occupancy_of(
            p, (vg_dim3){1000, 1, 1}, (vg_dim3){known[i].threads, 1, 1}, known[i].shared, 0);
        ck_assert_msg(o.blocks_sm == known[i].blocks && o.warps_sm == known[i].warps,
                      "%s, %u threads: %d blocks, %d warps", known[i].device, known[i].threads,
                      o.blocks_sm, o.warps_sm);
        ck_assert_str_eq(o.limit, known[i].limit);
        ck_assert_int_eq(o.fits, known[i].blocks > 0);
    }
}

TEST(the_model_names_what_binds) {
    const vg_profile *p = vg_profile_find("h200");
    ck_assert_double_eq_tol(vg_peak_flops(p) / 1e12, 66.9, 0.1);
    vg_counts c = {{0}};
    c.v[VGC_FMA] = UINT64_C(1) << 40;
    vg_model m = vg_model_of(p, &c, 100000);
    ck_assert_str_eq(m.bound, "arithmetic");
    ck_assert_double_eq_tol(m.seconds, 2.0 * (double)c.v[VGC_FMA] / vg_peak_flops(p), 1e-9);
    c.v[VGC_GLOBAL_LOAD_SECTORS] = UINT64_C(1) << 40;
    m = vg_model_of(p, &c, 100000);
    ck_assert_str_eq(m.bound, "shared and L1 memory");
    const double all = m.seconds;
    m = vg_model_of(p, &c, 66); /* half of the multiprocessors have nothing to do */
    ck_assert_double_eq_tol(m.seconds / all, 2.0, 1e-9);
    m = vg_model_of(p, &c, 0);
    ck_assert_double_eq(m.seconds, 0.0);
}

int main(void) {
    return run_tests((struct suite){.name = "parts of the counters"});
}
