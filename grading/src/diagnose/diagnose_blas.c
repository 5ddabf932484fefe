/*
 * diagnose_blas.c: rules for what cuBLAS was given: matrices, scalars, sizes and strides (see
 * diagnose.h). They look at the virtual GPU's messages and their fields.
 */
#include "grading/src/diagnose/diagnose.h"

#include <string.h>

/* ---- Pointers ---- */

/* alpha or beta where the pointer mode says that it lies on the device. */
static bool is_scalar_on_host(const struct vgpu_fact *f) {
    return f->says == VGPU_BLAS_VECTOR_AT && f->place == VGPU_AT_HOST && f->number[0] == 1 &&
           (strcmp(f->other, "alpha") == 0 || strcmp(f->other, "beta") == 0);
}

/* &A for A, or memory that malloc gave. */
static bool is_matrix_on_host(const struct vgpu_fact *f) {
    return f->says == VGPU_BLAS_MATRIX_AT && f->place == VGPU_AT_HOST;
}

/* A matrix of double where floats lie. */
static bool is_wide_matrix(const struct vgpu_fact *f) {
    return (f->says == VGPU_BLAS_MATRIX_SHORT || f->says == VGPU_BLAS_MATRIX_AT) &&
           f->number[3] != (int64_t)sizeof(float);
}

bool rule_cublas_pointers(struct inquiry *q, struct diagnosis *d) {
    const struct fact_body *scalar = diagnose_find(q, is_scalar_on_host, NULL),
                           *wide = diagnose_find(q, is_wide_matrix, NULL),
                           *matrix = diagnose_find(q, is_matrix_on_host, NULL);
    const struct fact_body *said = scalar ? scalar : wide ? wide : matrix;
    if (!q->g->lab->cublas || !said || q->verdict == VERDICT_PASS)
        return false;
    if (scalar) {
        d->class = "pointer-mode";
        text_addf(&d->sentence,
                  "cublasSetPointerMode has told cuBLAS that alpha and beta are on the device, but "
                  "%s is a variable of the host. Remove that call: without it, cuBLAS reads both "
                  "from the host, at &alpha and &beta.",
                  scalar->fact.other);
    } else if (wide) {
        d->class = "element-type";
        text_addf(&d->sentence,
                  "%s takes matrices whose elements have %lld bytes, but A, B and C hold floats, "
                  "with 4. Multiply floats with cublasSgemm: S for single precision.",
                  wide->fact.call, (long long)wide->fact.number[3]);
    } else {
        d->class = "host-pointer-in-kernel";
        d->topic = "@arguments";
        text_addf(&d->sentence,
                  "Matrix %s of cuBLAS is at an address of the host. A, B and C of matmul_device "
                  "already point to the device: pass them as they are, without &, and pass no "
                  "memory from malloc.",
                  matrix->fact.other);
    }
    text_add(&d->evidence, "the virtual GPU: ");
    diagnosis_quote(&d->evidence, said->words);
    return true;
}

/* ---- Sizes and strides ---- */

/* What a product of cuBLAS was told, from its refusal or fault: rows and columns of one of its
 * operands, and its leading dimension (0: that is what was refused). */
static bool cublas_operand(const struct trial *t, char *which, int *rows, int *cols, int *ld) {
    const struct vgpu_fact *stride = NULL, *matrix = NULL;
    for (int i = 0; i < t->facts.count; i++) {
        const struct vgpu_fact *f = &t->facts.at[i].fact;
        if (f->says == VGPU_BLAS_STRIDE && !stride)
            stride = f;
        if ((f->says == VGPU_BLAS_MATRIX_SHORT || f->says == VGPU_BLAS_MATRIX_AT) && f->product &&
            !matrix)
            matrix = f;
    }
    const struct vgpu_fact *f = stride ? stride : matrix;
    if (!f)
        return false;
    *which = f->other[0];
    *rows = (int)f->number[0];
    *cols = (int)f->number[1];
    *ld = stride ? 0 : (int)f->number[2];
    return true;
}

/* Row-major C = A B is asked for as B A, n x k times k x m; what lies transposed is told with its
 * sides exchanged. Were these the sizes? */
