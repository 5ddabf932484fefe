/* judge.c: verdicts (see judge.h). */
#include "grading/src/run/judge.h"

#include "common/reference.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *key;
} verdict_names[VERDICT_COUNT] = {
    [VERDICT_PASS] = {"pass", "pass"},
    [VERDICT_WRONG] = {"wrong answer", "wrong_answer"},
    [VERDICT_MEMORY] = {"memory fault", "memory_fault"},
    [VERDICT_CUDA_ERROR] = {"CUDA error", "cuda_error"},
    [VERDICT_CRASH] = {"crash", "crash"},
    [VERDICT_EXIT] = {"ended itself", "exit"},
    [VERDICT_TIMEOUT] = {"time limit", "timeout"},
    [VERDICT_FLOOD] = {"output limit", "flood"},
    [VERDICT_MEDDLED] = {"refused", "meddled"},
    [VERDICT_MISSING] = {"missing", "missing"},
    [VERDICT_NOT_RUN] = {"not run", "not_run"},
    [VERDICT_NOT_GRADED] = {"not graded", "not_graded"},
};

const char *verdict_text(enum verdict v) {
    return verdict_names[v].text;
}

const char *verdict_key(enum verdict v) {
    return verdict_names[v].key;
}

const char *signal_name(int number) {
    static const struct {
        int number;
        const char *name;
    } names[] = {
        {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},
        {SIGBUS, "SIGBUS"},   {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"},
        {SIGSYS, "SIGSYS"},   {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGPIPE, "SIGPIPE"},
        {SIGINT, "SIGINT"},   {SIGHUP, "SIGHUP"},   {SIGQUIT, "SIGQUIT"}, {SIGALRM, "SIGALRM"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return "a signal";
}

static const char *signal_meaning(int number) {
    switch (number) {
    case SIGSEGV:
    case SIGBUS: return ": it used memory that is not its own";
    case SIGABRT: return ": it called abort (an assertion, or the heap is damaged)";
    case SIGFPE: return ": an integer division by zero";
    case SIGILL: return ": an instruction this processor lacks";
    case SIGKILL: return ": killed from outside, or out of memory";
    case SIGXCPU: return ": all its processor time is used up";
    default: return "";
    }
}

void evidence_split(const struct evidence *e, struct text *device, struct text *own) {
    for (const char *line = text_get(&e->printed); *line;) {
        const size_t n = strcspn(line, "\n");
        const bool from_device = strncmp(line, "vgpu: ", 6) == 0;
        if (from_device)
            text_add_bytes(device, line + 6, n - 6);
        else
            text_add_bytes(own, line, n);
        text_add(from_device ? device : own, "\n");
        line += n + (line[n] == '\n');
    }
}

void evidence_free(struct evidence *e) {
    text_free(&e->summary);
    text_free(&e->printed);
    free(e->got);
    *e = (struct evidence){0};
}

/* ---- What came back ---- */

/* Row and column of an element of A, B or C. */
static void say_element(struct text *t, const struct call_plan *p, enum matrix_name matrix,
                        int64_t index) {
    const int rows = matrix == MATRIX_B ? p->shape.k : p->shape.m;
    const int cols = matrix == MATRIX_A ? p->shape.k : p->shape.n;
    const int64_t count = (int64_t)rows * cols;
    const char *letter = matrix_letter(matrix);
    if (index >= 0 && index < count)
        text_addf(t, "%s[%lld] (row %lld, column %lld)", letter, (long long)index,
                  (long long)(index / cols), (long long)(index % cols));
    else if (count == 1)
        text_addf(t, "%s[%lld], outside %s, whose only element is %s[0]", letter, (long long)index,
                  letter, letter);
    else
        text_addf(t, "%s[%lld], outside %s, whose elements are %s[0] to %s[%lld]", letter,
                  (long long)index, letter, letter, letter, (long long)(count - 1));
}

/* Guard bands and inputs. True when something was written that must not be. */
static bool check_writes(struct evidence *e, const struct call_data *data,
                         const unsigned char *returned) {
    const struct shape s = data->plan.shape;
    const uint64_t count[MATRIX_COUNT] = {(uint64_t)s.m * (uint64_t)s.k,
                                          (uint64_t)s.k * (uint64_t)s.n,
                                          (uint64_t)s.m * (uint64_t)s.n};
    for (int i = 0; i < MATRIX_COUNT; i++) {
        const struct region *r = &data->region[i];
        const uint64_t end = r->offset + count[i] * sizeof(float);
        for (uint64_t b = 0; b < r->bytes; b++) {
            const bool inside = b >= r->offset && b < end;
            if (returned[b] == data->bytes[i][b] || (inside && i == MATRIX_C))
                continue;
            e->verdict = VERDICT_MEMORY;
            text_addf(&e->summary, "%s wrote to %s", entry_name(data->plan.entry),
                      inside ? "its input: " : "");
            const int64_t byte = (int64_t)b - (int64_t)r->offset;
            const int64_t index = byte >= 0 ? byte / 4 : (byte - 3) / 4;
            say_element(&e->summary, &data->plan, (enum matrix_name)i, index);
            return true;
        }
        returned += r->bytes;
    }
    return false;
}

/* Counts elements that still hold what C held before the call. */
static void count_untouched(struct evidence *e, const struct call_data *data, const float *before,
                            const float *got) {
    const struct shape s = data->plan.shape;
    const size_t total = (size_t)s.m * (size_t)s.n;
    for (size_t i = 0; i < total; i++)
        e->untouched_total += memcmp(&before[i], &got[i], sizeof *got) == 0;
    for (int i = 0; i < e->comparison.kept; i++) {
        const struct wrong_element *w = &e->comparison.first[i];
        const size_t at = (size_t)w->row * (size_t)s.n + (size_t)w->col;
        if (memcmp(&before[at], &got[at], sizeof *got) == 0)
            e->untouched |= 1u << i;
    }
}

static void check_product(struct evidence *e, const struct call_data *data, const float *got) {
    const struct shape s = data->plan.shape;
    const size_t total = (size_t)s.m * (size_t)s.n;
    const float *a = call_data_matrix(data, MATRIX_A), *b = call_data_matrix(data, MATRIX_B);
    double *want = xmalloc(total * sizeof *want), *magnitude = xmalloc(total * sizeof *magnitude);
    /* Our own engine, not the CBLAS: the same digits in every report, on every machine. */
    int error = reference_product(s.m, s.n, s.k, a, b, want, REFERENCE_OWN, 0);
    if (error == 0 && data->plan.input == INPUT_REAL)
        error = reference_magnitude(s.m, s.n, s.k, a, b, magnitude, REFERENCE_OWN, 0);
    if (error != 0) {
        e->verdict = VERDICT_NOT_GRADED;
        text_addf(&e->summary, "the reference product failed: %s", strerror(error));
    } else {
        e->comparison = data->plan.input == INPUT_REAL
                            ? compare_within(s.m, s.n, compare_factor(data->plan.bound, s.k), got,
                                             want, magnitude)
                            : compare_exact(s.m, s.n, got, want);
        e->verdict = e->comparison.wrong ? VERDICT_WRONG : VERDICT_PASS;
    }
    free(want);
    free(magnitude);
    if (e->verdict != VERDICT_WRONG)
        return;
    count_untouched(e, data, call_data_matrix(data, MATRIX_C), got);
    text_addf(&e->summary, "%zu of %zu element%s of C %s wrong", e->comparison.wrong, total,
              total == 1 ? "" : "s", e->comparison.wrong == 1 ? "is" : "are");
    if (e->untouched_total == total)
        text_add(&e->summary, ": nothing was written to C");
    else if (e->untouched_total > 0)
        text_addf(&e->summary, ", %zu of them never written", e->untouched_total);
}

/* An answer with a CUDA error instead of data. */
static void judge_error(struct evidence *e, const struct call_data *data,
                        const struct call_reply *reply) {
    const struct result_body *r = &reply->result;
    static const char *const where[STAGE_COUNT] = {
        [STAGE_OK] = "",
        [STAGE_SETUP] = "before the call",
        [STAGE_LAUNCH] = "left by a call or launch in",
        [STAGE_SYNC] = "from the kernel of",
        [STAGE_COPY] = "when reading the result of",
    };
    if (r->stage == STAGE_SETUP) {
        e->verdict = VERDICT_NOT_GRADED;
        text_add(&e->summary, "the device could not be set up: ");
    } else {
        e->verdict = VERDICT_CUDA_ERROR;
    }
    struct text name = {0};
    text_addf(&name, "%s (%d)", r->name, r->code);
    if (r->stage != STAGE_SETUP)
        text_addf(&name, " %s %s", where[r->stage], entry_name(data->plan.entry));
    text_addf(&name, ": %s", r->text);
    text_add_clean_line(&e->summary, name.data, name.length, 200);
    text_free(&name);
}

static void judge_end(struct evidence *e, const struct call_data *data,
                      const struct call_reply *reply) {
    const char *function = entry_name(data->plan.entry);
    const bool before = reply->phase == PHASE_NONE, after = reply->phase == PHASE_RETURNED;
    const char *when = before ? "before " : after ? "after " : "in ";
    switch (reply->end) {
    case CALL_DIED:
        e->verdict = reply->has_fault ? VERDICT_MEMORY : VERDICT_CRASH;
        e->at_limit = reply->reason[0] != '\0';
        if (reply->has_fault) {
            text_addf(&e->summary, "%s used ", function);
            const int64_t byte = reply->fault.byte;
            say_element(&e->summary, &data->plan, (enum matrix_name)reply->fault.matrix,
                        byte >= 0 ? byte / 4 : (byte - 3) / 4);
            text_addf(&e->summary, " (%s)", signal_name(reply->code));
        } else {
            const bool excess = reply->reason[0] != '\0';
            text_addf(&e->summary, "%s (%d) %s%s%s%s", signal_name(reply->code), reply->code, when,
                      function, excess ? ": it took " : signal_meaning(reply->code),
                      excess ? reply->reason : "");
        }
        break;
    case CALL_EXITED:
        e->verdict = reply->code == PROTOCOL_CHECK_EXIT ? VERDICT_CUDA_ERROR : VERDICT_EXIT;
        e->ended_itself = true;
        e->exit_status = reply->code;
        if (reply->code == PROTOCOL_CHECK_EXIT)
            text_addf(&e->summary, "a check in %s stopped the program", function);
        else
            text_addf(&e->summary, "the program ended itself %s%s: exit status %d", when, function,
                      reply->code);
        break;
    case CALL_TIMED_OUT:
        e->verdict = VERDICT_TIMEOUT;
        e->at_limit = true;
        if (after && data->plan.entry != ENTRY_CPU)
            text_addf(&e->summary, "a kernel that %s started does not end", function);
        else
            text_addf(&e->summary, "no end %s%s", when, function);
        text_addf(&e->summary,
                  reply->waited ? ": it waited for %g s and computed nothing"
                                : " within %g s of processor time",
                  (double)reply->limit / 1000.0);
        break;
    case CALL_STARVED:
        e->verdict = VERDICT_NOT_GRADED;
        text_add(&e->summary, reply->reason);
        break;
    case CALL_FLOODED:
        e->verdict = VERDICT_FLOOD;
        e->at_limit = true;
        text_addf(&e->summary, "more than %zu MB printed %s%s", CAPTURE_LIMIT >> 20, when,
                  function);
        break;
    case CALL_MEDDLED:
        e->verdict = VERDICT_MEDDLED;
        text_addf(&e->summary, "the program used the grader's channel: %s", reply->reason);
        break;
    case CALL_INTERRUPTED:
        e->verdict = VERDICT_NOT_GRADED;
        text_add(&e->summary, "interrupted");
        break;
    case CALL_NO_START:
        e->verdict = VERDICT_NOT_GRADED;
        text_add(&e->summary, reply->reason);
        break;
    case CALL_ANSWERED: break;
    }
}

void judge_call(struct evidence *e, const struct call_data *data, const struct call_reply *reply,
                enum backend_choice backend) {
    (void)backend;
    *e = (struct evidence){.plan = data->plan, .call = 1};
    if (reply->end != CALL_ANSWERED) {
        judge_end(e, data, reply);
    } else if (!reply->bytes) {
        judge_error(e, data, reply);
    } else if (!check_writes(e, data, reply->bytes)) {
        const unsigned char *c = reply->bytes + data->region[MATRIX_A].bytes +
                                 data->region[MATRIX_B].bytes + data->region[MATRIX_C].offset;
        const size_t bytes =
            (size_t)data->plan.shape.m * (size_t)data->plan.shape.n * sizeof(float);
        float *got = xmalloc(bytes); /* aligned, as the payload may not be */
        memcpy(got, c, bytes);
        check_product(e, data, got);
        if (e->verdict == VERDICT_WRONG)
            e->got = got;
        else
            free(got);
    }
}

/* ---- What was printed ---- */

/* Does a line begin with this? */
static bool has_line(const char *printed, const char *start) {
    const size_t n = strlen(start);
    for (const char *line = printed; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, start, n) == 0)
            return true;
    }
    return false;
}

/* Is this the error that was reported: by CUDA's code, or by a check that printed its name? */
static bool is_error(const struct evidence *e, const char *name) {
    return strstr(text_get(e->ended_itself ? &e->printed : &e->summary), name) != NULL;
}

/* What programs' own checks print, by cudaGetErrorName or cudaGetErrorString; and what the virtual
 * GPU says itself. */
static const struct {
    const char *name, *text, *said;
} faults[] = {
    {"cudaErrorIllegalAddress", "an illegal memory access was encountered", "vgpu: illegal "},
    {"cudaErrorMisalignedAddress", "misaligned address", "vgpu: misaligned "},
    {"cudaErrorLaunchTimeout", "the launch timed out and was terminated", "vgpu: deadlock "},
};
enum { FAULT_ILLEGAL, FAULT_MISALIGNED, FAULT_ENDLESS };

static bool is_fault(const struct evidence *e, int which) {
    return is_error(e, faults[which].name) ||
           (e->own_check && (is_error(e, faults[which].text) || is_error(e, faults[which].said)));
}

/* A check that the program brought itself ended it, by exit, assert or an exception. */
static void judge_own_check(struct evidence *e) {
    const bool aborted = e->verdict == VERDICT_CRASH && strstr(text_get(&e->summary), "SIGABRT");
    if (!aborted && !(e->verdict == VERDICT_EXIT && e->exit_status != 0))
        return;
    e->own_check = e->ended_itself = true;
    e->verdict = VERDICT_CUDA_ERROR;
    text_clear(&e->summary);
    text_addf(&e->summary, "a check in %s stopped the program", entry_name(e->plan.entry));
}

/* The virtual GPU explained a fault: find out which kind. */
static void judge_device_fault(struct evidence *e) {
    judge_own_check(e);
    if (e->verdict != VERDICT_CUDA_ERROR && e->verdict != VERDICT_EXIT &&
        e->verdict != VERDICT_CRASH)
        return;
    e->device_fault = true;
    if (is_error(e, "cudaErrorNotSupported")) {
        /* Not "not graded": any program can print that, and end. */
        e->verdict = VERDICT_CUDA_ERROR;
        e->lacking = true;
        text_clear(&e->summary);
        text_add(&e->summary, "the submission uses something the virtual GPU lacks");
    } else if (is_fault(e, FAULT_ENDLESS)) {
        e->verdict = VERDICT_TIMEOUT;
        e->at_limit = true;
    } else if (is_fault(e, FAULT_ILLEGAL) || is_fault(e, FAULT_MISALIGNED) ||
               e->verdict == VERDICT_CRASH) {
        e->verdict = VERDICT_MEMORY;
    }
}

void judge_printed(struct evidence *e, const char *errors, const char *output) {
    const bool errors_say = errors[strspn(errors, " \t\r\n")] != '\0';
    text_clear(&e->printed);
    text_add(&e->printed, errors_say ? errors : output);
    if (errors_say && has_line(errors, "vgpu: "))
        judge_device_fault(e);
}
