/* judge_test.c: verdicts on replies made by hand. */
#include "common/tests/suite.h"
#include "grading/src/run/judge.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct call_data data;
static struct call_reply reply;
static struct evidence e;

static const struct guard_bands bands = {.before = 64, .after = 64, .pad = true};

/* The returned region of a matrix, and its elements. */
static unsigned char *region(enum matrix_name which) {
    unsigned char *at = reply.bytes;
    for (int i = 0; i < (int)which; i++)
        at += data.region[i].bytes;
    return at;
}

static float *elements(enum matrix_name which) {
    return (float *)(void *)(region(which) + data.region[which].offset);
}

/* A call of this plan and the right answer to it. */
static void right_answer(struct call_plan plan) {
    call_data_make(&data, &plan, bands);
    reply = (struct call_reply){.end = CALL_ANSWERED, .phase = PHASE_RETURNED};
    reply.bytes = malloc((size_t)regions_bytes(data.region));
    for (int i = 0; i < MATRIX_COUNT; i++)
        memcpy(region((enum matrix_name)i), data.bytes[i], (size_t)data.region[i].bytes);
    const struct shape s = plan.shape;
    for (int i = 0; i < s.m; i++) {
        for (int j = 0; j < s.n; j++) {
            float sum = 0;
            for (int p = 0; p < s.k; p++)
                sum += elements(MATRIX_A)[i * s.k + p] * elements(MATRIX_B)[p * s.n + j];
            elements(MATRIX_C)[i * s.n + j] = sum;
        }
    }
}

static const struct call_plan integers = {
    .entry = ENTRY_DEVICE, .shape = {3, 4, 5}, .input = INPUT_SMALL, .seed = 1};

static void clean_up(void) {
    evidence_free(&e);
    call_reply_free(&reply);
    call_data_free(&data);
}

static void judged(enum verdict expected) {
    judge_call(&e, &data, &reply, BACKEND_VGPU);
    ck_assert_msg(e.verdict == expected, "%s: %s", verdict_key(e.verdict), text_get(&e.summary));
}

TEST(right_answers_pass) {
    right_answer(integers);
    judged(VERDICT_PASS);
    clean_up();
    struct call_plan plan = integers;
    plan.input = INPUT_WIDE;
    right_answer(plan);
    judged(VERDICT_PASS);
    clean_up();
    plan.input = INPUT_REAL;
    plan.shape = (struct shape){40, 30, 200};
    right_answer(plan);
    judged(VERDICT_PASS);
    clean_up();
}

TEST(one_wrong_element_is_found) {
    right_answer(integers);
    elements(MATRIX_C)[6] += 1.0f;
    judged(VERDICT_WRONG);
    ck_assert_uint_eq(e.comparison.wrong, 1);
    ck_assert_int_eq(e.comparison.first[0].row, 1);
    ck_assert_int_eq(e.comparison.first[0].col, 2);
    ck_assert_uint_eq(e.untouched_total, 0);
    ck_assert_str_eq(text_get(&e.summary), "1 of 12 elements of C is wrong");
    clean_up();
}

TEST(nan_never_passes) {
    struct call_plan plan = integers;
    plan.input = INPUT_REAL;
    right_answer(plan);
    elements(MATRIX_C)[0] = NAN;
    judged(VERDICT_WRONG);
    ck_assert_uint_eq(e.comparison.not_finite, 1);
    ck_assert_uint_eq(e.untouched, 0); /* another NaN than the poison: it was written */
    clean_up();
}

TEST(unwritten_elements_are_told) {
    for (int kind = POISON_NAN; kind <= POISON_INTEGERS; kind++) {
        struct call_plan plan = integers;
        plan.poison = (enum poison_kind)kind;
        right_answer(plan);
        elements(MATRIX_C)[11] = call_data_matrix(&data, MATRIX_C)[11];
        judged(VERDICT_WRONG);
        ck_assert_uint_eq(e.untouched, 1);
        ck_assert_str_eq(text_get(&e.summary),
                         "1 of 12 elements of C is wrong: it was never written");
        clean_up();
    }
}

TEST(added_to_is_not_never_written) {
    right_answer(integers);
    volatile float old = call_data_matrix(&data, MATRIX_C)[0];
    elements(MATRIX_C)[0] = old + 1.0f; /* a NaN still, but another one */
    judged(VERDICT_WRONG);
    ck_assert_uint_eq(e.untouched_total, 0);
    clean_up();
}

