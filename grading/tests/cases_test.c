/* cases_test.c: the labs' rubrics and what is drawn from them. */
#include "common/tests/suite.h"
#include "grading/src/lab/cases.h"
#include "grading/src/lab/rubric.h"

#include "common/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 10000

static struct labs known;
static struct rubric rubrics[16];

static void set_up(void) {
    known = labs_open(".");
    ck_assert_uint_gt(known.count, 0);
    ck_assert_uint_le(known.count, sizeof rubrics / sizeof *rubrics);
    for (size_t i = 0; i < known.count; i++) {
        struct text why = {0};
        char *path = rubric_path(&known.lab[i], ".");
        ck_assert_msg(rubric_load(&rubrics[i], &known.lab[i], path, NULL, &why), "%s",
                      text_get(&why));
        free(path);
        text_free(&why);
    }
}

static void tear_down(void) {
    for (size_t i = 0; i < known.count; i++)
        rubric_free(&rubrics[i]);
    labs_free(&known);
}

static const struct lab_spec *lab_with_cases(const char *name) {
    return &rubrics[labs_find(&known, name) - known.lab].lab;
}

TEST(every_lab_is_worth_100) {
    for (size_t i = 0; i < known.count; i++)
        ck_assert_int_eq(rubric_points(&rubrics[i]), 100);
}

TEST(labs_are_found_by_name_and_number) {
    ck_assert_ptr_eq(labs_find(&known, "lab3"), &known.lab[2]);
    ck_assert_ptr_eq(labs_find(&known, "Lab3"), &known.lab[2]);
    ck_assert_ptr_eq(labs_find(&known, "5"), &known.lab[4]);
    static const char *const third[] = {
        "lab3.cu", "LAB3.CU",   "labs/lab3-tiled-square", "labs/lab3-tiled-square/", "Lab 3",
        "lab-3",   "./lab03//", "/x/lab3-tiled",          "lab3-Tiled-Square",       "old/lab3.cu"};
    for (size_t i = 0; i < sizeof third / sizeof *third; i++)
        ck_assert_msg(labs_find(&known, third[i]) == &known.lab[2], "%s", third[i]);
    static const char *const none[] = {"lab3x",     "lab3.cuh",  "lab3-other", "3.5", "mine.cu",
                                       "lab3-2.cu", "lab3/main", "/",          ".cu", "lab0"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!labs_find(&known, none[i]), "%s", none[i]);
    ck_assert_ptr_null(labs_find(&known, "lab33"));
    ck_assert_ptr_null(labs_find(&known, "lab"));
    ck_assert_ptr_null(labs_find(&known, ""));
}

TEST(case_names_are_unique_and_fit_the_table) {
    for (size_t i = 0; i < known.count; i++) {
        const struct lab_spec *lab = &rubrics[i].lab;
        for (size_t j = 0; j < lab->case_count; j++) {
            const struct case_spec *c = &lab->cases[j];
            ck_assert_ptr_eq(lab_case(lab, c->name), c);
            ck_assert_uint_le(strlen(c->name), 13);
            ck_assert(lab->entries & 1u << c->entry);
            ck_assert_int_ge(c->calls, 1);
            ck_assert_int_le(c->calls, CASE_MAX_CALLS);
            ck_assert_int_gt(c->points, 0);
        }
    }
}

TEST(shapes_stay_in_their_class) {
    for (size_t i = 0; i < known.count; i++) {
        const struct lab_spec *lab = &rubrics[i].lab;
        for (size_t j = 0; j < lab->case_count; j++) {
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                struct case_plan plan;
                case_draw(lab, &lab->cases[j], seed, &plan);
                for (int c = 0; c < plan.calls; c++) {
                    const struct shape s = plan.call[c].shape;
                    /* The third may be a tile larger than its class: it must outgrow the first. */
                    ck_assert_msg((c == 2 || shape_in_class(lab, lab->cases[j].shape, s)) &&
                                      shape_allowed(lab, s),
                                  "%s %s seed %d: %d x %d x %d", lab->name, lab->cases[j].name,
                                  (int)seed, s.m, s.n, s.k);
                }
            }
        }
    }
}

