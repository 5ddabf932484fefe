/* parts_test.c: what the checkers are made of: the setting, the list of findings, line tables,
 * reads that are put off, what a block did in short. */
#include "common/tests/suite.h"
#include "vgpu/src/check/caller.h"
#include "vgpu/src/check/race_summary.h"
#include "vgpu/tests/check/fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- VGPU_CHECK ---- */

TEST(settings) {
    static const struct {
        const char *text;
        bool good;
        unsigned which;
        const char *bad;
    } cases[] = {
        {NULL, true, VG_CHECK_ALL, ""},
        {"", true, VG_CHECK_ALL, ""},
        {"all", true, VG_CHECK_ALL, ""},
        {"none", true, 0, ""},
        {"race", true, VG_CHECK_RACE, ""},
        {"race,init", true, VG_CHECK_RACE | VG_CHECK_INIT, ""},
        {"mem,sync,", true, VG_CHECK_MEM | VG_CHECK_SYNC, ""},
        {"none,mem", true, VG_CHECK_MEM, ""},
        {"races", false, VG_CHECK_ALL, "races"},
        {"rac", false, VG_CHECK_ALL, "rac"},
        {"race,,init", false, VG_CHECK_ALL, ""},
        {"init,RACE", false, VG_CHECK_ALL, "RACE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned which = 99;
        char bad[32] = "";
        ck_assert_msg(vg_check_parse(cases[i].text, &which, bad, sizeof bad) == cases[i].good,
                      "case %zu", i);
        ck_assert_uint_eq(which, cases[i].which);
        ck_assert_str_eq(bad, cases[i].bad);
    }
}

/* ---- findings ---- */

static char heard[4096];

static void hear(void *arg, const struct vgpu_fact *fact, const char *words) {
    (void)arg, (void)fact;
    snprintf(heard + strlen(heard), sizeof heard - strlen(heard), "%s;", words);
}

static vg_finding finding(enum vgpu_found kind, const char *object, int line,
                          enum vg_severity severity) {
    vg_finding f = {.kind = kind, .severity = severity, .count = 1, .num_sites = 1};
    snprintf(f.kernel, sizeof f.kernel, "k");
    snprintf(f.object, sizeof f.object, "%s", object);
    snprintf(f.site[0].file, sizeof f.site[0].file, "a.cu");
    f.site[0].line = line;
    snprintf(f.message, sizeof f.message, "%s %s %d", vgpu_found_name(kind), object, line);
    return f;
}

TEST(findings_merge_and_sort) {
    vg_findings *list = vg_findings_create();
    const vg_finding first[] = {
        finding(VGPU_FOUND_RACE, "x", 9, VG_WARNING), finding(VGPU_FOUND_RACE, "x", 7, VG_ERROR),
        finding(VGPU_FOUND_RACE, "a", 7, VG_ERROR), finding(VGPU_FOUND_RACE, "x", 9, VG_WARNING)};
    heard[0] = '\0';
    for (int i = 0; i < 4; i++)
        vg_findings_add(list, &first[i]);
    ck_assert_int_eq(vg_findings_count(list), 0); /* not published yet */
    vg_findings_publish(list, 10, hear, NULL);
    ck_assert_str_eq(heard, "race a 7;race x 7;race x 9;");
    ck_assert_int_eq(vg_findings_count(list), 3);
    ck_assert_uint_eq(vg_findings_get(list, 2)->count, 2);
    /* the next launch: what is known is counted, and a worse case of it noted */
    vg_finding again = finding(VGPU_FOUND_RACE, "x", 9, VG_ERROR);
    vg_findings_add(list, &again);
    again = finding(VGPU_FOUND_LEAK, "b", 0, VG_WARNING);
    vg_findings_add(list, &again);
    vg_findings_publish(list, 10, hear, NULL);
    ck_assert_str_eq(heard, "race a 7;race x 7;race x 9;leak b 0;");
    ck_assert_int_eq(vg_findings_get(list, 2)->severity, VG_ERROR);
    vg_findings_destroy(list);
}

TEST(findings_are_bounded) {
    vg_findings *list = vg_findings_create();
    heard[0] = '\0';
    for (int i = 1; i <= 5000; i++) {
        const vg_finding f = finding(VGPU_FOUND_RACE, "x", i, VG_ERROR);
        vg_findings_add(list, &f);
    }
    vg_findings_publish(list, 2, hear, NULL);
    ck_assert_str_eq(heard,
                     "race x 1;race x 2;there are more findings; only the first 2 are shown;");
    ck_assert_int_le(vg_findings_count(list), 1000);
    vg_findings_destroy(list);
}

TEST(said_findings_stay_silent) {
    vg_findings *list = vg_findings_create();
    vg_finding f = finding(VGPU_FOUND_MEMORY, "x", 1, VG_ERROR);
    heard[0] = '\0';
    f.said = true;
    vg_findings_add(list, &f);
    vg_findings_publish(list, 10, hear, NULL);
    ck_assert_str_eq(heard, "");
    ck_assert_int_eq(vg_findings_count(list), 1);
    vg_findings_destroy(list);
}

/* ---- the same launch with other values ---- */

/* Two blocks write one word each way; values come from the register that the store names. */
static const char *cross_block_write(uint32_t first, uint32_t second) {
    static fake f;
    static uint8_t registers[256];
    static char said[2048];
    fake_begin(&f, VG_CHECK_RACE, 32, 2, false);
    const uint64_t at[VG_LANES] = {vg_mem_alloc(f.mem, 64, 256, VG_MEM_DEVICE, NULL)};
    fake_store_words(&f, 3);
    fake_launch(&f);
    for (uint32_t b = 0; b < 2; b++) {
        const uint32_t value = b == 0 ? first : second;
        fake_block(&f, (int)b, b);
        f.warps[b][0].regs = registers;
        memcpy(registers, &value, sizeof value);
        fake_access(&f, (int)b, 0, 3, VG_WRITE, PS_GLOBAL, 1, 4, at);
        fake_end_block(&f, (int)b);
    }
    fake_end_launch(&f);
    snprintf(said, sizeof said, "%s", f.said != NULL ? f.said : "");
    fake_end(&f);
    return said;
}

TEST(same_values_are_warnings) {
    ck_assert_ptr_nonnull(strstr(cross_block_write(7, 7), "warning: race"));
    ck_assert_ptr_null(strstr(cross_block_write(7, 8), "warning"));
    ck_assert_ptr_nonnull(strstr(cross_block_write(7, 8), "race in kernel fake"));
}

/* ---- line tables ---- */

__attribute__((noinline)) static bool own_line(char *file, size_t len, int *line) {
    return vg_caller_line(__builtin_return_address(0), file, len, line);
}

TEST(finds_its_own_lines) {
    char file[256];
    int line = 0;
    const bool found = own_line(file, sizeof file, &line);
    const int expected = __LINE__ - 1;
    if (found) { /* not when built without -g */
        ck_assert_int_eq(line, expected);
        ck_assert_ptr_nonnull(strstr(file, "parts_test.c"));
    }
    ck_assert(!vg_caller_line(NULL, file, sizeof file, &line));
    ck_assert(!vg_caller_line((void *)1, file, sizeof file, &line));
}

/* A table of version 4 by hand: one file, rows at 0x1000 (line 5) and 0x1010 (line 8),
 * end at 0x1020. */
static const uint8_t table4[] = {0x37,
                                 0,
                                 0,
                                 0,
                                 4,
                                 0,
                                 0x19,
                                 0,
                                 0,
                                 0,
                                 1,
                                 1,
                                 1,
                                 0xFB,
                                 14,
                                 13,
                                 0,
                                 1,
                                 1,
                                 1,
                                 1,
                                 0,
                                 0,
                                 0,
                                 1,
                                 0,
                                 0,
                                 1,
                                 /* no folders */ 0,
                                 /* file 1 */ 'a',
                                 0,
                                 0,
                                 0,
                                 0,
                                 /* no more */ 0,
                                 /* set address */ 0,
                                 9,
                                 2,
                                 0,
                                 0x10,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 /* line += 4, copy */ 3,
                                 4,
                                 1,
                                 /* pc += 16, line += 3: special opcode is too small for it */ 2,
                                 16,
                                 3,
                                 3,
                                 1,
                                 /* pc += 16, end */ 2,
                                 16,
                                 0,
                                 1,
                                 1};

TEST(reads_a_table) {
    const vg_line_table t = {.lines = table4, .size = sizeof table4};
    char file[64];
    int line = 0;
    ck_assert(vg_line_find(&t, 0x1000, file, sizeof file, &line));
    ck_assert_int_eq(line, 5);
    ck_assert_str_eq(file, "a");
    ck_assert(vg_line_find(&t, 0x100F, file, sizeof file, &line));
    ck_assert_int_eq(line, 5);
    ck_assert(vg_line_find(&t, 0x1010, file, sizeof file, &line));
    ck_assert_int_eq(line, 8);
    ck_assert(!vg_line_find(&t, 0x0FFF, file, sizeof file, &line));
    ck_assert(!vg_line_find(&t, 0x1020, file, sizeof file, &line));
}

/* Whatever is in the file, nothing outside it is read: the sanitizers watch. */
TEST(survives_damage) {
    uint64_t seed = 1;
    for (int round = 0; round < 200000; round++) {
        uint8_t *copy = malloc(sizeof table4);
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, table4, sizeof table4);
        size_t size = sizeof table4;
        for (int k = 0; k < 1 + round % 4; k++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            copy[(seed >> 33) % sizeof table4] = (uint8_t)(seed >> 20);
        }
        if (round % 3 == 0)
            size = (seed >> 40) % sizeof table4;
        uint8_t *cut = malloc(size + 1);
        ck_assert_ptr_nonnull(cut);
        memcpy(cut, copy, size);
        const vg_line_table t = {.lines = cut, .size = size, .strings = cut, .strings_size = size};
        char file[32];
        int line = 0;
        vg_line_find(&t, 0x1010, file, sizeof file, &line);
        free(cut);
        free(copy);
    }
}

