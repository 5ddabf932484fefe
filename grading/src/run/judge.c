/* judge.c: verdicts (see judge.h). */
#include "grading/src/run/judge.h"

#include "grading/src/run/expect.h"

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
    case SIGBUS: return ": it used memory that does not belong to it";
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
    facts_free(&e->facts);
    free(e->got);
    *e = (struct evidence){0};
}

/* ---- What came back ---- */

/* Row and column of an element, counted as the matrix lies in memory. */
static void place(const struct call_plan *p, enum matrix_name matrix, int64_t index, int64_t *row,
                  int64_t *col) {
    const int rows = call_rows(p, matrix), apart = call_cols(p, matrix) + p->layout.padding;
    const bool transposed = layout_transposed(p->layout, matrix);
    *row = transposed ? index % rows : index / apart;
    *col = transposed ? index / rows : index % apart;
}

void evidence_say_element(struct text *t, const struct evidence *e) {
    const int64_t index = e->touched.index;
    const char *letter = matrix_letter(e->touched.matrix);
    const int64_t count = (int64_t)call_count(&e->plan, e->touched.matrix);
    int64_t row, col;
    place(&e->plan, e->touched.matrix, index, &row, &col);
    if (index >= 0 && index < count && col >= call_cols(&e->plan, e->touched.matrix))
        text_addf(t, "%s[%lld], behind the last element of row %lld", letter, (long long)index,
                  (long long)row);
    else if (index >= 0 && index < count)
        text_addf(t, "%s[%lld] (row %lld, column %lld)", letter, (long long)index, (long long)row,
                  (long long)col);
    else if (count == 1)
        text_addf(t, "%s[%lld], outside %s, whose only element is %s[0]", letter, (long long)index,
                  letter, letter);
    else
        text_addf(t, "%s[%lld], outside %s, whose elements are %s[0] to %s[%lld]", letter,
                  (long long)index, letter, letter, letter, (long long)(count - 1));
}

/* Is it one of the matrix, and no padding? */
static bool is_element(const struct call_plan *p, enum matrix_name matrix, int64_t index) {
    int64_t row, col;
    place(p, matrix, index, &row, &col);
    return index >= 0 && index < (int64_t)call_count(p, matrix) &&
           (p->layout.padding == 0 || col < call_cols(p, matrix));
}

/* The element that a byte belongs to, counted from the matrix's first one. */
static void touch(struct evidence *e, enum matrix_name matrix, int64_t byte, bool written) {
    const int64_t index = byte >= 0 ? byte / 4 : (byte - 3) / 4;
    const bool inside = is_element(&e->plan, matrix, index);
    e->touched = (struct touched){.how = inside ? TOUCHED_INSIDE : TOUCHED_OUTSIDE,
                                  .written = written,
                                  .matrix = matrix,
                                  .index = index};
}

/* Guard bands and inputs. True when something was written that must not be. */
static bool check_writes(struct evidence *e, const struct call_data *data,
                         const unsigned char *returned) {
    for (int i = 0; i < MATRIX_COUNT; i++) {
        const struct region *r = &data->region[i];
        for (uint64_t b = 0; b < r->bytes; b++) {
            if (returned[b] == data->bytes[i][b])
                continue;
            const int64_t byte = (int64_t)b - (int64_t)r->offset;
            const bool inside = byte >= 0 && is_element(&data->plan, (enum matrix_name)i, byte / 4);
            if (inside && i == MATRIX_C)
                continue;
            e->verdict = VERDICT_MEMORY;
            text_addf(&e->summary, "%s wrote to %s", entry_name(data->plan.entry),
                      inside ? "its input: " : "");
            touch(e, (enum matrix_name)i, byte, true);
            evidence_say_element(&e->summary, e);
            return true;
        }
        returned += r->bytes;
    }
    return false;
}

bool element_unwritten(enum entry_point entry, float before, float got) {
    /* What the virtual GPU fills fresh memory with (vgpu/src/memory/devmem.h): the host's copy of
     * an element of C on the device that no thread wrote. Arithmetic makes other NaNs. */
    static const unsigned char fresh[sizeof got] = {0xff, 0xff, 0xff, 0xff};
    return memcmp(&before, &got, sizeof got) == 0 ||
           (entry == ENTRY_HOST && memcmp(fresh, &got, sizeof got) == 0);
}

