/* said_test.c: what is made of the virtual GPU's messages about copies and cuBLAS: which end, how
 * many bytes, which call, which pointer. The messages are put together here, as facts. */
#include "common/tests/suite.h"
#include "grading/src/diagnose/diagnose.h"

#include <stdlib.h>
#include <string.h>

static struct case_spec spec;
static struct case_result cases[2];
static struct fact_body told[2];
static struct finding_body found;
static struct lab_spec lab;
static struct grade_context g;
static struct inquiry q;
static struct diagnosis d;

static void begin(void) {
    memset(cases, 0, sizeof cases);
    memset(told, 0, sizeof told);
    spec = (struct case_spec){.entry = ENTRY_HOST};
    lab = (struct lab_spec){.cublas = false};
    g = (struct grade_context){.results = cases, .result_count = 1, .lab = &lab};
    for (int i = 0; i < 2; i++) {
        cases[i].spec = &spec;
        cases[i].verdict = VERDICT_CUDA_ERROR;
        cases[i].seen.calls = 1;
        cases[i].plan.call[0].shape = (struct shape){10, 20, 30};
        cases[i].evidence.plan.shape = cases[i].plan.call[0].shape;
        cases[i].evidence.call = 1;
    }
    q = (struct inquiry){.g = &g,
                         .session.backend = &g.backend,
                         .entry = ENTRY_HOST,
                         .first = &cases[0],
                         .verdict = VERDICT_CUDA_ERROR,
                         .evidence = &cases[0].evidence};
    d = (struct diagnosis){0};
}

static void end(void) {
    diagnosis_free(&d);
}

static void says(struct vgpu_fact f) {
    told[0].fact = f;
    cases[0].evidence.facts.at = told;
    cases[0].evidence.facts.count = 1;
}

static void ck_says(bool holds, const char *class, const char *part) {
    ck_assert(holds);
    ck_assert_str_eq(d.class, class);
    ck_assert_msg(strstr(text_get(&d.sentence), part) != NULL, "%s", text_get(&d.sentence));
}

static void copy_from_host(enum vgpu_direction direction, enum vgpu_end wrong, uint64_t launches) {
    says((struct vgpu_fact){.says = VGPU_COPY_FROM_HOST, .direction = direction, .end = wrong});
    cases[0].seen.work[0].of[WORK_LAUNCHES] = launches;
}

TEST(the_copy_back_with_its_ends_exchanged) {
    copy_from_host(VGPU_DEVICE_TO_HOST, VGPU_SOURCE, 1);
    ck_says(rule_device_said(&q, &d), "copy-direction", "cudaMemcpy(C, dC, bytes");
}

TEST(a_copy_in_with_its_ends_exchanged) {
    copy_from_host(VGPU_HOST_TO_DEVICE, VGPU_DESTINATION, 0);
    ck_says(rule_device_said(&q, &d), "copy-direction", "cudaMemcpy(dA, A, bytes");
}

/* Before the launch the ends are right, and the word is not. */
TEST(the_wrong_word_for_the_direction) {
    copy_from_host(VGPU_DEVICE_TO_HOST, VGPU_SOURCE, 0);
    ck_says(rule_device_said(&q, &d), "copy-direction", "does not fit its pointers");
}

static void too_large(uint64_t size, uint64_t room) {
    says(
        (struct vgpu_fact){.says = VGPU_COPY_TOO_LARGE, .size = size, .room = room, .limit = room});
}

TEST(buffers_of_an_earlier_call) {
    too_large(4 * 10 * 30, 400);
    cases[0].evidence.call = 3;
    ck_says(rule_device_said(&q, &d), "copy-out-of-bounds", "allocated in an earlier call");
}

TEST(a_buffer_of_elements) {
    too_large(4 * 10 * 30, 10 * 30);
    ck_says(rule_device_said(&q, &d), "bytes-missing", "cudaMalloc counts bytes too");
}

TEST(bytes_multiplied_twice) {
    too_large(16 * 10 * 30, 4 * 10 * 30);
    ck_says(rule_device_said(&q, &d), "copy-out-of-bounds", "sizeof(float), once");
}

TEST(a_buffer_of_another_matrix) {
    too_large(4 * 20 * 30, 4 * 10 * 30);
    ck_says(rule_device_said(&q, &d), "copy-out-of-bounds", "A has 1200 bytes, B 2400 and C 800");
}

TEST(a_copy_of_a_pointer) {
    too_large(sizeof(float *), 4);
    ck_says(rule_device_said(&q, &d), "bytes-missing", "the size of a pointer");
}

/* With one element a pointer has as many bytes as a double; with more it has fewer. */
TEST(a_copy_of_doubles) {
    struct fact_body larger = {.fact = {.says = VGPU_COPY_TOO_LARGE, .size = 8 * 10 * 30}};
    too_large(8, 4);
    cases[0].plan.call[0].shape = cases[0].evidence.plan.shape = (struct shape){1, 1, 1};
    g.result_count = 2;
    cases[1].evidence.facts = (struct facts){.at = &larger, .count = 1};
    ck_says(rule_device_said(&q, &d), "copy-out-of-bounds", "sizeof(float) is 4");
}