/* Both ends of a range are drawn, and nothing outside; where there is none, the side stays. */
TEST(sides_within_a_range) {
    const struct case_spec spec = {.name = (char[]){"r"},
                                   .entry = ENTRY_DEVICE,
                                   .shape = SHAPE_WITHIN,
                                   .calls = 1,
                                   .size = {1, 30, 500},
                                   .up_to = {1, 33, 503}};
    bool least = false, most = false;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct case_plan p;
        case_draw(lab_with_cases("lab4"), &spec, seed, &p);
        const struct shape s = p.call[0].shape;
        ck_assert_msg(s.m == 1 && s.n >= 30 && s.n <= 33 && s.k >= 500 && s.k <= 503,
                      "%d x %d x %d", s.m, s.n, s.k);
        least |= s.n == 30 && s.k == 503;
        most |= s.n == 33 && s.k == 500;
    }
    ck_assert(least && most);
}

/* Very many rows; or columns, for who has these along y. */
TEST(tall_or_wide) {
    struct lab_spec lab = *lab_with_cases("lab4");
    struct case_plan p;
    lab.block_rows = 32;
    case_draw(&lab, lab_case(&lab, "many-rows"), 3, &p);
    ck_assert_int_gt(p.call[0].shape.m, 65535 * 32);
    lab.tall_across = true;
    case_draw(&lab, lab_case(&lab, "many-rows"), 3, &p);
    ck_assert_int_gt(p.call[0].shape.n, 65535 * 32);
    ck_assert_int_eq(p.call[0].shape.m, 2);
    ck_assert(shape_in_class(&lab, SHAPE_TALL, p.call[0].shape));
}

/* Wherever a file divides a long sum, its parts end within slabs of 8: rounded up or down. */
TEST(long_sums_have_no_parts_of_whole_slabs) {
    const struct lab_spec *lab = lab_with_cases("lab6");
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct case_plan p;
        case_draw(lab, lab_case(lab, "long-k"), seed, &p);
        const int k = p.call[0].shape.k;
        for (int parts = 2; parts <= 16; parts++)
            ck_assert_msg(k / parts % 8 != 0 && (k + parts - 1) / parts % 8 != 0,
                          "k = %d in %d parts", k, parts);
    }
}

TEST(a_seed_repeats_and_seeds_differ) {
    const struct lab_spec *lab = lab_with_cases("lab4");
    const struct case_spec *spec = lab_case(lab, "ragged");
    struct case_plan one, again, other;
    memset(&one, 0, sizeof one);
    memset(&again, 0, sizeof again);
    case_draw(lab, spec, 7, &one);
    case_draw(lab, spec, 7, &again);
    case_draw(lab, spec, 8, &other);
    ck_assert_int_eq(one.call[0].shape.m, again.call[0].shape.m);
    ck_assert(one.call[0].seed == again.call[0].seed);
    ck_assert(one.call[0].seed != other.call[0].seed);
}

TEST(repeated_calls_differ_in_what_they_should) {
    const struct lab_spec *lab = lab_with_cases("lab4");
    struct case_plan p;
    case_draw(lab, lab_case(lab, "repeat"), 7, &p);
    ck_assert_int_eq(p.calls, 12);
    ck_assert_int_eq(p.call[0].shape.m, p.call[1].shape.m);
    ck_assert_int_eq(p.call[0].shape.k, p.call[3].shape.k);
    ck_assert_uint_eq(p.call[1].flags, CALL_KEEP_BUFFERS);
    ck_assert_uint_eq(p.call[2].flags, 0);
    for (int i = 1; i < 12; i++)
        ck_assert(p.call[i].seed != p.call[0].seed);
    for (int i = 7; i < 12; i += 2) {
        ck_assert_int_eq(p.call[i].shape.m, p.call[0].shape.m);
        ck_assert_int_ne(p.call[i - 1].shape.m, p.call[0].shape.m);
    }
}