static const char *cublas_class(char which, int rows, int cols, int ld, const struct trial *t) {
    const struct shape s = t->shape;
    const int right[3][2] = {{s.n, s.k}, {s.k, s.m}, {s.n, s.m}};
    const int swapped[3][2] = {{s.m, s.k}, {s.k, s.n}, {s.m, s.n}};
    const int i = which - 'A';
    if (i < 0 || i > 2)
        return NULL;
    if ((i == 0 && t->layout.b_transposed) || (i == 1 && t->layout.a_transposed)) {
        const int given = rows;
        rows = cols;
        cols = given;
    }
    if (rows == right[i][0] && cols == right[i][1])
        return "stride-wrong";
    /* In several calls, each for some of the rows: then the last may have too many. If they lie as
     * far apart as in the whole matrix, it is not the stride. */
    if (i > 0 && rows == right[i][0] && ld == right[i][0] && cols != s.n && cols != s.k && cols > 1)
        return "slab-wrong";
    return rows == swapped[i][0] && cols == swapped[i][1] ? "m-n-swapped" : "m-n-k-swapped";
}

/* From one row in memory to the next: a transposed matrix has its columns there. */
static const char *leading_dimensions(struct layout l) {
    return l.a_transposed
               ? (l.b_transposed ? "m for A, k for B, n for C" : "m for A, n for B and C")
           : l.b_transposed ? "k for A and B, n for C"
                            : "k for A, n for B and C";
}

/* Another function than a product works outside of a matrix: its operand is told as it stands. */
static bool other_operand(struct inquiry *q, struct diagnosis *d) {
    for (int i = 0; i < q->evidence->facts.count && q->g->lab->cublas; i++) {
        const struct fact_body *said = &q->evidence->facts.at[i];
        const struct vgpu_fact *f = &said->fact;
        const bool outside = f->says == VGPU_BLAS_MATRIX_SHORT || f->says == VGPU_BLAS_MATRIX_AT;
        const bool refused = f->says == VGPU_BLAS_LEADING;
        if ((!outside && !refused) || f->product)
            continue;
        d->class = "stride-wrong";
        diagnosis_place_fact(d, f);
        if (refused)
            text_addf(&d->sentence, "%s gets a leading dimension of %s that is less than its rows",
                      f->call, f->other);
        else
            text_addf(&d->sentence,
                      "%s works beyond the end of its matrix %s: it is told of %d rows and %d "
                      "columns that lie %d elements apart",
                      f->call, f->other, (int)f->number[0], (int)f->number[1], (int)f->number[2]);
        text_add(&d->sentence,
                 ". The leading dimension is the distance at which the columns were written there: "
                 "whoever reads a matrix must name the one that its writer had.");
        text_add(&d->evidence, "the virtual GPU: ");
        diagnosis_quote(&d->evidence, said->words);
        return true;
    }
    return false;
}

bool rule_cublas_sizes(struct inquiry *q, struct diagnosis *d) {
    const char *class = NULL;
    char which = 0;
    int rows = 0, cols = 0;
    const struct trial *shown = NULL;
    for (int i = 0; i < q->trials.count && q->g->lab->cublas; i++) {
        const struct trial *t = q->trials.trial[i];
        const struct shape s = t->shape;
        char w;
        int r, c, ld;
        if (s.m == s.n || s.n == s.k || s.m == s.k || !cublas_operand(t, &w, &r, &c, &ld))
            continue;
        const char *told = cublas_class(w, r, c, ld, t);
        if (!told || (class && strcmp(class, told) != 0))
            return false;
        class = told;
        which = w, rows = r, cols = c, shown = t;
    }
    if (!class)
        return other_operand(q, d);
    d->class = class;
    if (strcmp(class, "stride-wrong") == 0)
        text_addf(&d->sentence,
                  "The sizes given to cuBLAS are right, but a leading dimension is not: it is the "
                  "number of elements from one row of a row-major matrix to the next, %s.",
                  leading_dimensions(q->g->lab->layout));
    else if (strcmp(class, "slab-wrong") == 0)
        text_addf(
            &d->sentence,
            "With m = %d a call of cuBLAS that computes %d rows of C works beyond a matrix. If "
            "you divide the product among several calls, each one's A begins at A + first * k "
            "and its C at C + first * n, and the last call has the rows that are left, m "
            "minus those of the calls before.",
            shown->shape.m, cols);
    else
        text_add(&d->sentence,
                 "The sizes given to cuBLAS are mixed up. It computes column-major matrices; the "
                 "row-major C = A B is its B times A, with the sizes n, m, k in this order.");
    text_addf(&d->evidence,
              "with m = %d, n = %d, k = %d cuBLAS was given a matrix %c of %d x %d, column-major",
              shown->shape.m, shown->shape.n, shown->shape.k, which, rows, cols);
    return true;
}
