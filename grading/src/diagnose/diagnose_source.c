/*
 * diagnose_source.c: causes that a look at the source makes sure of, once a product is wrong.
 *
 * What is looked for can hardly stand in a right program, and the product came out as it would from
 * such a mistake.
 */
#include "grading/src/diagnose/declarations.h"
#include "grading/src/diagnose/diagnose.h"

/* Does token i say where a thread stands in its block: threadIdx, or a variable that was set from
 * it last? One name may be a thread's place in one loop, and count something in another. */
static bool from_thread(const struct tokens *t, int body, int i) {
    if (token_is(t, i, "threadIdx"))
        return true;
    for (int k = i - 1; k >= body && token_is_name(t, i); k--)
        if (tokens_equal(&t->of[k], &t->of[i]) && token_is(t, k + 1, "="))
            return token_is(t, k + 2, "threadIdx");
    return false;
}

/* Behind NAME [..] or NAME [..][..] at i; i when there is none. *by_thread: an index names a place
 * in the block. */
static int behind_indices(const struct tokens *t, int body, int end, int i, bool *by_thread) {
    int at = i + 1;
    *by_thread = false;
    while (token_is(t, at, "[")) {
        const int close = token_closing(t, at);
        for (int k = at + 1; k < close && k < end; k++)
            *by_thread = *by_thread || from_thread(t, body, k);
        at = close + 1;
    }
    return at == i + 1 ? i : at;
}

/* An array of a thread's own, declared at token d, that each thread sets at its place in the block:
 * one element of it, while the others are meant to be set by others. */
static bool is_unshared_tile(const struct tokens *t, int d, int body, int end) {
    static const char *const elsewhere[] = {"__shared__", "extern", "static", "const",
                                            "__constant__"};
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (declared_with(t, d, elsewhere[i]))
            return false;
    bool by_thread;
    if (!(token_is(t, d - 1, "float") || token_is(t, d - 1, "double")) || !token_is(t, d + 1, "["))
        return false;
    for (int i = d + 1; i < end; i++) {
        const int behind =
            tokens_equal(&t->of[i], &t->of[d]) ? behind_indices(t, body, end, i, &by_thread) : i;
        if (behind > i && by_thread && token_is(t, behind, "="))
            return true;
    }
    return false;
}

/* A tile that is declared in a kernel with barriers, and not shared; -1: there is none. */
static int find_unshared_tile(const struct tokens *t) {
    bool shares = false;
    for (int i = 0; i < t->count; i++)
        shares = shares || token_is(t, i, "__shared__");
    bool body;
    for (int f = 0; f < t->count; f++) {
        if (!declares_function(t, f, &body) || !body ||
            !(declared_kernel(t, f) || declared_with(t, f, "__device__")))
            continue;
        const int open = token_closing(t, f + 1) + 1, end = token_closing(t, open);
        bool waits = false;
        for (int i = open; i < end; i++)
            waits = waits || token_is(t, i, "__syncthreads");
        for (int i = open; i < end && waits; i++)
            if (is_unshared_tile(t, i, open, end))
                return i;
        /* Without any shared memory a barrier has no use, wherever the array's elements are set. */
        for (int i = open; i < end && waits && !shares; i++)
            if (token_is(t, i - 1, "float") && token_is_name(t, i) && token_is(t, i + 1, "["))
                return i;
    }
    return -1;
}

/* The name of an array of dynamic shared memory that is declared here, "extern __shared__ float
 * name[]"; -1: there is none. */
static int dynamic_array(const struct tokens *t, int i) {
    if (!token_is(t, i, "extern"))
        return -1;
    bool shared = false;
    const int end = token_statement_end(t, i);
    for (int k = i + 1; k < end; k++) {
        shared = shared || token_is(t, k, "__shared__");
        if (shared && token_is(t, k, "[") && token_is_name(t, k - 1))
            return k - 1;
    }
    return -1;
}

/* Both tiles as dynamic shared memory: there is one such array in a block, however many names it
 * has. */
bool rule_two_dynamic(struct inquiry *q, struct diagnosis *d) {
    if (q->entry == ENTRY_CPU)
        return false;
    struct tokens t = tokens_read(q->g->submission.bytes);
    int first = -1, second = -1;
    for (int i = 0; i < t.count && second < 0; i++) {
        const int at = dynamic_array(&t, i);
        if (at < 0)
            continue;
        if (first >= 0 && declared_around(&t, at) == declared_around(&t, first) &&
            !tokens_equal(&t.of[at], &t.of[first]))
            second = at;
        else
            first = at;
    }
    if (second >= 0) {
        const struct token *one = &t.of[first], *other = &t.of[second];
        d->class = "shared-overlap";
        d->file = xstrdup(q->g->submission.name);
        d->line = other->line;
        text_addf(&d->sentence,
                  "%.*s and %.*s are the same memory: all arrays that are declared extern "
                  "__shared__ begin at the same address. Declare one, as large as both tiles "
                  "together in the launch, and let the second tile begin behind the first: float "
                  "*%.*s = %.*s + TILE * TILE;",
                  (int)one->length, one->text, (int)other->length, other->text, (int)other->length,
                  other->text, (int)one->length, one->text);
        text_addf(&d->evidence, "lines %d and %d declare them", one->line, other->line);
    }
    tokens_free(&t);
    return second >= 0;
}