/* The sixth call is the fifth once more, but for one element of A and one of B. */
TEST(one_call_is_nearly_the_one_before) {
    const struct lab_spec *lab = lab_with_cases("lab4");
    struct case_plan p;
    struct call_data before, after;
    case_draw(lab, lab_case(lab, "repeat"), 7, &p);
    ck_assert_uint_eq(p.call[5].flags, CALL_KEEP_BUFFERS);
    ck_assert_mem_eq(&p.call[4].shape, &p.call[5].shape, sizeof p.call[4].shape);
    call_data_make(&before, &p.call[4], (struct guard_bands){0});
    call_data_make(&after, &p.call[5], (struct guard_bands){0});
    for (int which = MATRIX_A; which <= MATRIX_B; which++) {
        const float *a = call_data_rows(&before, which), *b = call_data_rows(&after, which);
        size_t differ = 0;
        for (size_t i = 0; i < call_count(&p.call[4], which); i++)
            differ += a[i] != b[i];
        ck_assert_uint_eq(differ, 1);
    }
    call_data_free(&before);
    call_data_free(&after);
}

/* One call for none, one for all three matrices, 4 bytes on, then one for each alone, 8 bytes on;
 * nobody keeps an address. */
TEST(each_matrix_is_unaligned_alone) {
    const struct lab_spec *lab = lab_with_cases("lab7");
    struct case_plan p;
    case_draw(lab, lab_case(lab, "unaligned"), 7, &p);
    ck_assert_int_eq(p.calls, 5);
    for (int i = 0; i < p.calls; i++) {
        struct call_data d;
        call_data_make(&d, &p.call[i], (struct guard_bands){.before = 64});
        for (int which = 0; which < MATRIX_COUNT; which++)
            ck_assert_uint_eq(d.region[which].offset % 16, i == 1 ? 4 : which == i - 2 ? 8 : 0);
        ck_assert_uint_eq(p.call[i].flags, 0);
        call_data_free(&d);
    }
}

/* Every value an input of this kind may have, and the exactness it promises. */
static void check_contents(enum input_kind kind, struct shape s) {
    const struct call_plan plan = {.shape = s, .input = kind, .seed = 3};
    struct call_data d;
    call_data_make(&d, &plan, (struct guard_bands){0});
    const float *a = call_data_matrix(&d, MATRIX_A), *b = call_data_matrix(&d, MATRIX_B);
    for (int i = 0; i < s.m; i++) {
        for (int j = 0; j < s.n; j++) {
            double sum = 0;
            for (int p = 0; p < s.k; p++)
                sum += fabs((double)a[i * s.k + p] * (double)b[p * s.n + j]);
            if (input_is_exact(kind))
                ck_assert(sum <= 16777216.0 && sum == floor(sum));
            else if (kind == INPUT_POSITIVE) /* the first terms are larger: begin_with_much */
                ck_assert(sum <= s.k + 8 * 4096.0);
            else
                ck_assert(sum <= s.k);
        }
    }
    call_data_free(&d);
}

/* Whatever the first call's sizes: memory kept from it is too little for the third. */
TEST(the_third_call_needs_more_memory) {
    for (size_t l = 0; l < known.count; l++) {
        const struct lab_spec *lab = &rubrics[l].lab;
        for (uint64_t seed = 1; seed <= 300; seed++) {
            struct case_plan p;
            case_draw(lab, lab_case(lab, "repeat"), seed, &p);
            const struct shape a = p.call[0].shape, b = p.call[2].shape;
            ck_assert_int_gt(b.m * b.k, a.m * a.k);
            ck_assert_int_gt(b.k * b.n, a.k * a.n);
            ck_assert_int_gt(b.m * b.n, a.m * a.n);
        }
    }
}

TEST(integers_are_exact_in_float32) {
    check_contents(INPUT_SMALL, (struct shape){5, 6, 300});
    check_contents(INPUT_WIDE, (struct shape){5, 6, 300});
    check_contents(INPUT_REAL, (struct shape){5, 6, 300});
    check_contents(INPUT_POSITIVE, (struct shape){5, 6, 300});
}