TEST(half_precision_is_rejected) {
    struct call_plan plan = integers;
    plan.input = INPUT_WIDE;
    right_answer(plan);
    for (int i = 0; i < 12; i++)
        elements(MATRIX_C)[i] = roundf(elements(MATRIX_C)[i] / 16.0f) * 16.0f;
    judged(VERDICT_WRONG);
    clean_up();
}

TEST(writes_to_inputs_are_found) {
    right_answer(integers);
    elements(MATRIX_B)[7] = 99.0f;
    judged(VERDICT_MEMORY);
    ck_assert_str_eq(text_get(&e.summary),
                     "matmul_device wrote to its input: B[7] (row 1, column 3)");
    clean_up();
}

TEST(writes_outside_are_found) {
    right_answer(integers);
    elements(MATRIX_C)[12] = 0.0f;
    judged(VERDICT_MEMORY);
    ck_assert_str_eq(text_get(&e.summary), "matmul_device wrote to C[12], outside C, whose "
                                           "elements are C[0] to C[11]");
    clean_up();
    right_answer(integers);
    elements(MATRIX_A)[-1] = 0.0f;
    judged(VERDICT_MEMORY);
    ck_assert_ptr_nonnull(strstr(text_get(&e.summary), "A[-1], outside A"));
    clean_up();
}

/* A reply without data. */
static void error_reply(enum call_stage stage, int code, const char *name, const char *text) {
    right_answer(integers);
    free(reply.bytes);
    reply.bytes = NULL;
    reply.result.stage = stage;
    reply.result.code = code;
    snprintf(reply.result.name, sizeof reply.result.name, "%s", name);
    snprintf(reply.result.text, sizeof reply.result.text, "%s", text);
}

TEST(cuda_errors_are_named) {
    error_reply(STAGE_LAUNCH, 1, "cudaErrorInvalidValue", "invalid argument");
    judged(VERDICT_CUDA_ERROR);
    ck_assert_str_eq(text_get(&e.summary), "cudaErrorInvalidValue (1) left by a call or launch in "
                                           "matmul_device: invalid argument");
    clean_up();
    error_reply(STAGE_SETUP, 2, "cudaErrorMemoryAllocation", "out of memory");
    judged(VERDICT_NOT_GRADED);
    clean_up();
    error_reply(STAGE_SYNC, 1, "\033[2J\n", "x");
    judged(VERDICT_CUDA_ERROR);
    ck_assert_ptr_null(strchr(text_get(&e.summary), '\033'));
    clean_up();
}

/* Adds what a worker printed, and one message of the virtual GPU. */
static void said(enum vgpu_says what, uint32_t status, const char *printed) {
    struct facts facts = {0};
    facts_add(&facts, &(struct fact_body){.fact = {.says = what, .status = status}});
    judge_printed(&e, printed, "", &facts);
    facts_free(&facts);
}

/* A call in which the program ends itself. */
static void ends_itself(enum call_end end, int code, enum verdict expected) {
    right_answer(integers);
    reply.end = end;
    reply.phase = PHASE_READY;
    reply.code = code;
    judged(expected);
}