/* Counts elements that nobody wrote; a right one may be equal to what C held. */
static void count_untouched(struct evidence *e, const struct call_data *data, const float *got,
                            const double *want, const double *bound) {
    const float *before = call_data_rows(data, MATRIX_C);
    const struct shape s = data->plan.shape;
    const size_t total = (size_t)s.m * (size_t)s.n;
    for (size_t i = 0; i < total; i++)
        e->untouched_total += !compare_element(got[i], want[i], bound[i]) &&
                              element_unwritten(data->plan.entry, before[i], got[i]);
    for (int i = 0; i < e->comparison.kept; i++) {
        const struct wrong_element *w = &e->comparison.first[i];
        const size_t at = (size_t)w->row * (size_t)s.n + (size_t)w->col;
        if (element_unwritten(data->plan.entry, before[at], got[at]))
            e->untouched |= 1u << i;
    }
}

static void check_product(struct evidence *e, const struct call_data *data, const float *got) {
    const struct shape s = data->plan.shape;
    const size_t total = (size_t)s.m * (size_t)s.n;
    double *want = xmalloc(total * sizeof *want), *bound = xmalloc(total * sizeof *bound);
    const int error = expect_product(data, want, bound);
    if (error != 0) {
        e->verdict = VERDICT_NOT_GRADED;
        text_addf(&e->summary, "the reference product failed: %s", strerror(error));
    } else {
        e->comparison = compare_each(s.m, s.n, got, want, bound);
        e->verdict = e->comparison.wrong ? VERDICT_WRONG : VERDICT_PASS;
        if (e->comparison.wrong)
            count_untouched(e, data, got, want, bound);
    }
    free(want);
    free(bound);
    if (e->verdict != VERDICT_WRONG)
        return;
    text_addf(&e->summary, "%zu of %zu element%s of C %s wrong", e->comparison.wrong, total,
              total == 1 ? "" : "s", e->comparison.wrong == 1 ? "is" : "are");
    if (e->untouched_total == total)
        text_add(&e->summary, ": nothing was written to C");
    else if (e->untouched_total == e->comparison.wrong)
        text_addf(&e->summary, ": %s never written",
                  e->untouched_total == 1 ? "it was" : "they were");
    else if (e->untouched_total > 0)
        text_addf(&e->summary, ", %zu of them never written", e->untouched_total);
}