/* A product of zeros is had by programs that multiply nothing. */
TEST(no_matrix_of_integers_is_zero) {
    static const struct {
        enum input_kind input;
        struct shape shape;
    } few[] = {{INPUT_SMALL, {1, 1, 1}}, {INPUT_WIDE, {1, 1, 1}}, {INPUT_WIDE, {200, 2, 2}}};
    for (uint64_t seed = 1; seed <= 300; seed++)
        for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
            const struct call_plan plan = {
                .shape = few[i].shape, .input = few[i].input, .seed = seed};
            struct call_data d;
            call_data_make(&d, &plan, (struct guard_bands){0});
            const float *a = call_data_matrix(&d, MATRIX_A), *b = call_data_matrix(&d, MATRIX_B);
            bool zero_a = true, zero_b = true;
            for (int p = 0; p < plan.shape.m * plan.shape.k; p++)
                zero_a = zero_a && a[p] == 0;
            for (int p = 0; p < plan.shape.k * plan.shape.n; p++)
                zero_b = zero_b && b[p] == 0;
            ck_assert_msg(!zero_a && !zero_b, "seed %d", (int)seed);
            call_data_free(&d);
        }
}

TEST(regions_hold_guards_and_stay_aligned) {
    const struct call_plan plan = {.shape = {3, 5, 7}, .input = INPUT_SMALL, .seed = 3};
    struct call_data d;
    call_data_make(&d, &plan, (struct guard_bands){.before = 128, .after = 64, .pad = true});
    for (int i = 0; i < MATRIX_COUNT; i++) {
        const struct region r = d.region[i];
        ck_assert_uint_eq(r.offset, 128);
        ck_assert_uint_eq(r.bytes % 64, 0);
        for (uint64_t b = 0; b < r.offset; b++)
            ck_assert_uint_eq(d.bytes[i][b], guard_byte(b));
        ck_assert_uint_eq(d.bytes[i][r.bytes - 1], guard_byte(r.bytes - 1));
    }
    ck_assert(isnan(call_data_matrix(&d, MATRIX_C)[0]));
    call_data_free(&d);
}

/* The numbers of a matrix do not depend on how it lies, and only what is transposed moves. */
TEST_EACH(matrices_lie_as_the_lab_has_them, 4) {
    const struct layout layout = {.a_transposed = _i & 1, .b_transposed = _i & 2};
    struct call_plan plan = {.shape = {3, 5, 7}, .input = INPUT_WIDE, .seed = 3};
    struct call_data plain, d;
    call_data_make(&plain, &plan, (struct guard_bands){0});
    plan.layout = layout;
    call_data_make(&d, &plan, (struct guard_bands){.before = 64, .after = 64});
    const float *a = call_data_matrix(&plain, MATRIX_A), *b = call_data_matrix(&plain, MATRIX_B);
    const float *a_lies = call_data_matrix(&d, MATRIX_A), *b_lies = call_data_matrix(&d, MATRIX_B);
    for (int i = 0; i < 3; i++)
        for (int p = 0; p < 7; p++) {
            ck_assert(call_data_rows(&d, MATRIX_A)[i * 7 + p] == a[i * 7 + p]);
            ck_assert(a_lies[layout.a_transposed ? p * 3 + i : i * 7 + p] == a[i * 7 + p]);
        }
    for (int p = 0; p < 7; p++)
        for (int j = 0; j < 5; j++) {
            ck_assert(call_data_rows(&d, MATRIX_B)[p * 5 + j] == b[p * 5 + j]);
            ck_assert(b_lies[layout.b_transposed ? j * 7 + p : p * 5 + j] == b[p * 5 + j]);
        }
    call_data_rows(&d, MATRIX_A)[1] = 77; /* row 0, column 1 */
    call_data_store(&d);
    ck_assert(a_lies[layout.a_transposed ? 3 : 1] == 77);
    ck_assert_uint_eq(d.bytes[MATRIX_A][63], guard_byte(63));
    call_data_free(&plain);
    call_data_free(&d);
}