/* ---- reads that are put off ---- */

enum { STORE = 1, LOAD = 2, LOAD_TOO = 3, ROW = 64, OTHER_ROW = 256 };

static void row(fake *f, int warp, int op, uint32_t lanes, uint64_t first) {
    uint64_t at[VG_LANES];
    for (uint64_t i = 0; i < VG_LANES; i++)
        at[i] = first + 4 * i;
    fake_access(f, 0, warp, op, op == STORE ? VG_WRITE : VG_READ, PS_SHARED, lanes, 4, at);
}

static uint8_t values[2][VG_ROW32];

static void happens(fake *f, char event) {
    switch (event) {
    case 's': row(f, 0, STORE, VG_ALL_LANES, ROW); break;
    case 'S': row(f, 1, STORE, VG_ALL_LANES, ROW); break;
    case 'O': row(f, 0, STORE, VG_ALL_LANES, OTHER_ROW); break;
    case 'l': row(f, 1, LOAD, VG_ALL_LANES, ROW); break;
    case 'k': row(f, 1, LOAD_TOO, VG_ALL_LANES, ROW); break;
    case 'p': row(f, 1, LOAD, 0xFFFF, ROW); break;
    case 'P': row(f, 1, LOAD, 0xFFFF, OTHER_ROW); break;
    case 'v': memset(values[0], 2, sizeof values[0]); break;
    default: fake_barrier(f, 0, 0, NULL, true);
    }
}