/* An answer with a CUDA error instead of data. */
static void judge_error(struct evidence *e, const struct call_data *data,
                        const struct call_reply *reply) {
    const struct result_body *r = &reply->result;
    e->stage = (enum call_stage)r->stage;
    e->error = r->code;
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

/* Beyond memory that the function asked for, or in what it gave back. */
static void judge_heap(struct evidence *e, const struct call_reply *reply, const char *function) {
    const struct fault_body *f = &reply->fault;
    const bool freed = f->how == FAULT_HEAP_FREED, before = f->byte < 0;
    e->verdict = VERDICT_MEMORY;
    e->touched = (struct touched){.how = freed ? TOUCHED_HEAP_FREED : TOUCHED_HEAP,
                                  .index = f->byte,
                                  .room = f->room,
                                  .asker = f->asker};
    if (freed)
        text_addf(&e->summary, "%s used memory that it had given back", function);
    else
        text_addf(&e->summary,
                  "%s used memory %lld byte%s %s a block of %llu byte%s that it asked for",
                  function, (long long)(before ? -f->byte : f->byte + 1 - (int64_t)f->room),
                  f->byte == -1 || f->byte == (int64_t)f->room ? "" : "s",
                  before ? "before" : "past the end of", (unsigned long long)f->room,
                  f->room == 1 ? "" : "s");
    text_addf(&e->summary, " (%s)", signal_name(reply->code));
}

/* A signal ended the process: what it did to a matrix, where the worker saw that. */
static void judge_death(struct evidence *e, const struct call_reply *reply, const char *function,
                        const char *when) {
    const bool excess = reply->reason[0] != '\0';
    e->verdict = VERDICT_CRASH;
    e->at_limit = excess;
    e->signal = reply->code;
    e->code_at = reply->code_at;
    if (!reply->has_fault) {
        text_addf(&e->summary, "%s (%d) %s%s%s%s", signal_name(reply->code), reply->code, when,
                  function, excess ? ": it took " : signal_meaning(reply->code),
                  excess ? reply->reason : "");
        return;
    }
    if (reply->fault.how == FAULT_HEAP || reply->fault.how == FAULT_HEAP_FREED) {
        judge_heap(e, reply, function);
        return;
    }
    const enum matrix_name matrix = (enum matrix_name)reply->fault.matrix;
    if (reply->fault.how == FAULT_FREED) {
        e->touched = (struct touched){.how = TOUCHED_FREED, .matrix = matrix};
        text_addf(&e->summary, "%s frees %s, which it was only lent", function,
                  matrix_letter(matrix));
        return;
    }
    e->verdict = VERDICT_MEMORY;
    touch(e, matrix, reply->fault.byte, false);
    /* Inside of it, only a write can fault. */
    e->touched.written = e->touched.how == TOUCHED_INSIDE;
    text_addf(&e->summary, e->touched.written ? "%s wrote to its input: " : "%s used ", function);
    evidence_say_element(&e->summary, e);
    text_addf(&e->summary, " (%s)", signal_name(reply->code));
}

static void judge_end(struct evidence *e, const struct call_data *data,
                      const struct call_reply *reply) {
    const char *function = entry_name(data->plan.entry);
    const bool before = reply->phase == PHASE_NONE, after = reply->phase == PHASE_RETURNED;
    const char *when = before ? "before " : after ? "after " : "in ";
    switch (reply->end) {
    case CALL_DIED: judge_death(e, reply, function, when); break;
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
        const unsigned char *c =
            reply->bytes + data->region[MATRIX_A].bytes + data->region[MATRIX_B].bytes;
        const size_t bytes =
            (size_t)data->plan.shape.m * (size_t)data->plan.shape.n * sizeof(float);
        float *got = xmalloc(bytes); /* aligned, as the payload may not be */
        call_data_take(data, c, got);
        check_product(e, data, got);
        if (e->verdict == VERDICT_WRONG)
            e->got = got;
        else
            free(got);
    }
}

/* ---- What was printed ---- */

/* A check that the program brought itself ended it, by exit, assert or an exception. */
static void judge_own_check(struct evidence *e) {
    const bool aborted = e->verdict == VERDICT_CRASH && e->signal == SIGABRT;
    if (!aborted && !(e->verdict == VERDICT_EXIT && e->exit_status != 0))
        return;
    e->own_check = e->ended_itself = true;
    e->verdict = VERDICT_CUDA_ERROR;
    text_clear(&e->summary);
    text_addf(&e->summary, "a check in %s stopped the program", entry_name(e->plan.entry));
}

/* Is this the error that the call ended with? A program that ended itself did so for one that the
 * virtual GPU told of. */
static bool is_error(const struct evidence *e, int error) {
    return e->ended_itself ? facts_lead_to(&e->facts, (uint32_t)error) : e->error == error;
}

/* The virtual GPU explained a fault: find out which kind. */
static void judge_device_fault(struct evidence *e) {
    judge_own_check(e);
    if (e->verdict != VERDICT_CUDA_ERROR && e->verdict != VERDICT_EXIT &&
        e->verdict != VERDICT_CRASH)
        return;
    e->device_fault = true;
    if (e->verdict == VERDICT_EXIT)
        return; /* with 0: that was its own choice */
    if (is_error(e, ERROR_NOT_SUPPORTED)) {
        /* Not "not graded": any program can use that, and end. */
        e->verdict = VERDICT_CUDA_ERROR;
        e->lacking = true;
        text_clear(&e->summary);
        text_add(&e->summary, "the submission uses something that the virtual GPU lacks");
    } else if (is_error(e, ERROR_LAUNCH_TIMEOUT)) {
        e->verdict = VERDICT_TIMEOUT;
        e->at_limit = true;
    } else if (is_error(e, ERROR_ILLEGAL_ADDRESS) || is_error(e, ERROR_MISALIGNED_ADDRESS) ||
               e->verdict == VERDICT_CRASH) {
        e->verdict = VERDICT_MEMORY;
    }
}

void judge_printed(struct evidence *e, const char *errors, const char *output,
                   const struct facts *facts) {
    const bool errors_say = errors[strspn(errors, " \t\r\n")] != '\0';
    text_clear(&e->printed);
    text_add(&e->printed, errors_say ? errors : output);
    facts_copy(&e->facts, facts);
    if (facts->count > 0)
        judge_device_fault(e);
}