TEST(the_virtual_gpu_explains) {
    error_reply(STAGE_SYNC, 700, "cudaErrorIllegalAddress", "an illegal memory access");
    judged(VERDICT_CUDA_ERROR);
    said(VGPU_ILLEGAL_ACCESS, 700, "noise\n");
    ck_assert_int_eq(e.verdict, VERDICT_MEMORY);
    ck_assert(e.device_fault);
    ck_assert_int_eq(e.facts.count, 1);
    clean_up();
    error_reply(STAGE_LAUNCH, 801, "cudaErrorNotSupported", "operation not supported");
    judged(VERDICT_CUDA_ERROR);
    ck_assert(!e.lacking);
    said(VGPU_NOT_LOADED, 801, "");
    ck_assert_int_eq(e.verdict, VERDICT_CUDA_ERROR); /* any program can use that, and end */
    ck_assert(e.lacking);
    clean_up();
    error_reply(STAGE_SYNC, 702, "cudaErrorLaunchTimeout", "the launch timed out");
    judged(VERDICT_CUDA_ERROR);
    said(VGPU_ENDLESS, 702, "");
    ck_assert_int_eq(e.verdict, VERDICT_TIMEOUT);
    clean_up();
    /* A check in the submission prints the error and ends the program. */
    ends_itself(CALL_EXITED, PROTOCOL_CHECK_EXIT, VERDICT_CUDA_ERROR);
    said(VGPU_MISALIGNED, 716, "lab.cu:7: error\n");
    ck_assert_int_eq(e.verdict, VERDICT_MEMORY);
    clean_up();
    /* So does one of the program's own, with another status, whatever it prints. */
    ends_itself(CALL_EXITED, 1, VERDICT_EXIT);
    said(VGPU_ILLEGAL_ACCESS, 700, "");
    ck_assert_int_eq(e.verdict, VERDICT_MEMORY);
    ck_assert_ptr_nonnull(strstr(text_get(&e.summary), "a check in "));
    clean_up();
    ends_itself(CALL_EXITED, 1, VERDICT_EXIT);
    said(VGPU_LAUNCH_THREADS, 1, "invalid argument\n");
    ck_assert_int_eq(e.verdict, VERDICT_CUDA_ERROR);
    clean_up();
    /* But who ends the program with 0 ends it himself. */
    ends_itself(CALL_EXITED, 0, VERDICT_EXIT);
    said(VGPU_ILLEGAL_ACCESS, 700, "");
    ck_assert_int_eq(e.verdict, VERDICT_EXIT);
    clean_up();
    /* An assert after a refused launch. */
    ends_itself(CALL_DIED, SIGABRT, VERDICT_CRASH);
    said(VGPU_LAUNCH_THREADS, 1, "Assertion failed\n");
    ck_assert_int_eq(e.verdict, VERDICT_CUDA_ERROR);
    clean_up();
    /* A message makes no wrong answer anything else. */
    right_answer(integers);
    elements(MATRIX_C)[0] += 1.0f;
    judged(VERDICT_WRONG);
    said(VGPU_NOT_LOADED, 801, "");
    ck_assert_int_eq(e.verdict, VERDICT_WRONG);
    clean_up();
}

/* What a program prints decides nothing: it can print what the virtual GPU would. */
TEST(words_decide_nothing) {
    const struct facts none = {0};
    ends_itself(CALL_EXITED, 1, VERDICT_EXIT);
    judge_printed(&e, "vgpu: illegal global read\ncudaErrorIllegalAddress\n", "", &none);
    ck_assert_int_eq(e.verdict, VERDICT_EXIT);
    ck_assert(!e.device_fault);
    clean_up();
    ends_itself(CALL_DIED, SIGSEGV, VERDICT_CRASH);
    judge_printed(&e, "vgpu: deadlock at a barrier\n", "", &none);
    ck_assert_int_eq(e.verdict, VERDICT_CRASH);
    clean_up();
}

TEST(ends_are_told_apart) {
    static const struct {
        enum call_end end;
        int code;
        enum verdict verdict;
        const char *says;
    } table[] = {
        {CALL_DIED, SIGFPE, VERDICT_CRASH, "SIGFPE (8) in matmul_device"},
        {CALL_EXITED, 3, VERDICT_EXIT, "in matmul_device: exit status 3"},
        {CALL_TIMED_OUT, 0, VERDICT_TIMEOUT, "no end in matmul_device"},
        {CALL_FLOODED, 0, VERDICT_FLOOD, "more than 8 MB"},
        {CALL_MEDDLED, 0, VERDICT_MEDDLED, "channel"},
        {CALL_INTERRUPTED, 0, VERDICT_NOT_GRADED, "interrupted"},
        {CALL_NO_START, 0, VERDICT_NOT_GRADED, ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        right_answer(integers);
        reply.end = table[i].end;
        reply.code = table[i].code;
        reply.phase = PHASE_READY;
        judged(table[i].verdict);
        ck_assert_ptr_nonnull(strstr(text_get(&e.summary), table[i].says));
        clean_up();
    }
}

TEST(every_verdict_has_names) {
    for (int v = 0; v < VERDICT_COUNT; v++) {
        ck_assert_uint_gt(strlen(verdict_text((enum verdict)v)), 0);
        ck_assert_uint_le(strlen(verdict_text((enum verdict)v)), 14);
        ck_assert_uint_gt(strlen(verdict_key((enum verdict)v)), 0);
    }
    ck_assert_str_eq(signal_name(SIGSEGV), "SIGSEGV");
    ck_assert_str_eq(signal_name(12345), "a signal");
}

int main(void) {
    return run_tests((struct suite){.name = "grading/judge"});
}