static uint64_t stores_put_off;
static enum vg_severity how_bad;

/* What is found when warp 1 has a permit for its loads, and then this happens, letter by letter:
 * s, O: warp 0 stores a row, or another one; S: warp 1 stores it; l, k: warp 1 loads it, in one
 * line or another; p, P: half of warp 1 loads it, or the other row; v: warp 0 has other values to
 * store from now on, those of warp 1; b: a barrier. */
static int found_in(const char *events) {
    static fake f;
    memset(values[0], 1, sizeof values[0]);
    memset(values[1], 2, sizeof values[1]);
    fake_begin(&f, VG_CHECK_RACE, 64, 1, false);
    fake_store_words(&f, STORE);
    fake_declare(&f, LOAD, VG_READ, 4);
    fake_declare(&f, LOAD_TOO, VG_READ, 4);
    fake_launch(&f);
    fake_block(&f, 0, 0);
    for (int i = 0; i < 2; i++)
        f.warps[0][i].regs = values[i];
    row(&f, 1, LOAD, VG_ALL_LANES, OTHER_ROW);
    for (; *events != '\0'; events++)
        happens(&f, *events);
    fake_end_block(&f, 0);
    fake_end_launch(&f);
    ck_assert_msg(f.noted + f.noted_stores > 0, "nothing was put off");
    stores_put_off = f.noted_stores;
    const vg_findings *findings = vg_check_findings(f.check);
    const int found = vg_findings_count(findings);
    if (found > 0)
        how_bad = vg_findings_get(findings, 0)->severity;
    fake_end(&f);
    return found;
}

TEST(reads_that_are_put_off) {
    ck_assert_int_eq(found_in("l"), 0);
    ck_assert_int_eq(found_in("lbs"), 0);
    ck_assert_int_eq(found_in("sbl"), 0);
    ck_assert_int_eq(found_in("sblbs"), 0);
    ck_assert_int_eq(found_in("ls"), 1);
    ck_assert_int_eq(found_in("sl"), 1);
    ck_assert_int_eq(found_in("slb"), 1);
    ck_assert_int_eq(found_in("bslb"), 1);
    ck_assert_int_eq(found_in("sbls"), 1);
    ck_assert_int_eq(found_in("lllllllllllls"), 1); /* more than have room */
    ck_assert_int_eq(found_in("lllllllllllb"), 0);
}