/* With padding, rows lie apart: A and B have no numbers between them, and C what tells a write. */
TEST(padded_matrices_lie_apart) {
    struct call_plan plan = {.shape = {3, 5, 7}, .input = INPUT_WIDE, .seed = 3};
    struct call_data plain, d;
    call_data_make(&plain, &plan, (struct guard_bands){0});
    plan.layout.padding = 8;
    call_data_make(&d, &plan, (struct guard_bands){.before = 64, .after = 64});
    ck_assert_uint_eq(call_count(&plan, MATRIX_A), 3 * 15);
    for (int which = 0; which < MATRIX_COUNT; which++) {
        const enum matrix_name m = (enum matrix_name)which;
        const int rows = call_rows(&plan, m), cols = call_cols(&plan, m);
        const float *lies = call_data_matrix(&d, m), *of = call_data_matrix(&plain, m);
        for (int i = 0; i < rows; i++) {
            ck_assert_mem_eq(lies + i * (cols + 8), of + i * cols, (size_t)cols * sizeof *of);
            ck_assert_mem_eq(call_data_rows(&d, m) + i * cols, of + i * cols,
                             (size_t)cols * sizeof *of);
            for (int j = cols; j < cols + 8 && m != MATRIX_C; j++)
                ck_assert(isnan(lies[i * (cols + 8) + j]));
        }
    }
    float c[15];
    call_data_take(&d, d.bytes[MATRIX_C], c);
    ck_assert_mem_eq(c, call_data_rows(&plain, MATRIX_C), sizeof c);
    const uint64_t behind = d.region[MATRIX_C].offset + 5 * sizeof(float);
    ck_assert_uint_eq(d.bytes[MATRIX_C][behind], guard_byte(behind));
    call_data_free(&plain);
    call_data_free(&d);
}

/* C before the call counts: it holds numbers that leave products exact, others each time. */
TEST_EACH(what_c_holds_is_known_where_it_counts, 2) {
    const struct lab_product scaled = {PRODUCT_SCALED, 2, -1};
    struct call_plan plan = {.shape = {6, 5, 7}, .product = scaled, .seed = 3};
    plan.input = _i ? INPUT_REAL : INPUT_WIDE;
    struct call_data first, second;
    call_data_make(&first, &plan, (struct guard_bands){0});
    plan.seed = 4;
    call_data_make(&second, &plan, (struct guard_bands){0});
    const float *c = call_data_rows(&first, MATRIX_C), *other = call_data_rows(&second, MATRIX_C);
    int same = 0;
    for (int i = 0; i < 30; i++) {
        ck_assert(c[i] != 0 && fabsf(c[i]) <= (_i ? 1 : PRODUCT_MOST_BEFORE));
        ck_assert(_i || c[i] == roundf(c[i]));
        same += c[i] == other[i];
    }
    ck_assert_int_lt(same, 15);
    call_data_free(&first);
    call_data_free(&second);
}

/* A least sum that is nearly always the same would hide mistakes. */
TEST(least_sums_differ) {
    struct call_plan plan = {.shape = {8, 8, 100}, .product = {.kind = PRODUCT_MIN_PLUS}};
    for (int wide = 0; wide < 2; wide++) {
        struct call_data d;
        double c[64];
        int same = 0, positive = 0;
        plan.input = wide ? INPUT_WIDE : INPUT_SMALL;
        call_data_make(&d, &plan, (struct guard_bands){0});
        lab_product_reference(&plan.product, 8, 8, 100, call_data_rows(&d, MATRIX_A),
                              call_data_rows(&d, MATRIX_B), NULL, c, REFERENCE_OWN, 1);
        for (int i = 0; i < 64; i++) {
            positive += c[i] > 0;
            for (int j = 0; j < i; j++)
                same += c[i] == c[j];
        }
        ck_assert_int_lt(same, 64);
        ck_assert_int_eq(positive, wide ? 0 : 64);
        call_data_free(&d);
    }
}

int main(void) {
    return run_tests((struct suite){
        .name = "grading/cases", .seconds = 120, .set_up = set_up, .tear_down = tear_down});
}
