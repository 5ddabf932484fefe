/* suspect.c: what the suspects share (see suspect.h). */
#include "grading/src/diagnose/suspect.h"

#include <math.h>
#include <string.h>

/* What explains every element comes before what explains most, one change to all of them before an
 * index, an index before a run of terms. */
bool suspect_products(const struct trials *all, const struct suspect_context *c,
                      struct diagnosis *d) {
    /* These compute what wrong indices find in memory, where A and B lie row by row. */
    const bool plain = !c->layout.a_transposed && !c->layout.b_transposed && c->layout.padding == 0;
    if (suspect_product(all, c, d))
        return true;
    if (c->product.kind == PRODUCT_MIN_PLUS) /* the others know sums of products */
        return suspect_nothing(all, c, d) || suspect_coverage(all, c, d);
    if (!plain)
        return suspect_nothing(all, c, d) || suspect_layout(all, c, d) ||
               suspect_values(all, c, d) || suspect_blocks(all, c, d) ||
               suspect_coverage(all, c, d) || suspect_terms(all, c, d) || suspect_sums(all, c, d) ||
               suspect_precision(all, c, d);
    return suspect_nothing(all, c, d) || suspect_parts(all, c, d) || suspect_fragments(all, c, d) ||
           suspect_splits(all, c, d) || suspect_values(all, c, d) || suspect_walks(all, c, d) ||
           suspect_formula(all, c, d) || suspect_blocks(all, c, d) || suspect_guards(all, c, d) ||
           suspect_coverage(all, c, d) || suspect_terms(all, c, d) || suspect_sums(all, c, d) ||
           suspect_registers(all, c, d) || suspect_tiles(all, c, d) || suspect_moved(all, c, d) ||
           suspect_weights(all, c, d) || suspect_precision(all, c, d);
}

static void say_number(struct text *t, double x) {
    if (isnan(x))
        text_add(t, "nan");
    else if (isfinite(x) && x == floor(x) && fabs(x) < 1e9)
        text_addf(t, "%.0f", x + 0.0);
    else
        text_addf(t, "%.9g", x);
}

/* What it should be by. */
static void say_rule(struct text *to, const struct trial *t, size_t row, size_t col) {
    const size_t at = row * (size_t)t->shape.n + col;
    switch (t->product.kind) {
    case PRODUCT_MIN_PLUS:
        text_addf(to, ", the least A[%zu][p] + B[p][%zu], and ", row, col);
        return;
    case PRODUCT_SCALED:
        text_addf(to, ", %d times the sum of A[%zu][p] * B[p][%zu] and %d times ", t->product.alpha,
                  row, col, t->product.beta);
        say_number(to, (double)t->held[at]);
        text_add(to, ", which C held before, and ");
        return;
    case PRODUCT_PLAIN: break;
    }
    text_addf(to, ", the sum of A[%zu][p] * B[p][%zu], and ", row, col);
}

void suspect_example(struct text *to, const struct trial *t, size_t at, const char *what) {
    const struct shape s = t->shape;
    if (!t->got || at >= trial_elements(t))
        return;
    const size_t row = at / (size_t)s.n, col = at % (size_t)s.n;
    text_addf(to, " For example, with m = %d, n = %d, k = %d, C[%zu][%zu] should be ", s.m, s.n,
              s.k, row, col);
    say_number(to, trial_shown_want(t, at));
    say_rule(to, t, row, col);
    if (trial_untouched(t, at)) {
        text_add(to, "was never written");
    } else {
        text_add(to, "is ");
        say_number(to, (double)trial_shown_got(t, at));
    }
    text_addf(to, "%s%s.", what ? ": " : "", what ? what : "");
}

/* Elements; but thin and tiny matrices come last. */
static size_t weight(const struct trial *t) {
    return t->shape.m < 4 || t->shape.n < 4 ? SIZE_MAX : trial_elements(t);
}

const struct trial *suspect_best(const struct trials *all, bool clean) {
    const struct trial *best = NULL;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!trial_wrong(t) || (clean && !trial_clean(t)))
            continue;
        const bool own = strcmp(t->name, "probe") != 0;
        const bool best_own = best && strcmp(best->name, "probe") != 0;
        /* Of several elements, so that rows and columns can be told apart; then the smallest. */
        const size_t size = weight(t), best_size = best ? weight(best) : SIZE_MAX;
        if (!best || (size != SIZE_MAX && best_size == SIZE_MAX) ||
            (size != SIZE_MAX && own > best_own) || (own == best_own && size < best_size))
            best = t;
    }
    return best;
}

size_t suspect_element(const struct trial *t, bool written) {
    const size_t total = trial_elements(t), n = (size_t)t->shape.n;
    size_t any = total;
    if (!t->got)
        return total;
    for (size_t at = 0; at < total; at++) {
        if (trial_right(t, at) || (written && trial_untouched(t, at)))
            continue;
        if (at / n > 0 && at % n > 0 && at / n != at % n)
            return at;
        any = any == total ? at : any;
    }
    return any;
}