TEST(a_copy_of_something_else) {
    too_large(3000, 4 * 10 * 30);
    ck_says(rule_device_said(&q, &d), "copy-out-of-bounds", "asks for 3000 bytes");
}

static bool copied(uint64_t bytes) {
    cases[0].seen.findings = 1;
    cases[0].seen.finding = &found;
    found = (struct finding_body){.kind = VGPU_FOUND_UNINITIALIZED, .error = 1, .object = "buffer"};
    found.fact.memory = VGPU_MEMORY_ALLOCATION;
    cases[0].seen.work[0].of[WORK_COPIED_BYTES] = bytes + 800;
    cases[0].seen.work[0].of[WORK_TO_HOST_BYTES] = 800;
    q.verdict = cases[0].verdict = VERDICT_WRONG;
    return rule_inputs_not_copied(&q, &d);
}

TEST(a_quarter_of_b_is_copied) {
    ck_says(copied(4 * 300 + 600), "bytes-missing", "a quarter of B");
}

TEST(a_quarter_of_both_is_copied) {
    ck_says(copied(300 + 600), "bytes-missing", "a quarter of A and B");
}

TEST(as_many_bytes_as_a_pointer_has) {
    ck_says(copied(sizeof(float *) + 4 * 600), "bytes-missing", "bytes of A reach the device");
}

TEST(nothing_of_b_is_copied) {
    ck_says(copied(4 * 300), "inputs-not-copied", "B is never copied to the device");
}

TEST(nothing_of_a_is_copied) {
    ck_says(copied(4 * 600), "inputs-not-copied", "A is never copied to the device");
}

TEST(nothing_is_copied) {
    ck_says(copied(0), "inputs-not-copied", "Neither A nor B is copied");
}

/* B has three times as many elements as A, so all of A has as many bytes as a quarter of both. */
TEST(one_case_does_not_tell_a_quarter_from_nothing) {
    cases[0].plan.call[0].shape = (struct shape){10, 30, 30};
    ck_says(copied(4 * 300), "inputs-not-copied", "copy all of A and all of B");
}

TEST(a_second_case_tells_a_quarter_from_nothing) {
    cases[0].plan.call[0].shape = (struct shape){10, 30, 30};
    g.result_count = 2;
    cases[1].verdict = VERDICT_WRONG;
    cases[1].seen.work[0].of[WORK_COPIED_BYTES] = 4 * 300;
    ck_says(copied(4 * 300), "inputs-not-copied", "B is never copied to the device");
}

static bool too_tall(struct shape s) {
    says((struct vgpu_fact){
        .says = VGPU_LAUNCH_SIDE, .name = "gridDim.y", .size = 65536, .limit = 65535});
    cases[0].plan.call[0].shape = s;
    return rule_launch_refused(&q, &d);
}

TEST(very_many_rows) {
    ck_says(too_tall((struct shape){524281, 2, 3}), "grid-too-tall", "in slabs of rows");
}

TEST(very_many_columns_along_y) {
    ck_says(too_tall((struct shape){2, 524281, 3}), "grid-too-tall", "the 524281 columns of C");
}

static bool blas(enum vgpu_says what, const char *which, int64_t rows, int64_t each) {
    struct vgpu_fact f = {
        .says = what, .place = VGPU_AT_HOST, .number = {rows, 1, 1, each}, .call = "cublasDgemm"};
    memcpy(f.other, which, strlen(which) + 1);
    says(f);
    lab.cublas = true;
    return rule_cublas_pointers(&q, &d);
}

TEST(alpha_where_the_mode_says_device) {
    ck_says(blas(VGPU_BLAS_VECTOR_AT, "alpha", 1, 4), "pointer-mode", "alpha is a variable");
}

TEST(doubles_where_floats_lie) {
    ck_says(blas(VGPU_BLAS_MATRIX_SHORT, "A", 4, 8), "element-type", "elements have 8 bytes");
}

TEST(a_matrix_on_the_host) {
    ck_says(blas(VGPU_BLAS_MATRIX_AT, "B", 4, 4), "host-pointer-in-kernel", "Matrix B of cuBLAS");
}

TEST(a_short_vector_is_another_matter) {
    ck_assert(!blas(VGPU_BLAS_VECTOR_SHORT, "x", 4, 4));
}

TEST(a_pointer_that_moved_is_freed) {
    static const struct vgpu_fact facts[] = {{.says = VGPU_FREED_INSIDE, .place = VGPU_AT_INSIDE},
                                             {.says = VGPU_FREED_UNKNOWN, .place = VGPU_AT_PAST},
                                             {.says = VGPU_FREED_UNKNOWN, .place = VGPU_AT_BEFORE}};
    for (int i = 0; i < 3; i++) {
        begin();
        says(facts[i]);
        ck_says(rule_device_said(&q, &d), "moved-pointer-freed", "address that no cudaMalloc gave");
        end();
    }
    begin();
    says((struct vgpu_fact){.says = VGPU_FREED_UNKNOWN, .place = VGPU_AT_NOTHING});
    ck_assert(!rule_device_said(&q, &d));
    end();
}

int main(void) {
    return run_tests((struct suite){.name = "grading/said", .set_up = begin, .tear_down = end});
}