int source_shared_arrays(const char *source) {
    struct tokens t = tokens_read(source);
    int found = 0;
    for (int i = 0; i < t.count; i++)
        for (int k = i + 1; token_is(&t, i, "__shared__") && k < token_statement_end(&t, i); k++)
            found += token_is(&t, k, "[") && token_is_name(&t, k - 1);
    tokens_free(&t);
    return found;
}

bool rule_not_shared(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_WRONG || q->entry == ENTRY_CPU)
        return false;
    struct tokens t = tokens_read(q->g->submission.bytes);
    const int at = find_unshared_tile(&t);
    if (at >= 0) {
        const struct token *name = &t.of[at];
        d->class = "not-shared";
        d->file = xstrdup(q->g->submission.name);
        d->line = name->line;
        text_addf(
            &d->sentence,
            "%.*s is declared without __shared__: each thread has an array of its own, and "
            "sees nothing of what the others store. Write __shared__ before it, and the threads "
            "of a block fill one array together.",
            (int)name->length, name->text);
        text_addf(&d->evidence, "line %d declares it, and threads store at their own place",
                  name->line);
    }
    tokens_free(&t);
    return at >= 0;
}

/* ---- Pointers and sizes that are not what they look like ---- */

/* dim3 block = (16, 16): what stands in front of the comma counts for nothing. */
static int find_comma_sizes(const struct tokens *t) {
    for (int i = 0; i < t->count; i++) {
        if (!token_is(t, i, "dim3") || !token_is_name(t, i + 1) || !token_is(t, i + 2, "=") ||
            !token_is(t, i + 3, "("))
            continue;
        int depth = 0;
        const int close = token_closing(t, i + 3);
        for (int k = i + 3; k < close; k++) {
            depth += token_is(t, k, "(") - token_is(t, k, ")");
            if (depth == 1 && token_is(t, k, ",") && token_is(t, close + 1, ";"))
                return i;
        }
    }
    return -1;
}

bool rule_comma_sizes(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict == VERDICT_PASS || q->entry == ENTRY_CPU)
        return false;
    struct tokens t = tokens_read(q->g->submission.bytes);
    const int at = find_comma_sizes(&t);
    if (at >= 0) {
        const struct token *name = &t.of[at + 1];
        d->class = "index-wrong";
        d->topic = "@launch";
        d->file = xstrdup(q->g->submission.name);
        d->line = name->line;
        text_addf(&d->sentence,
                  "dim3 %.*s = (x, y) takes only the last number, as the size along x: a comma in "
                  "parentheses drops what comes before it. Write dim3 %.*s(x, y).",
                  (int)name->length, name->text, (int)name->length, name->text);
        text_addf(&d->evidence, "line %d says so", name->line);
    }
    tokens_free(&t);
    return at >= 0;
}

/* Of the arguments in these parentheses, or of <<< >>>: is there one alone, and is it a product? */
static bool is_one_product(const struct tokens *t, int from, int end) {
    bool product = false;
    for (int i = from; i < end; i++) {
        if (token_is(t, i, ",") || token_is(t, i, "dim3"))
            return false;
        product = product || token_is(t, i, "*");
    }
    return product;
}

/* The kernel that is launched at token `launch`, a <<<: where it is defined, or -1. */
static int kernel_of(const struct tokens *t, int launch) {
    int name = launch - 1, depth = 0;
    while (name > 0 && (depth > 0 || token_is(t, name, ">"))) { /* multiply<16><<< */
        depth += token_is(t, name, ">") - token_is(t, name, "<");
        name--;
    }
    return token_is_name(t, name) ? declared_function(t, &t->of[name]) : -1;
}

/* Does the kernel that is defined at token f ask for a thread's place along y? */
static bool asks_for_y(const struct tokens *t, int f) {
    const int open = f >= 0 ? token_closing(t, f + 1) + 1 : t->count;
    const int end = token_is(t, open, "{") ? token_closing(t, open) : open;
    for (int i = open; i < end; i++)
        if (token_is(t, i, "threadIdx") && token_is(t, i + 1, ".") && token_is(t, i + 2, "y"))
            return true;
    return false;
}

/* What a launch is given as its block, if that is a product of sizes alone, dim3 block(16 * 16) or
 * <<<grid, 16 * 16>>>, and its kernel asks for a place along y; the token where the product begins,
 * or -1. */