/* The first store is told; the others, after the first barrier, are noted. */
TEST(stores_that_are_put_off) {
    ck_assert_int_eq(found_in("sbs"), 0);
    ck_assert_uint_eq(stores_put_off, 1);
    ck_assert_int_eq(found_in("sbsbsbsb"), 0);
    ck_assert_uint_eq(stores_put_off, 3);
    ck_assert_int_eq(found_in("sbOl"), 0);
    ck_assert_int_eq(found_in("sblO"), 0);
    ck_assert_int_eq(found_in("sbsl"), 1);
    ck_assert_int_eq(found_in("sbls"), 1);
    ck_assert_int_eq(found_in("sbslb"), 1);
    ck_assert_int_eq(found_in("sbsS"), 1);
    ck_assert_int_eq(found_in("sbSsb"), 1);
    ck_assert_int_eq(found_in("sbss"), 0); /* by the same threads */
    ck_assert_int_eq(found_in("sbssl"), 1);
    ck_assert_int_eq(found_in("sbssssssssssSb"), 1); /* more than have room */
    ck_assert_int_eq(found_in("sblllOlb"), 0);
    ck_assert_int_eq(found_in("sblllOlbs"), 0);
    ck_assert_int_eq(found_in("sbOOOlsb"), 1);
    ck_assert_int_eq(found_in("sbksb"), 1); /* a read that is put down, and not noted */
    ck_assert_int_eq(found_in("sbskb"), 1);
    ck_assert_int_eq(found_in("sbpsb"), 1);
    ck_assert_int_eq(found_in("sbPsb"), 0);
}

/* More lanes' places than there is room for: the last read is judged at once. */
TEST(stores_after_many_reads) {
    char events[2200] = "sb";
    memset(events + 2, 'P', 2100);
    memcpy(events + 2 + 2100, "psb", 4);
    ck_assert_int_eq(found_in(events), 1);
}

/* Two stores race; whether of equal values is told by what each stored. */
TEST(values_of_stores_that_are_put_off) {
    ck_assert_int_eq(found_in("sbsSvb"), 1);
    ck_assert_int_eq(how_bad, VG_ERROR);
    ck_assert_int_eq(found_in("sbvsSb"), 1);
    ck_assert_int_eq(how_bad, VG_WARNING);
}

/* ---- a block's share in short ---- */

/* Words that thread 40 and others have touched, each `1 << shift` of them; the second half by
 * another instruction if `turn`. */
static void touch_in_order(uint32_t who[16], uint32_t step, uint32_t shift, bool turn) {
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t op = turn && k >= 8 ? 8 : 7, i = turn ? k % 8 : k;
        who[k] = (op << WHO_OP_SHIFT | RACE_READ << WHO_CLASS_SHIFT | 40) + step * (i >> shift);
    }
}

static bool fits(const granule *g) {
    whole w;
    return race_merge_best()->whole(g, 5, &w);
}

TEST(what_fits_into_a_whole_comes_back) {
    static const uint32_t steps[] = {1, 32, 0, (uint32_t)-1, 17};
    uint8_t values[VG_GRANULE];
    for (uint32_t i = 0; i < 4 * 5 * 2 * 3; i++) {
        granule g = {0}, back;
        whole w;
        if (i % 3 != 1)
            touch_in_order(g.r1, steps[i / 3 % 5], i / 15 % 4, i >= 60);
        if (i % 3 != 2)
            touch_in_order(g.w, steps[i / 15 % 4], i / 3 % 4, i % 2);
        ck_assert_msg(race_merge_best()->whole(&g, 5 + i, &w), "%u", i);
        ck_assert_uint_eq(w.block, 5 + i);
        whole_unfold(&w, values, &back);
        ck_assert(memcmp(back.r1, g.r1, sizeof g.r1) == 0 && memcmp(back.w, g.w, sizeof g.w) == 0);
        ck_assert_ptr_eq(back.image, i % 3 == 2 ? NULL : values);
    }
}

TEST(what_does_not_fit_is_left) {
    for (uint32_t k = 0; k < 16; k++) {
        granule g = {0};
        touch_in_order(g.r1, 1, k % 3, k % 2);
        ck_assert(fits(&g));
        if (k % 8 != 0) { /* which begin a half */
            g.r1[k] += 100;
            ck_assert(!fits(&g));
        }
        g.r1[k] = 0;
        ck_assert(!fits(&g));
        g = (granule){0};
        touch_in_order(g.w, 32, k % 3, k % 2);
        ck_assert(fits(&g));
        g.w[k] = k % 2 == 0 ? 0 : WHO_LISTED;
        ck_assert(!fits(&g));
        g = (granule){0};
        g.w[k] = 9u << WHO_OP_SHIFT;
        ck_assert(!fits(&g));
        touch_in_order(g.r1, 40000, 0, false); /* another instruction each */
        ck_assert(!fits(&g));
    }
}

int main(void) {
    return run_tests((struct suite){.name = "checkers' parts", .seconds = 120});
}