static int find_flat_block(const struct tokens *t) {
    for (int i = 0; i < t->count; i++) {
        if (!token_is(t, i, "<<<") || !asks_for_y(t, kernel_of(t, i)))
            continue;
        int comma = i + 1, end, depth = 0;
        for (; comma < t->count && (depth > 0 || !token_is(t, comma, ",")); comma++)
            depth += token_is(t, comma, "(") - token_is(t, comma, ")");
        for (end = comma + 1;
             end < t->count && (depth > 0 || !(token_is(t, end, ",") || token_is(t, end, ">>>")));
             end++)
            depth += token_is(t, end, "(") - token_is(t, end, ")");
        if (is_one_product(t, comma + 1, end))
            return comma + 1;
        for (int k = 1; k < i && end == comma + 2; k++)
            if (tokens_equal(&t->of[k], &t->of[comma + 1]) && token_is(t, k - 1, "dim3") &&
                token_is(t, k + 1, "(") && is_one_product(t, k + 2, token_closing(t, k + 1)))
                return k;
    }
    return -1;
}

/* The threads of a block of one kernel, in a failing case; false: nothing ran, or several ran. */
static bool block_of_one_kernel(const struct inquiry *q, uint64_t *x, uint64_t *y) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct work *w = &c->seen.work[0];
        if (!inquiry_counts(q, c) || c->seen.calls == 0 || w->of[WORK_LAUNCHES] != 1)
            continue;
        *x = w->of[WORK_BLOCK_X];
        *y = w->of[WORK_BLOCK_Y];
        return true;
    }
    return false;
}

bool rule_flat_block(struct inquiry *q, struct diagnosis *d) {
    uint64_t x, y;
    if (q->verdict == VERDICT_PASS || q->entry == ENTRY_CPU || !block_of_one_kernel(q, &x, &y) ||
        y != 1)
        return false;
    struct tokens t = tokens_read(q->g->submission.bytes);
    const int at = find_flat_block(&t);
    if (at >= 0) {
        d->class = "index-wrong";
        d->topic = "@launch";
        d->file = xstrdup(q->g->submission.name);
        d->line = t.of[at].line;
        text_addf(&d->sentence,
                  "The blocks have %llu x 1 threads: a product is one number, the size along x. So "
                  "threadIdx.y is 0 in every thread, and the kernel uses it. Give the block both "
                  "sizes, as in dim3 block(width, height).",
                  (unsigned long long)x);
        text_addf(&d->evidence, "line %d says so, and blocks of %llu x 1 threads ran",
                  t.of[at].line, (unsigned long long)x);
    }
    tokens_free(&t);
    return at >= 0;
}

/* cudaMalloc((void **)dA, ...), where dA is a float *; the token dA, or -1. */
static int find_malloc_without_address(const struct tokens *t) {
    bool constant;
    for (int i = 0; i < t->count; i++) {
        if (!token_is(t, i, "cudaMalloc") || !token_is(t, i + 1, "(") || !token_is(t, i + 2, "("))
            continue;
        const int name = token_closing(t, i + 2) + 1;
        if (token_is_name(t, name) && token_is(t, name + 1, ",") &&
            declared_pointer(t, &t->of[name], &constant))
            return name;
    }
    return -1;
}

/* cublasHandle_t *handle, given to cublasCreate as it is; the token, or -1. */
static int find_handle_without_place(const struct tokens *t) {
    for (int i = 2; i < t->count; i++) {
        if (!token_is(t, i - 2, "cublasHandle_t") || !token_is(t, i - 1, "*") ||
            !token_is(t, i + 1, ";"))
            continue;
        for (int k = i; k + 3 < t->count; k++)
            if (token_is(t, k, "cublasCreate") && tokens_equal(&t->of[k + 2], &t->of[i]) &&
                token_is(t, k + 3, ")"))
                return i;
    }
    return -1;
}

bool rule_pointer_never_set(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict == VERDICT_PASS || q->verdict == VERDICT_WRONG || q->entry == ENTRY_CPU)
        return false;
    struct tokens t = tokens_read(q->g->submission.bytes);
    const int pointer = find_malloc_without_address(&t), handle = find_handle_without_place(&t);
    const int at = pointer >= 0 ? pointer : handle;
    if (at >= 0) {
        const struct token *name = &t.of[at];
        d->class = "crash";
        d->topic = pointer >= 0 ? "@buffers" : "@handles";
        d->file = xstrdup(q->g->submission.name);
        d->line = name->line;
        if (pointer >= 0)
            text_addf(&d->sentence,
                      "cudaMalloc gets the pointer %.*s, which was never set, and stores the "
                      "address of new memory wherever it leads. It needs the address of the "
                      "pointer: cudaMalloc((void **)&%.*s, bytes). The cast hides the mistake.",
                      (int)name->length, name->text, (int)name->length, name->text);
        else
            text_addf(&d->sentence,
                      "%.*s is a pointer to a handle, but there is no handle for it to point to: "
                      "cublasCreate stores wherever it leads. Declare the handle itself, "
                      "cublasHandle_t %.*s, and pass its address, &%.*s.",
                      (int)name->length, name->text, (int)name->length, name->text,
                      (int)name->length, name->text);
        text_addf(&d->evidence, "line %d says so", name->line);
    }
    tokens_free(&t);
    return at >= 0;
}
