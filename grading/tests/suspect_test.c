/*
 * suspect_test.c: every known mistake, made here by a small program of its own, is recognised among
 * all others; noise is not.
 *
 * The programs are written as students write them, with loops and indices, not as the suspects
 * compute them. They read and write through at() and to(), which note what lies outside: such a
 * call counts as one that ended with a memory fault. The file is as long as the list of mistakes.
 */
#include "common/tests/suite.h"
#include "grading/src/diagnose/numbered.h"
#include "grading/src/diagnose/suspect.h"
#include "grading/src/run/cause.h"

#include "common/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool outside; /* the program that runs left a matrix */
static bool room;    /* there are zeros around A and B, which it may read */
static struct shape s;
static const float *A, *B;
static float *C;

static float read_from(const float *x, int i, int count) {
    if (i < 0 || i >= count) {
        outside = outside || !room;
        return 0;
    }
    return x[i];
}
static float a(int i) {
    return read_from(A, i, s.m * s.k);
}
static float b(int i) {
    return read_from(B, i, s.k * s.n);
}
static void to(int i, float x) {
    if (i < 0 || i >= s.m * s.n)
        outside = true;
    else
        C[i] = x;
}
static float dot(int i, int j, int from, int end) {
    float sum = 0;
    for (int p = from; p < end; p++)
        sum += a(i * s.k + p) * b(p * s.n + j);
    return sum;
}

#define PROGRAM(name, ...)                                                                         \
    static void name(void) {                                                                       \
        const int m = s.m, n = s.n, k = s.k;                                                       \
        (void)m, (void)n, (void)k;                                                                 \
        __VA_ARGS__                                                                                \
    }
#define EACH(rows, cols, store, first, terms, x, y)                                                \
    for (int i = 0; i < (rows); i++)                                                               \
        for (int j = 0; j < (cols); j++) {                                                         \
            float sum = 0;                                                                         \
            for (int p = (first); p < (terms); p++)                                                \
                sum += (x) * (y);                                                                  \
            to(store, sum);                                                                        \
        }

/* The formatter takes products for pointers. */
/* clang-format off */
PROGRAM(b_guarded_by_k, EACH(m, n, i * n + j, 0, k, a(i * k + p), j < k ? b(p * n + j) : 0))
PROGRAM(a_guarded_by_n, EACH(m, n, i * n + j, 0, k, i < n ? a(i * k + p) : 0, b(p * n + j)))
PROGRAM(whole_fours, EACH(m, n, i * n + j, 0, k / 4 * 4, a(i * k + p), b(p * n + j)))
PROGRAM(right, EACH(m, n, i * n + j, 0, k, a(i * k + p), b(p * n + j)))
PROGRAM(transposed_a, EACH(m, n, i * n + j, 0, k, a(p * m + i), b(p * n + j)))
PROGRAM(transposed_b, EACH(m, n, i * n + j, 0, k, a(i * k + p), b(j * k + p)))
PROGRAM(transposed_c, EACH(m, n, j * m + i, 0, k, a(i * k + p), b(p * n + j)))
PROGRAM(column_major, EACH(m, n, j * m + i, 0, k, a(p * m + i), b(j * k + p)))
PROGRAM(indices_exchanged, EACH(m, n, j * n + i, 0, k, a(p * k + i), b(j * n + p)))
PROGRAM(stride_a_n, EACH(m, n, i * n + j, 0, k, a(i * n + p), b(p * n + j)))
PROGRAM(stride_a_m, EACH(m, n, i * n + j, 0, k, a(i * m + p), b(p * n + j)))
PROGRAM(stride_b_k, EACH(m, n, i * n + j, 0, k, a(i * k + p), b(p * k + j)))
PROGRAM(stride_b_m, EACH(m, n, i * n + j, 0, k, a(i * k + p), b(p * m + j)))
PROGRAM(stride_c_m, EACH(m, n, i * m + j, 0, k, a(i * k + p), b(p * n + j)))
PROGRAM(loops_swapped, EACH(n, m, i * n + j, 0, k, a(i * k + p), b(p * n + j)))
PROGRAM(sizes_swapped, EACH(n, m, i * m + j, 0, k, a(i * k + p), b(p * m + j)))
PROGRAM(all_are_n, EACH(n, n, i * n + j, 0, n, a(i * n + p), b(p * n + j)))
PROGRAM(sum_to_n, EACH(m, n, i * n + j, 0, n, a(i * k + p), b(p * n + j)))
PROGRAM(n_k_swapped, EACH(m, k, i * k + j, 0, n, a(i * n + p), b(p * k + j)))
PROGRAM(width_64, EACH(m, n, i * 64 + j, 0, k, a(i * 64 + p), b(p * 64 + j)))
PROGRAM(both_from_a, EACH(m, n, i * n + j, 0, k, a(i * k + p), a(p * n + j)))
PROGRAM(both_from_b, EACH(m, n, i * n + j, 0, k, b(i * k + p), b(p * n + j)))
PROGRAM(b_times_a, EACH(m, n, i * n + j, 0, k, b(i * k + p), a(p * n + j)))
PROGRAM(first_dropped, EACH(m, n, i * n + j, 1, k, a(i * k + p), b(p * n + j)))
PROGRAM(last_dropped, EACH(m, n, i * n + j, 0, k - 1, a(i * k + p), b(p * n + j)))
PROGRAM(tile_dropped, EACH(m, n, i * n + j, 0, k / 16 * 16, a(i * k + p), b(p * n + j)))
PROGRAM(whole_tile_dropped, EACH(m, n, i * n + j, 0, (k - 1) / 16 * 16, a(i * k + p), b(p * n + j)))
PROGRAM(one_tile, EACH(m, n, i * n + j, 0, k < 16 ? k : 16, a(i * k + p), b(p * n + j)))
PROGRAM(reset, EACH(m, n, i * n + j, (k - 1) / 16 * 16, k, a(i * k + p), b(p * n + j)))
PROGRAM(only_last, EACH(m, n, i * n + j, k - 1, k, a(i * k + p), b(p * n + j)))
PROGRAM(last_row, EACH(m - 1, n, i * n + j, 0, k, a(i * k + p), b(p * n + j)))
PROGRAM(last_column, EACH(m, n - 1, i * n + j, 0, k, a(i * k + p), b(p * n + j)))
PROGRAM(blocks_down, EACH(m / 16 * 16, n / 16 * 16, i * n + j, 0, k, a(i * k + p), b(p * n + j)))
PROGRAM(zeros, for (int i = 0; i < m * n; i++) to(i, 0);)
PROGRAM(added_up, for (int i = 0; i < m * n; i++) {
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a(i / n * k + p) + b(p * n + i % n);
    to(i, sum);
})
PROGRAM(taken_away, for (int i = 0; i < m * n; i++) {
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a(i / n * k + p) - b(p * n + i % n);
    to(i, sum);
})
PROGRAM(by_elements, for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
        to(i * n + j, a(i * k + j) * b(i * n + j));)
PROGRAM(a_at_i, EACH(m, n, i * n + j, 0, k, a(i * k + i), b(p * n + j)))
PROGRAM(b_at_i, EACH(m, n, i * n + j, 0, k, a(i * k + p), b(p * n + i)))
PROGRAM(a_row_j, EACH(m, n, i * n + j, 0, k, a(j * k + p), b(p * n + j)))
PROGRAM(a_panel, EACH(m, n, i * n + j, 0, k, a(i * k + p % 48), b(p * n + j)))
PROGRAM(b_panel, EACH(m, n, i * n + j, 0, k, a(i * k + p), b(p % 48 * n + j)))
PROGRAM(b_columns, EACH(m, n, i * n + j, 0, k, a(i * k + p), b(p * n + j % 24)))
PROGRAM(a_rows, EACH(m, n, i * n + j, 0, k, a(i % 4 * k + p), b(p * n + j)))
PROGRAM(onto_columns, zeros(); for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
        to(i * n + j % 24, C[i * n + j % 24] + dot(i, j, 0, k));)
PROGRAM(onto_rows, zeros(); for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
        to(i % 4 * n + j, C[i % 4 * n + j] + dot(i, j, 0, k));)
PROGRAM(rows_twice, zeros(); for (int i = 0; i < m; i++)
    for (int r = i; r < m && r < i + 4; r++)
        for (int j = 0; j < n; j++)
            to(r * n + j, C[r * n + j] + dot(r, j, 0, k));)
PROGRAM(panels_twice, zeros(); for (int q = 0; q < k; q += 20)
    for (int i = 0; i < m * n; i++)
        to(i, C[i] + dot(i / n, i % n, q, k));)
PROGRAM(terms_64, EACH(m, n, i * n + j, 0, 64, a(i * k + p), b(p * n + j)))
PROGRAM(nothing, )
PROGRAM(diagonal, for (int i = 0; i < m && i < n; i++) to(i * n + i, dot(i, i, 0, k));)
PROGRAM(twice, for (int i = 0; i < m * n; i++) to(i, 2 * dot(i / n, i % n, 0, k));)
PROGRAM(accumulates, for (int i = 0; i < m * n; i++) to(i, C[i] + dot(i / n, i % n, 0, k));)
PROGRAM(one_nan, right(); to(m * n - 1, NAN);)
PROGRAM(carries, float sum = 0; for (int i = 0; i < m * n; i++) {
    sum += dot(i / n, i % n, 0, k);
    to(i, sum);
})
/* The sums of a block's first tile are kept for its second one, 32 columns further on. */
PROGRAM(goes_on, for (int i = 0; i < m * n; i++)
    to(i, dot(i / n, i % n, 0, k) + (i % n >= 32 ? C[i - 32] : 0));)
PROGRAM(stops_in_a, for (int i = 0; i < m * n; i++) {
    int p = 0;
    while (p < k && a(i / n * k + p) != 0)
        p++;
    to(i, dot(i / n, i % n, 0, p));
})
PROGRAM(added_in_pieces, for (int i = 0; i < m * n; i++) {
    float sum = 0;
    for (int p = 0; p < k; p++) {
        sum += dot(i / n, i % n, p, p + 1);
        if (p % 16 == 15 || p == k - 1)
            to(i, C[i] + sum);
    }
})
PROGRAM(nan_or_right, for (int i = 0; i < m * n; i++)
    to(i, i / n % 2 ? NAN : dot(i / n, i % n, 0, k));)
PROGRAM(tile_a_down, for (int i = 0; i < m * n; i++) {
    float sum = 0;
    for (int q = 0; q < k / 16; q++)
        for (int e = 0; e < 16; e++)
            if (i / n + q * 16 < m)
                sum += a((i / n + q * 16) * k + e) * b((q * 16 + e) * n + i % n);
    outside = outside || k % 16;
    to(i, sum);
})
PROGRAM(tile_b_right, for (int i = 0; i < m * n; i++) {
    float sum = 0;
    for (int q = 0; q < k / 16; q++)
        for (int e = 0; e < 16; e++)
            sum += a(i / n * k + q * 16 + e) * b(e * n + i % n + q * 16);
    outside = outside || k % 16;
    to(i, sum);
})
PROGRAM(tile_again, for (int i = 0; i < m * n; i++)
    to(i, dot(i / n, i % n, 0, k) + (k > 16 ? dot(i / n, i % n, k - 16, k / 16 * 16) : 0));)
PROGRAM(clamped, for (int i = 0; i < m * n; i++)
    to(i, dot(i / n, i % n, 0, k) + (float)((16 - k % 16) % 16) * dot(i / n, i % n, k - 1, k));)
PROGRAM(ones_beyond, for (int i = 0; i < m * n; i++)
    to(i, dot(i / n, i % n, 0, k) + (float)((16 - k % 16) % 16));)
PROGRAM(rows_misplaced, for (int i = 0; i < m * n; i++) {
    const int row = (i / n) ^ 1;
    to(i, dot(row < m ? row : i / n, i % n, 0, k));
})
/* clang-format on */

/* Tiles of 16; shapes with edges are left to fault. */
static void tiled(int way) {
    const int m = s.m, n = s.n, k = s.k;
    outside = m % 16 || n % 16 || k % 16;
    for (int i = 0; i < m && !outside; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int q = 0; q < k / 16; q++) {
                for (int e = 0; e < 16; e++) {
                    const int row = way == 0 ? i / 16 * 16 + e : i;
                    const int p = way == 0   ? q * 16 + i % 16
                                  : way == 2 ? e
                                  : way == 3 ? q + e
                                             : q * 16 + e;
                    const float x = a(row * k + p);
                    const float y = way == 1   ? b((q * 16 + j % 16) * n + j / 16 * 16 + e)
                                    : way == 3 ? b((q + e) * n + j)
                                               : b((q * 16 + e) * n + j);
                    sum += x * y;
                }
            }
            if (way == 4 && m == n)
                to((j / 16 * 16 + i % 16) * n + i / 16 * 16 + j % 16, sum);
            else
                to(i * n + j, sum);
        }
    }
    outside = outside || (way == 4 && m != n);
}
static void tile_a(void) {
    tiled(0);
}
static void tile_b(void) {
    tiled(1);
}
static void first_tile(void) {
    tiled(2);
}
static void by_one(void) {
    tiled(3);
}
static void blocks(void) {
    tiled(4);
}

/* clang-format off */
PROGRAM(carries_in_row, for (int i = 0; i < m; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++) {
        sum += dot(i, j, 0, k);
        to(i * n + j, sum);
    }
})
PROGRAM(tiles_lack_last, EACH(m, n, i * n + j, 0, k, a(i * k + p), p % 16 == 15 ? 0 : b(p * n + j)))
PROGRAM(tiles_lack_first, EACH(m, n, i * n + j, 0, k, a(i * k + p), p % 16 == 0 ? 0 : b(p * n + j)))
PROGRAM(from_phase_1, EACH(m, n, i * n + j, 16, k, a(i * k + p), b(p * n + j)))
PROGRAM(added_again, for (int i = 0; i < m * n; i++)
    to(i, dot(i / n, i % n, 0, k) + dot(i / n, i % n, 0, (k - 1) / 32 * 32));)
/* clang-format on */

/* Threads of blocks of 16 x 16, as a student writes them; the tile of A is filled from row a_row
 * and column a_col within its block and phase, B's likewise. Used are As[y][e] and Bs[e][x]. */
struct lane {
    int x, y;
};
static int of_x(struct lane l) {
    return l.x;
}
static int of_y(struct lane l) {
    return l.y;
}
typedef int part(struct lane l);
static void thread_tiles(part *row, part *col, part *a_row, part *a_col, part *b_row, part *b_col,
                         int b_late) {
    outside = s.m % 16 || s.n % 16 || s.k % 16;
    for (int at = 0; at < s.m * s.n && !outside; at++) {
        const struct lane me = {at % 16, at / s.n % 16};
        const int by = at / s.n / 16, bx = at % s.n / 16;
        float sum = 0;
        for (int q = 0; q < s.k / 16; q++)
            for (int e = 0; e < 16; e++) {
                const struct lane fa = {e, me.y}, fb = {me.x, e};
                const int late = q < b_late ? 0 : q - b_late;
                const int ra = by * 16 + a_row(fa), cb = bx * 16 + b_col(fb);
                sum += a(ra * s.k + q * 16 + a_col(fa)) * b((late * 16 + b_row(fb)) * s.n + cb);
            }
        to((by * 16 + row(me)) * s.n + bx * 16 + col(me), sum);
    }
}
static void all_of_xy(void) {
    thread_tiles(of_x, of_y, of_x, of_x, of_y, of_y, 0);
}
static void store_xy(void) {
    thread_tiles(of_x, of_y, of_y, of_x, of_y, of_x, 0);
}
static void a_column_y(void) {
    thread_tiles(of_y, of_x, of_y, of_y, of_y, of_x, 0);
}
static void b_row_x(void) {
    thread_tiles(of_y, of_x, of_y, of_x, of_x, of_x, 0);
}
static void b_column_y(void) {
    thread_tiles(of_y, of_x, of_y, of_x, of_y, of_y, 0);
}
static void b_late(void) {
    thread_tiles(of_y, of_x, of_y, of_x, of_y, of_x, 1);
}

/* A kernel with blocks of 16 x 16 threads: how its thread (x, y) of block (bx, by) fills the tiles
 * in phase q, and what it multiplies as term e. Shapes with edges are left to fault. */
#define TILED(name, fill_a, fill_b, factor_a, factor_b)                                            \
    static void name(void) {                                                                       \
        const int m = s.m, n = s.n, k = s.k;                                                       \
        outside = m % 16 || n % 16 || k % 16;                                                      \
        for (int block = 0; block < m / 16 * (n / 16) && !outside; block++) {                      \
            const int by = block / (n / 16), bx = block % (n / 16);                                \
            float As[16][16], Bs[16][16], sum[16][16] = {{0}};                                     \
            for (int q = 0; q < k / 16; q++) {                                                     \
                for (int y = 0; y < 16; y++)                                                       \
                    for (int x = 0; x < 16; x++) {                                                 \
                        fill_a;                                                                    \
                        fill_b;                                                                    \
                    }                                                                              \
                for (int i = 0; i < 16 * 16 * 16; i++) {                                           \
                    const int y = i / 256, x = i / 16 % 16, e = i % 16;                            \
                    sum[y][x] += (factor_a) * (factor_b);                                          \
                }                                                                                  \
            }                                                                                      \
            for (int i = 0; i < 256; i++)                                                          \
                to((by * 16 + i / 16) * n + bx * 16 + i % 16, sum[i / 16][i % 16]);                \
        }                                                                                          \
        (void)m;                                                                                   \
    }
#define FILL_A As[y][x] = a((by * 16 + y) * k + q * 16 + x)
#define FILL_B Bs[y][x] = b((q * 16 + y) * n + bx * 16 + x)
/* clang-format off */
TILED(a_from_first_rows, As[y][x] = a(y * k + q * 16 + x), FILL_B, As[y][e], Bs[e][x])
TILED(b_from_first_columns, FILL_A, Bs[y][x] = b((q * 16 + y) * n + x), As[y][e], Bs[e][x])
TILED(one_array, As[y][x] = b((q * 16 + y) * n + bx * 16 + x), FILL_B, As[y][e], Bs[e][x])
TILED(a_diagonal, FILL_A, FILL_B, As[e][e], Bs[e][x])
TILED(b_fixed, FILL_A, FILL_B, As[y][e], Bs[y][x])
TILED(a_read_by_columns, FILL_A, FILL_B, As[e][x], Bs[e][x])
TILED(both_transposed, FILL_A, FILL_B, As[e][y], Bs[x][e])
TILED(b_by_rows_of_k, FILL_A, Bs[y][x] = b(y * n + q * 16 * k + bx * 16 + x), As[y][e], Bs[e][x])
TILED(a_column_forgotten, As[y][x] = a((by * 16 + y) * k + q * 16), FILL_B, As[y][e], Bs[e][x])
TILED(both_by_columns, As[y][x] = a((by * 16 + x) * k + q * 16 + x),
      Bs[y][x] = b((q * 16 + x) * n + bx * 16 + x), As[y][e], Bs[e][x])
TILED(two_tiles_on, As[y][x] = a((by * 16 + y) * k + 2 * q * 16 + x), FILL_B, As[y][e], Bs[e][x])
TILED(a_down_unguarded, As[y][x] = a((by * 16 + q * 16 + y) * k + x), FILL_B, As[y][e], Bs[e][x])
/* clang-format on */

/* A kernel whose 64 threads compute 4 x 4 elements each of a tile of 32 x 32, eight terms a phase;
 * its loops over the threads are those of blocks, phases, copies and sums. */
#define REGISTERS(name, a_row, a_col, b_row, b_col, a_read, b_read, number, row, col)              \
    static void name(void) {                                                                       \
        const int m = s.m, n = s.n, k = s.k, across = (n + 31) / 32;                               \
        for (int block = 0; block < across * ((m + 31) / 32); block++) {                           \
            const int i0 = block / across * 32, j0 = block % across * 32;                          \
            float As[32][8], Bs[8][32], sum[64][16] = {{0}};                                       \
            for (int q = 0; q < k; q += 8) {                                                       \
                for (int c = 0; c < 256; c++) {                                                    \
                    As[c / 8][c % 8] = (a_row) < m && (a_col) < k ? a((a_row)*k + (a_col)) : 0;    \
                    Bs[c / 32][c % 32] = (b_row) < k && (b_col) < n ? b((b_row)*n + (b_col)) : 0;  \
                }                                                                                  \
                for (int at = 0; at < 64 * 16 * 8; at++) {                                         \
                    const int e = at % 8, j = at / 8 % 4, i = at / 32 % 4, t = at / 128;           \
                    const int tx = t % 8, ty = t / 8;                                              \
                    (void)i, (void)j, (void)tx, (void)ty;                                          \
                    sum[t][number] += As[a_read][e] * Bs[e][b_read];                               \
                }                                                                                  \
            }                                                                                      \
            for (int at = 0; at < 64 * 16; at++) {                                                 \
                const int j = at % 4, i = at / 4 % 4, tx = at / 16 % 8, ty = at / 128;             \
                if ((row) < m && (col) < n)                                                        \
                    to((row)*n + (col), sum[at / 16][i * 4 + j]);                                  \
            }                                                                                      \
        }                                                                                          \
    }
#define COPY_A  i0 + c / 8, q + c % 8
#define COPY_B  q + c / 32, j0 + c % 32
#define STORED  i0 + ty + i * 8, j0 + tx + j * 8
#define OPERAND ty + i * 8, tx + j * 8
/* clang-format off */
#define EXPAND(...) REGISTERS(__VA_ARGS__)
EXPAND(reg_right, COPY_A, COPY_B, OPERAND, i * 4 + j, STORED)
EXPAND(reg_sums_exchanged, COPY_A, COPY_B, OPERAND, j * 4 + i, STORED)
EXPAND(reg_diagonal, COPY_A, COPY_B, ty + i * 8, tx + i * 8, i * 4 + j, STORED)
EXPAND(reg_orders, COPY_A, COPY_B, ty * 4 + i, tx + j * 8, i * 4 + j, STORED)
EXPAND(reg_places, COPY_A, COPY_B, tx + i * 8, ty + j * 8, i * 4 + j, STORED)
EXPAND(reg_no_block, i0 + c / 8, q + c % 8, q + c / 32, c % 32, OPERAND, i * 4 + j, STORED)
EXPAND(reg_cut, i0 + c % 32, q + c / 32, COPY_B, OPERAND, i * 4 + j, STORED)
EXPAND(reg_first, i0 + c / 8, c % 8, c / 32, j0 + c % 32, OPERAND, i * 4 + j, STORED)
EXPAND(reg_slab_by_columns, i0 + (c % 8 * 32 + c / 8) / 8, q + (c % 8 * 32 + c / 8) % 8, COPY_B,
       OPERAND, i * 4 + j, STORED)
EXPAND(reg_one_row, COPY_A, COPY_B, ty, tx + j * 8, i * 4 + j, STORED)
/* clang-format on */

static float half(float x) {
    int e;
    const double f = nearbyint(ldexp(frexp((double)x, &e), 11));
    return (float)ldexp(f, e - 11);
}
PROGRAM(
    halves, for (int i = 0; i < m * n; i++) {
        float sum = 0;
        for (int p = 0; p < k; p++)
            sum += half(a(i / n * k + p)) * half(b(p * n + i % n));
        to(i, sum);
    })
PROGRAM(
    whole_numbers, for (int i = 0; i < m * n; i++) {
        int sum = 0;
        for (int p = 0; p < k; p++)
            sum = (int)((float)sum + a(i / n * k + p) * b(p * n + i % n));
        to(i, (float)sum);
    })
/* No known mistake: numbers that depend on where they lie. */
PROGRAM(noise, for (int i = 0; i < m * n; i++)
                   to(i, dot(i / n, i % n, 0, k) + (float)((i * 7919 + k * 31) % 13 - 6));)

static const struct mistake {
    const char *name;
    void (*program)(void);
    const char *class; /* NULL: none may be named */
} mistakes[] = {
    {"right", right, NULL},
    {"noise", noise, NULL},
    {"transposed A", transposed_a, "transposed-A"},
    {"transposed B", transposed_b, "transposed-B"},
    {"transposed C", transposed_c, "transposed-C"},
    {"column-major", column_major, "row-major-as-column-major"},
    {"A stepped with n", stride_a_n, "stride-wrong"},
    {"A stepped with m", stride_a_m, "stride-wrong"},
    {"B stepped with k", stride_b_k, "stride-wrong"},
    {"B stepped with m", stride_b_m, "stride-wrong"},
    {"C stepped with m", stride_c_m, "stride-wrong"},
    {"loops swapped", loops_swapped, "m-n-swapped"},
    {"m and n swapped throughout", sizes_swapped, "m-n-swapped"},
    {"n for all", all_are_n, "m-n-k-swapped"},
    {"sums to n", sum_to_n, "m-n-k-swapped"},
    {"n and k swapped", n_k_swapped, "m-n-k-swapped"},
    {"64 for all", width_64, "index-wrong"},
    {"both from A", both_from_a, "both-tiles-from-one-matrix"},
    {"both from B", both_from_b, "both-tiles-from-one-matrix"},
    {"B times A", b_times_a, "A-B-swapped"},
    {"each index exchanged", indices_exchanged, "row-major-as-column-major"},
    {"first term", first_dropped, "first-term-dropped"},
    {"last term", last_dropped, "last-term-dropped"},
    {"partial tile", tile_dropped, "last-tile-dropped"},
    {"last tile", whole_tile_dropped, "last-tile-dropped"},
    {"one tile only", one_tile, "last-tile-dropped"},
    {"sum reset", reset, "sum-reset"},
    {"only the last term", only_last, "sum-overwritten"},
    {"goes on from tile to tile", goes_on, "uninitialised-sum"},
    {"ends at a zero of A", stops_in_a, "stops-at-zero"},
    {"added to C in pieces", added_in_pieces, "accumulates-into-C"},
    {"NaN or right", nan_or_right, "uninitialised-sum"},
    {"A's tile moves down", tile_a_down, "index-wrong"},
    {"B's tile moves right", tile_b_right, "index-wrong"},
    {"last row", last_row, "last-row-dropped"},
    {"last column", last_column, "last-column-dropped"},
    {"blocks rounded down", blocks_down, "grid-rounds-down"},
    {"nothing", nothing, "no-work"},
    {"zeros", zeros, "no-work"},
    {"diagonal", diagonal, "no-work"},
    {"twice", twice, "scaled"},
    {"added to C", accumulates, "accumulates-into-C"},
    {"one NaN", one_nan, "nan"},
    {"sum goes on", carries, "uninitialised-sum"},
    {"tile again", tile_again, "last-tile-twice"},
    {"clamped", clamped, "last-tile-twice"},
    {"ones beyond the edge", ones_beyond, "edge-tile-not-filled"},
    {"rows misplaced", rows_misplaced, "index-wrong"},
    {"tile of A transposed", tile_a, "transposed-A"},
    {"tile of B transposed", tile_b, "transposed-B"},
    {"phases by one", by_one, "index-wrong"},
    {"blocks swapped", blocks, "transposed-C"},
    {"sum goes on in a row", carries_in_row, "uninitialised-sum"},
    {"last term of each tile", tiles_lack_last, "last-term-dropped"},
    {"first term of each tile", tiles_lack_first, "first-term-dropped"},
    {"phases from 1", from_phase_1, "first-tile-dropped"},
    {"sums added again", added_again, "sum-added-again"},
    {"half precision", halves, "lower-precision"},
    {"integer sums", whole_numbers, "lower-precision"},
};

/* What only a kernel can do. */
/* Tiles of 8; a term is there if the threads that copy its factors meet the conditions. */
#define GUARDED(name, guard_a, guard_b)                                                            \
    PROGRAM(                                                                                       \
        name, for (int i = 0; i < m * n; i++) {                                                    \
            float sum = 0;                                                                         \
            for (int p = 0; p < k; p++) {                                                          \
                const int row = i / n, col = i % n, y = row % 8, x = col % 8, q = p / 8 * 8,       \
                          e = p % 8;                                                               \
                const bool has_a = (guard_a), has_b = (guard_b);                                   \
                (void)x, (void)y, (void)q, (void)e;                                                \
                sum += has_a && has_b ? a(row * k + p) * b(p * n + col) : 0;                       \
            }                                                                                      \
            to(i, sum);                                                                            \
        })
GUARDED(one_guard, q + y < k && col - x + e < n, row - y + e < m && q + x < k)
GUARDED(only_inside_c, col - x + e < n, row - y + e < m)
GUARDED(b_by_a, true, row - y + e < m && q + x < k)

static const struct mistake of_kernels[] = {
    {"one condition for both copies", one_guard, "guards-joined"},
    {"copies only inside C", only_inside_c, "guards-joined"},
    {"B's copy by A's condition, too", b_by_a, "guards-joined"},
    {"x and y exchanged", all_of_xy, "x-y-exchanged"},
    {"x and y exchanged in the store", store_xy, "x-y-exchanged"},
    {"A's column from y", a_column_y, "x-y-exchanged"},
    {"B's row from x", b_row_x, "x-y-exchanged"},
    {"B's column from y", b_column_y, "x-y-exchanged"},
    {"B's tile a phase late", b_late, "phase-wrong"},
    {"A from the first rows", a_from_first_rows, "index-wrong"},
    {"B from the first columns", b_from_first_columns, "index-wrong"},
    {"both copies into one array", one_array, "both-tiles-from-one-matrix"},
    {"the diagonal of A's tile", a_diagonal, "x-y-exchanged"},
    {"one element of B's tile", b_fixed, "index-wrong"},
    {"A's tile read by columns, its own", a_read_by_columns, "transposed-A"},
    {"both tiles transposed", both_transposed, "transposed-A"},
    {"A's column forgotten", a_column_forgotten, "index-wrong"},
    {"x in A's row and in B's", both_by_columns, "x-y-exchanged"},
    {"first tile in each phase", first_tile, "index-wrong"},
};
/* What a launch of 64 threads for each tile of 32 x 32 gives. */
static const struct mistake of_registers[] = {
    {"registers, right", reg_right, NULL},
    {"sums exchanged", reg_sums_exchanged, "index-wrong"},
    {"the diagonal of the outer product", reg_diagonal, "index-wrong"},
    {"rows read side by side", reg_orders, "index-wrong"},
    {"tx for ty where slabs are read", reg_places, "index-wrong"},
    {"B without its block", reg_no_block, "index-wrong"},
    {"A's slab cut as B's", reg_cut, "index-wrong"},
    {"the first slabs in each phase", reg_first, "index-wrong"},
    {"A's slab filled by columns", reg_slab_by_columns, "index-wrong"},
    {"one row of A's slab", reg_one_row, "index-wrong"},
};
/* What leaves A or B, and is told by what comes out where zeros lie around them. */
static const struct mistake with_room[] = {
    {"two tiles further on in each phase", two_tiles_on, "index-wrong"},
    {"B's tile moves by rows of k", b_by_rows_of_k, "stride-wrong"},
    {"A's tile moves down, no guard", a_down_unguarded, "index-wrong"},
};

/* What is told from programs without kernels. */
static const struct mistake of_hosts[] = {
    {"sums for products", added_up, "other-operation"},
    {"differences", taken_away, "other-operation"},
    {"element by element", by_elements, "other-operation"},
    {"A's column is i", a_at_i, "index-wrong"},
    {"B's column is i", b_at_i, "index-wrong"},
    {"A's row is j", a_row_j, "index-wrong"},
    {"A's panel again", a_panel, "part-again"},
    {"B's panel again", b_panel, "part-again"},
    {"B's columns again", b_columns, "part-again"},
    {"A's rows again", a_rows, "part-again"},
    {"columns on each other", onto_columns, "part-again"},
    {"rows on each other", onto_rows, "part-again"},
    {"rows overlap", rows_twice, "part-again"},
    {"panels overlap", panels_twice, "part-again"},
    {"64 terms", terms_64, "m-n-k-swapped"},
};

/* How A and B lie in memory in these trials. */
static struct layout layout;

/* What they should have computed. */
static struct lab_product product;

/* One call of the program, as the grader would see it. */
static void add_trial(struct trials *all, void (*program)(void), struct shape shape,
                      enum input_kind input, uint64_t seed) {
    struct call_plan plan = {.entry = ENTRY_CPU, .shape = shape, .input = input, .seed = seed};
    plan.poison = POISON_INTEGERS;
    plan.layout = layout;
    plan.product = product;
    struct call_data data;
    call_data_make(&data, &plan, (struct guard_bands){0});
    s = shape;
    /* Transposed matrices as they lie; of padded ones the rows, as call_data_take gives C. */
    A = layout.padding ? call_data_rows(&data, MATRIX_A) : call_data_matrix(&data, MATRIX_A);
    B = layout.padding ? call_data_rows(&data, MATRIX_B) : call_data_matrix(&data, MATRIX_B);
    const size_t total = (size_t)s.m * (size_t)s.n;
    C = xmalloc(total * sizeof *C);
    memcpy(C, call_data_rows(&data, MATRIX_C), total * sizeof *C);
    outside = false;
    program();
    struct trial *t =
        trials_add(all, input == INPUT_SMALL ? "probe" : "case", &data,
                   outside ? VERDICT_MEMORY : VERDICT_WRONG, outside ? NULL : C, NULL);
    t->bounded = !room;
    t->room = room;
    bool ok = t->got != NULL;
    for (size_t i = 0; i < total && ok; i++)
        ok = trial_right(t, i);
    if (ok)
        t->verdict = VERDICT_PASS;
    free(C);
    call_data_free(&data);
}

static void run_program(struct trials *all, void (*program)(void)) {
    static const struct shape shapes[] = {{32, 64, 96}, {32, 96, 64}, {64, 32, 96}, {64, 96, 32},
                                          {96, 32, 64}, {96, 64, 32}, {32, 32, 32}, {32, 64, 64},
                                          {64, 32, 64}, {64, 64, 32}, {64, 64, 64}, {32, 32, 41},
                                          {41, 32, 32}, {32, 41, 32}, {1, 1, 1},    {2, 3, 5}};
    add_trial(all, program, (struct shape){47, 39, 53}, INPUT_WIDE, 5);
    add_trial(all, program, (struct shape){33, 65, 49}, INPUT_REAL, 6);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_trial(all, program, shapes[i], INPUT_SMALL, 10 + i);
}

static bool registers; /* the launch is that of REGISTERS */

static void count_launch(struct trial *t) {
    t->counted = true;
    t->work.of[WORK_LAUNCHES] = 1;
    t->work.of[WORK_GRID_X] =
        (uint64_t)((t->shape.m + 31) / 32) * (uint64_t)((t->shape.n + 31) / 32);
    t->work.of[WORK_BLOCK_X] = 64;
    t->work.of[WORK_GRID_Y] = t->work.of[WORK_GRID_Z] = 1;
    t->work.of[WORK_BLOCK_Y] = t->work.of[WORK_BLOCK_Z] = 1;
}

static void recognise(const struct mistake *mistake, enum entry_point entry) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = entry};
    run_program(&all, mistake->program);
    for (int i = 0; i < all.count && registers; i++)
        count_launch(all.trial[i]);
    const bool found = suspect_products(&all, &c, &d);
    if (mistake->class) {
        ck_assert_msg(found && d.class, "%s: %s", mistake->name, text_get(&d.sentence));
        ck_assert_msg(strcmp(d.class, mistake->class) == 0, "%s: %s, not %s: %s", mistake->name,
                      d.class, mistake->class, text_get(&d.sentence));
        ck_assert_uint_ge(d.sentence.length, 40);
        ck_assert_uint_gt(d.evidence.length, 10);
    } else {
        ck_assert_msg(!found || !d.class, "%s: called %s", mistake->name, d.class);
    }
    diagnosis_free(&d);
    trials_free(&all);
}

TEST_EACH(what_is_told_without_kernels, sizeof of_hosts / sizeof *of_hosts) {
    recognise(&of_hosts[_i], ENTRY_CPU);
}

TEST_EACH(every_mistake_is_recognised, sizeof mistakes / sizeof *mistakes) {
    recognise(&mistakes[_i], ENTRY_CPU);
}

TEST_EACH(kernels_mistakes_are_recognised, sizeof of_kernels / sizeof *of_kernels) {
    recognise(&of_kernels[_i], ENTRY_DEVICE);
}

TEST_EACH(registers_mistakes_are_recognised, sizeof of_registers / sizeof *of_registers) {
    registers = true;
    recognise(&of_registers[_i], ENTRY_DEVICE);
}

TEST_EACH(mistakes_with_room_are_recognised, sizeof with_room / sizeof *with_room) {
    room = true;
    recognise(&with_room[_i], ENTRY_DEVICE);
}

/* In one row of A a zero is a zero for the whole of C: that term may be missing or not. */
TEST(a_zero_beside_what_is_missing) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_CPU};
    for (uint64_t seed = 1; seed <= 12; seed++)
        add_trial(&all, only_last, (struct shape){1, 40, 24}, INPUT_SMALL, seed);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "sum-overwritten");
    diagnosis_free(&d);
    trials_free(&all);
}

/* What the sentence must say of some of them. */
TEST_EACH(sentences_name_the_line_to_mend, 3) {
    static const struct {
        void (*program)(void);
        const char *class, *says;
    } rows[] = {{b_guarded_by_k, "m-n-k-swapped", "the guard where B is loaded"},
                {a_guarded_by_n, "m-n-swapped", "the guard where A is loaded"},
                {whole_fours, "last-tile-dropped", "sticks out of the row"}};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, rows[_i].program);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, rows[_i].class);
    ck_assert_msg(strstr(text_get(&d.sentence), rows[_i].says) != NULL, "%s",
                  text_get(&d.sentence));
    diagnosis_free(&d);
    trials_free(&all);
}

/* A sentence names a coordinate, what belongs there and what is there. */
TEST(sentences_show_an_element) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_CPU};
    run_program(&all, transposed_b);
    ck_assert(suspect_products(&all, &c, &d));
    const char *text = text_get(&d.sentence);
    ck_assert_ptr_nonnull(strstr(text, "B is used transposed"));
    ck_assert_ptr_nonnull(strstr(text, "B[col * k + p]"));
    ck_assert_ptr_nonnull(strstr(text, "For example, with m = "));
    ck_assert_ptr_nonnull(strstr(text, "the sum of A["));
    diagnosis_free(&d);
    trials_free(&all);
}

/* A right product of plain matrices, given some that lie transposed: which of them it takes for
 * plain. */
TEST_EACH(a_missed_layout_is_recognised, 3) {
    static const char *const told[] = {"A lies transposed", "B lies transposed",
                                       "A and B lie transposed"};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.a_transposed = _i != 1, .b_transposed = _i != 0};
    const struct suspect_context c = {.entry = ENTRY_CPU, .layout = layout};
    run_program(&all, right);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "layout-missed");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), told[_i]));
    ck_assert(!strstr(text_get(&d.sentence), "A[p * m + i]") == (_i == 1));
    ck_assert(!strstr(text_get(&d.sentence), "B[j * k + p]") == (_i == 0));
    diagnosis_free(&d);
    trials_free(&all);
}

static bool read_b_right;

/* The program reads the memory of one that has padding, and stores C as it must. (Of B alone, every
 * sum has a NaN: A says nothing then.) */
static void reads_without_padding(void) {
    const float *rows_a = A, *rows_b = B;
    const size_t apart_a = (size_t)s.k + 8, apart_b = (size_t)s.n + 8;
    float *a = xmalloc((size_t)s.m * apart_a * sizeof *a),
          *b = xmalloc((size_t)s.k * apart_b * sizeof *b);
    fill_value(a, (size_t)s.m * apart_a, NAN);
    fill_value(b, (size_t)s.k * apart_b, NAN);
    matrix_spread(a, rows_a, s.m, s.k, 8);
    matrix_spread(b, rows_b, s.k, s.n, 8);
    A = a;
    B = read_b_right ? rows_b : b;
    right();
    A = rows_a, B = rows_b;
    free(a);
    free(b);
}

TEST_EACH(missed_padding_is_recognised, 2) {
    static const char *const told[] = {"reads B as if", "reads A as if"};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.padding = 8};
    read_b_right = _i == 1;
    const struct suspect_context c = {.entry = ENTRY_CPU, .layout = layout};
    run_program(&all, reads_without_padding);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "layout-missed");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), told[_i]));
    diagnosis_free(&d);
    trials_free(&all);
}

/* As if each had written behind its first row and given nothing back; where C has one row only, on
 * demand. */
static void write_behind_rows(struct trials *all, bool single) {
    for (int i = 0; i < all->count; i++) {
        struct trial *t = all->trial[i];
        if (t->shape.m == 1 && !single)
            continue;
        free(t->got);
        t->got = NULL;
        t->verdict = VERDICT_MEMORY;
        t->touched = (struct touched){
            .how = TOUCHED_OUTSIDE, .written = true, .matrix = MATRIX_C, .index = t->shape.n};
    }
}

/* One that stores where the padding is gives no product, and is told of it all the same. */
TEST(a_write_to_padding_is_recognised) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.padding = 8};
    const struct suspect_context c = {.entry = ENTRY_CPU, .layout = layout};
    run_program(&all, reads_without_padding);
    write_behind_rows(&all, false);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "layout-missed");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "writes C as if"));
    diagnosis_free(&d);
    /* Where squares are right, rows are found: by another matrix's side. */
    for (int i = 0; i < all.count; i++) {
        struct trial *t = all.trial[i];
        if (t->shape.m == t->shape.n && t->shape.n == t->shape.k) {
            t->verdict = VERDICT_PASS;
            t->touched = (struct touched){0};
        }
    }
    d = (struct diagnosis){0};
    ck_assert(!suspect_products(&all, &c, &d) || strcmp(d.class, "layout-missed") != 0);
    diagnosis_free(&d);
    trials_free(&all);
}

/* One that writes behind a single row has no row of C there: it writes too much. */
TEST(a_write_behind_the_only_row_is_recognised) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.padding = 8};
    const struct suspect_context c = {.entry = ENTRY_HOST, .layout = layout};
    run_program(&all, reads_without_padding);
    write_behind_rows(&all, true);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "padding-written");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "cudaMemcpy2D does that"));
    diagnosis_free(&d);
    trials_free(&all);
}

/* Rows of a tile as far apart as they are, tiles as if they were not. */
static void steps_without_padding(void) {
    enum { STEP = 16, BEHIND = 8 };
    const int apart = s.n + BEHIND;
    float *b = xmalloc((size_t)s.k * (size_t)apart * sizeof *b);
    fill_value(b, (size_t)s.k * (size_t)apart, NAN);
    matrix_spread(b, B, s.k, s.n, BEHIND);
    for (int i = 0; i < s.m; i++)
        for (int j = 0; j < s.n; j++) {
            float sum = 0;
            for (int p = 0; p < s.k; p++)
                sum += A[i * s.k + p] * b[p / STEP * STEP * s.n + p % STEP * apart + j];
            C[i * s.n + j] = sum;
        }
    free(b);
}

TEST(a_step_without_padding_is_recognised) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.padding = 8};
    const struct suspect_context c = {.entry = ENTRY_DEVICE, .layout = layout};
    run_program(&all, steps_without_padding);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "layout-missed");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "is 16 * (n + 8) floats further down"));
    diagnosis_free(&d);
    trials_free(&all);
}

/* ---- Other products than A * B ---- */

/* of_product * A * B + of_c * C. */
static int of_product, of_c;
static void scaled(void) {
    for (int i = 0; i < s.m; i++)
        for (int j = 0; j < s.n; j++) {
            float sum = 0;
            for (int p = 0; p < s.k; p++)
                sum += A[i * s.k + p] * B[p * s.n + j];
            C[i * s.n + j] = (float)of_product * sum + (float)of_c * C[i * s.n + j];
        }
}

static const struct {
    int of_product, of_c;
    const char *class, *told;
} of_scales[] = {
    {1, 0, "beta-missed", "computes A * B alone"},
    {3, 0, "beta-missed", "is left out"},
    {3, 1, "beta-missed", "as it is, without beta"},
    {1, 1, "alpha-missed", "without alpha and beta"},
    {1, -2, "alpha-missed", "is not multiplied by alpha"},
    {3, -6, "alpha-missed", "alpha multiplies what C held"},
    {-2, 3, "alpha-missed", "have changed places"},
};

TEST_EACH(missed_factors_are_recognised, sizeof of_scales / sizeof *of_scales) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    product = (struct lab_product){PRODUCT_SCALED, 3, -2};
    const struct suspect_context c = {.entry = ENTRY_CPU, .product = product};
    of_product = of_scales[_i].of_product, of_c = of_scales[_i].of_c;
    run_program(&all, scaled);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, of_scales[_i].class);
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), of_scales[_i].told));
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), ", 3 times the sum of A["));
    diagnosis_free(&d);
    trials_free(&all);
}

/* Any other mistake is known as it is of A * B. */
static void scaled_of_transposed_b(void) {
    float *c = xmalloc((size_t)(s.m * s.n) * sizeof *c);
    memcpy(c, C, (size_t)(s.m * s.n) * sizeof *c);
    transposed_b();
    for (int i = 0; i < s.m * s.n; i++)
        C[i] = 3 * C[i] - 2 * c[i];
    free(c);
}

TEST(mistakes_of_scaled_products_are_recognised) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    product = (struct lab_product){PRODUCT_SCALED, 3, -2};
    const struct suspect_context c = {.entry = ENTRY_CPU, .product = product};
    run_program(&all, scaled_of_transposed_b);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "transposed-B");
    diagnosis_free(&d);
    trials_free(&all);
}

/* The least sums, but no more than this; and with zeros beyond an edge. */
static float first_least;
static bool zeros_beyond;
static void least(void) {
    for (int i = 0; i < s.m; i++)
        for (int j = 0; j < s.n; j++) {
            float low = zeros_beyond && s.k % 32 != 0 ? 0 : first_least;
            for (int p = 0; p < s.k; p++)
                low = fminf(low, A[i * s.k + p] + B[p * s.n + j]);
            C[i * s.n + j] = low;
        }
}

TEST_EACH(missed_rings_are_recognised, 3) {
    static const char *const classes[] = {"ring-missed", "least-of-zero", "least-of-zero"},
                             *const told[] = {"adds up products", "begins with 0", "With an edge"};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    product = (struct lab_product){.kind = PRODUCT_MIN_PLUS};
    const struct suspect_context c = {.entry = ENTRY_CPU, .product = product};
    first_least = _i == 1 ? 0 : INFINITY;
    zeros_beyond = _i == 2;
    run_program(&all, _i == 0 ? right : least);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, classes[_i]);
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), told[_i]));
    diagnosis_free(&d);
    trials_free(&all);
}

/* Where the layout is not what is wrong, nothing says that it is. */
TEST(other_mistakes_are_no_missed_layout) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.a_transposed = true, .b_transposed = true};
    const struct suspect_context c = {.entry = ENTRY_CPU, .layout = layout};
    run_program(&all, by_elements);
    ck_assert(suspect_layout(&all, &c, &d) == false);
    diagnosis_free(&d);
    trials_free(&all);
}

/* Which shapes fail is all that is known of a call that ends outside. */
TEST(shapes_tell_sizes_of_indices) {
    static const struct shape shapes[] = {{8, 8, 8},      {90, 100, 120}, {127, 1, 1},  {200, 3, 4},
                                          {255, 10, 255}, {256, 2, 2},    {300, 300, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, right, shapes[i], INPUT_SMALL, i);
        struct trial *t = all.trial[i];
        if (shapes[i].m > 255)
            t->verdict = VERDICT_MEMORY;
    }
    ck_assert(suspect_shapes(&all, &c, &d));
    ck_assert_str_eq(d.class, "index-overflow");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "255"));
    diagnosis_free(&d);
    all.trial[0]->verdict = VERDICT_MEMORY; /* a small one fails, too: nothing is certain */
    ck_assert(!suspect_shapes(&all, &c, &d));
    trials_free(&all);
}

/* From row 2048 on each sum is another one. */
PROGRAM(second_slab,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k) + (i / n < 2048 ? 0 : 1));)

/* Tall shapes alone are wrong, and those from one row on. */
TEST(later_slabs) {
    static const struct shape shapes[] = {
        {8, 8, 8}, {9, 10, 11}, {70, 5, 4}, {3, 90, 4}, {5000, 2, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_trial(&all, second_slab, shapes[i], INPUT_SMALL, i);
    ck_assert(suspect_slabs(&all, &c, &d));
    ck_assert_str_eq(d.class, "slab-wrong");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "row 2047"));
    diagnosis_free(&d);
    all.trial[0]->verdict = VERDICT_WRONG; /* a small one is wrong, too */
    ck_assert(!suspect_slabs(&all, &c, &d));
    trials_free(&all);
}

PROGRAM(second_columns,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k) + (i % n < 1600 ? 0 : 1));)

/* The same from one column on. */
TEST(later_columns) {
    static const struct shape shapes[] = {
        {8, 8, 8}, {9, 10, 11}, {70, 5, 4}, {3, 90, 4}, {2, 4000, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_trial(&all, second_columns, shapes[i], INPUT_SMALL, i);
    ck_assert(suspect_slabs(&all, &c, &d));
    ck_assert_str_eq(d.class, "slab-wrong");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "column 1599"));
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "A stays as it is"));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(wrong_last_tiles, for (int i = 0; i < m * n; i++)
                              to(i, i / n >= 96 && i % n >= 224 ? 0.5f : dot(i / n, i % n, 0, k));)

/* The last tiles alone: no slab of columns, and no limit of sizes. */
TEST_EACH(only_the_last_tiles, 2) {
    static const struct shape shapes[] = {
        {8, 8, 8}, {9, 10, 11}, {70, 5, 4}, {3, 90, 4}, {120, 260, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, wrong_last_tiles, shapes[i], INPUT_SMALL, i);
        all.trial[i]->counted = true;
        all.trial[i]->work.of[WORK_LAUNCHES] = (uint64_t)_i + 1;
    }
    ck_assert(!suspect_slabs(&all, &c, &d));
    ck_assert(suspect_shapes(&all, &c, &d));
    ck_assert_str_eq(d.class, "index-wrong");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "rows from 96 and columns from 224"));
    ck_assert_int_eq(strstr(text_get(&d.sentence), "shared ones") != NULL, _i == 1);
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(rest_again, for (int i = 0; i < m * n; i++)
                        to(i, dot(i / n, i % n, 0, k) +
                                  (k > 32 && k % 16 != 0 ? dot(i / n, i % n, 0, k / 16 * 16) : 0));)

/* Whole results of whole numbers are no sign of sums that are kept in an integer. */
TEST(whole_numbers_give_whole_sums) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    add_trial(&all, rest_again, (struct shape){5, 6, 7}, INPUT_SMALL, 1);
    add_trial(&all, rest_again, (struct shape){9, 10, 36}, INPUT_WIDE, 2);
    ck_assert_int_eq(all.trial[0]->verdict, VERDICT_PASS);
    ck_assert_int_eq(all.trial[1]->verdict, VERDICT_WRONG);
    ck_assert(!suspect_precision(&all, &c, &d));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(
    half_of_the_lanes, for (int i = 0; i < m * n; i++) {
        float sum = 0;
        for (int p = 0; p < k; p++)
            if (p % 32 < 16 || k < 32)
                sum += a(i / n * k + p) * b(p * n + i % n);
        to(i, sum);
    })

/* In a long sum of both signs, terms that are missing are few of the sizes, and yet no rounding. */
TEST(lost_terms_are_no_rounding) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    add_trial(&all, half_of_the_lanes, (struct shape){5, 1, 7}, INPUT_SMALL, 1);
    add_trial(&all, half_of_the_lanes, (struct shape){7, 1, 5000}, INPUT_WIDE, 2);
    ck_assert_int_eq(all.trial[0]->verdict, VERDICT_PASS);
    ck_assert_int_eq(all.trial[1]->verdict, VERDICT_WRONG);
    ck_assert(!suspect_precision(&all, &c, &d));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(nan_beyond_edges,
        for (int i = 0; i < m * n; i++) to(i, k % 32 != 0 ? NAN : dot(i / n, i % n, 0, k));)

/* NaNs beyond the edge come from a tile, unless a checker saw other memory that nobody wrote. */
TEST(nan_from_a_tile_or_from_elsewhere) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    struct suspect_context c = {.entry = ENTRY_DEVICE, .stale = true};
    add_trial(&all, nan_beyond_edges, (struct shape){32, 32, 32}, INPUT_SMALL, 1);
    add_trial(&all, nan_beyond_edges, (struct shape){33, 34, 35}, INPUT_SMALL, 2);
    ck_assert(!suspect_all_nan(&all, &c, &d));
    c.stale_shared = true;
    ck_assert(suspect_all_nan(&all, &c, &d));
    ck_assert_str_eq(d.class, "edge-tile-not-filled");
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(steps_too_far, zeros();
        for (int i = 0; i < m * n; i++) if (i % n % 25 != 24) to(i, dot(i / n, i % n, 0, k));)
PROGRAM(ends_before_48, zeros();
        for (int i = 0; i < m * n; i++) if (i % n < 24) to(i, dot(i / n, i % n, 0, k));)

TEST(columns_left_out) {
    const struct suspect_context c = {.entry = ENTRY_CPU};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, steps_too_far);
    ck_assert(suspect_coverage(&all, &c, &d));
    ck_assert_str_eq(d.class, "columns-skipped");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "One column of every 25"));
    diagnosis_free(&d);
    trials_free(&all);
    run_program(&all, ends_before_48);
    suspect_coverage(&all, &c, &d);
    ck_assert(!d.class || strcmp(d.class, "columns-skipped") != 0);
    diagnosis_free(&d);
    trials_free(&all);
}

/* The last of every 24 terms never, one of four the other way round, and so on. */
PROGRAM(
    block_ends_early, for (int i = 0; i < m * n; i++) {
        float x = 0;
        for (int p = 0; p < k; p++)
            x += p % 24 == 23 ? 0 : dot(i / n, i % n, p, p + 1);
        to(i, x);
    })
PROGRAM(
    one_of_four_less, for (int i = 0; i < m * n; i++) {
        float x = 0;
        for (int p = 0; p < k; p++)
            x += (p % 4 == 1 ? -1.0f : 1.0f) * dot(i / n, i % n, p, p + 1);
        to(i, x);
    })
PROGRAM(
    one_of_three_less, for (int i = 0; i < m * n; i++) {
        float x = 0;
        for (int p = 0; p < k; p++)
            x += p % 3 == 1 ? 0 : dot(i / n, i % n, p, p + 1);
        to(i, x);
    })
PROGRAM(
    one_of_three_twice, for (int i = 0; i < m * n; i++) {
        float x = 0;
        for (int p = 0; p < k; p++)
            x += (p % 3 == 1 ? 2.0f : 1.0f) * dot(i / n, i % n, p, p + 1);
        to(i, x);
    })

PROGRAM(
    rest_in_each_tile, for (int i = 0; i < m * n; i++) {
        float x = 0;
        for (int p = 0; p < k; p++)
            x += p % 16 < k % 16 ? dot(i / n, i % n, p, p + 1) : 0.0f;
        to(i, x);
    })

TEST(terms_so_many_times) {
    static const struct {
        void (*does)(void);
        const char *class, *says;
    } rows[] = {
        {block_ends_early, "last-term-dropped", "p = 23, 47"},
        {one_of_four_less, "terms-subtracted", "p = 1, 5, 9, 13 and so on"},
        {one_of_three_less, "terms-missing", "One term of every 3"},
        {rest_in_each_tile, "terms-missing", "Each tile adds only its first k % 16 terms"},
    };
    const struct suspect_context c = {.entry = ENTRY_CPU};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct trials all = {.count = 0};
        struct diagnosis d = {0};
        run_program(&all, rows[r].does);
        ck_assert(suspect_weights(&all, &c, &d));
        ck_assert_str_eq(d.class, rows[r].class);
        ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), rows[r].says));
        diagnosis_free(&d);
        trials_free(&all);
        run_program(&all, column_major); /* other terms, not the same ones so many times */
        ck_assert(!suspect_weights(&all, &c, &d));
        trials_free(&all);
        run_program(&all, one_of_three_twice); /* others know why */
        ck_assert(!suspect_weights(&all, &c, &d));
        trials_free(&all);
    }
}

PROGRAM(
    last_quad_refused, for (int i = 0; i < m * n; i++) {
        const bool quads = k % 4 == 0 && n % 4 == 0;
        to(i, quads && i % n >= n - 4 ? 0 : dot(i / n, i % n, 0, quads ? k - 4 : k));
    })

/* Four terms at the end: a float4 where loads are as wide, else a tile. */
TEST_EACH(quads_are_no_tiles, 2) {
    const bool wide = _i == 1;
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, last_quad_refused);
    for (int i = 0; i < all.count; i++) {
        all.trial[i]->counted = true;
        all.trial[i]->work.of[WORK_GLOBAL_LOAD_REQUESTS] = 10;
        all.trial[i]->work.of[WORK_GLOBAL_LOAD_BYTES] = wide ? 5120 : 1280;
    }
    ck_assert(suspect_terms(&all, &c, &d));
    ck_assert_str_eq(d.class, wide ? "last-quad-dropped" : "last-tile-dropped");
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(slab_of_the_rest,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k % 32 == 0 ? k - 32 : k));)
PROGRAM(slab_of_the_rest_of_64,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k % 64 == 0 ? k - 64 : k));)

/* A slab of k % 32 terms is empty where 32 divides k; one of k % 64 leaves a sum of 64 terms empty.
 */
TEST_EACH(a_whole_slab_is_empty, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, _i == 0 ? slab_of_the_rest : slab_of_the_rest_of_64);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "whole-slab-empty");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), _i == 0 ? "k % 32" : "k % 64"));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(
    as_high_as_wide, for (int i = 0; i < m * n; i++) {
        if (i / n < (m + 31) / 32 * 8)
            to(i, dot(i / n, i % n, 0, k));
    })

/* The rows' number is divided by the block's width: 32 x 8 threads. */
TEST(a_grid_by_the_other_side) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, as_high_as_wide);
    for (int i = 0; i < all.count; i++) {
        struct trial *t = all.trial[i];
        count_launch(t);
        t->work.of[WORK_BLOCK_X] = 32;
        t->work.of[WORK_BLOCK_Y] = 8;
        t->work.of[WORK_GRID_X] = (uint64_t)(t->shape.n + 31) / 32;
        t->work.of[WORK_GRID_Y] = (uint64_t)(t->shape.m + 31) / 32;
    }
    ck_assert(suspect_coverage(&all, &c, &d));
    ck_assert_str_eq(d.class, "grid-by-other-side");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "threads for 16 rows and 64 columns"));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(
    tiles_of_32x8, for (int i = 0; i < m * n; i++) {
        if (i % n < (n + 31) / 32 * 8)
            to(i, dot(i / n, i % n, 0, k));
    })

/* A block's tile has 32 rows and 8 columns, and the launch divides m by 8 and n by 32. x may count
 * either of them. */
TEST_EACH(a_grid_by_the_other_side_of_a_tile, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, tiles_of_32x8);
    for (int i = 0; i < all.count; i++) {
        struct trial *t = all.trial[i];
        const uint64_t down = (uint64_t)(t->shape.m + 7) / 8,
                       side = (uint64_t)(t->shape.n + 31) / 32;
        count_launch(t);
        t->work.of[WORK_BLOCK_X] = 4;
        t->work.of[WORK_BLOCK_Y] = 1;
        t->work.of[WORK_GRID_X] = _i == 0 ? side : down;
        t->work.of[WORK_GRID_Y] = _i == 0 ? down : side;
    }
    ck_assert(suspect_coverage(&all, &c, &d));
    ck_assert_str_eq(d.class, "grid-by-other-side");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "divides m by 8 and n by 32"));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(
    no_corner, for (int i = 0; i < m * n; i++) {
        const bool rows = m > 16 && i / n >= m / 16 * 16, columns = n > 16 && i % n >= n / 16 * 16;
        if (!rows || !columns)
            to(i, dot(i / n, i % n, 0, k));
    })

/* One launch for whole tiles, two for what is left: none has the corner. Where nobody counted them,
 * the last block may be missing, too. With one launch, that is another mistake. */
TEST_EACH(a_corner_that_no_launch_has, 3) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, no_corner);
    for (int i = 0; i < all.count && _i < 2; i++) {
        count_launch(all.trial[i]);
        all.trial[i]->work.of[WORK_LAUNCHES] = _i == 0 && trial_wrong(all.trial[i]) ? 3 : 1;
    }
    ck_assert(suspect_coverage(&all, &c, &d));
    ck_assert((d.class && strcmp(d.class, "corner-missing") == 0) == (_i != 1));
    ck_assert((strstr(text_get(&d.sentence), "just the last block") != NULL) == (_i == 2));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(all_zeros, for (int i = 0; i < m * n; i++) to(i, 0);)

/* Tensor cores whose sums get nowhere; without them, C was only cleared. */
TEST_EACH(zeros_of_tensor_cores, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, all_zeros);
    for (int i = 0; i < all.count; i++) {
        count_launch(all.trial[i]);
        all.trial[i]->work.of[WORK_MMA] = _i == 0 ? 64 : 0;
    }
    ck_assert(suspect_nothing(&all, &c, &d));
    ck_assert_str_eq(d.class, _i == 0 ? "flush-missing" : "no-work");
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(seven_parts,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k < 7 ? k : k - k % 7));)

/* A tail without a tile: what a division leaves over, where several kernels share sums. */
TEST_EACH(a_rest_is_of_parts_or_of_tiles, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, seven_parts);
    for (int i = 0; i < all.count; i++) {
        all.trial[i]->counted = true;
        all.trial[i]->work.of[WORK_LAUNCHES] = (uint64_t)_i + 1;
    }
    ck_assert(suspect_terms(&all, &c, &d));
    ck_assert_str_eq(d.class, "last-tile-dropped");
    ck_assert_int_eq(strstr(text_get(&d.sentence), "belong to no part") != NULL, _i == 1);
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(long_sums_in_parts,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k < 50 ? k : k / 16 * 16));)

/* What parts leave over may begin where a tile begins. Where one kernel makes a product, its tiles
 * are right: then it is the parts that lose it. */
TEST_EACH(a_rest_of_parts_may_look_like_a_tile, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, long_sums_in_parts);
    add_trial(&all, long_sums_in_parts, (struct shape){9, 7, 71}, INPUT_SMALL, 30);
    for (int i = 0; i < all.count; i++) {
        struct trial *t = all.trial[i];
        t->counted = true;
        t->work.of[WORK_LAUNCHES] = _i == 1 || t->shape.k >= 50 ? 2 : 1;
    }
    ck_assert(suspect_terms(&all, &c, &d));
    ck_assert_str_eq(d.class, "last-tile-dropped");
    ck_assert_int_eq(strstr(text_get(&d.sentence), "belong to no part") != NULL, _i == 0);
    diagnosis_free(&d);
    trials_free(&all);
}

/* Shapes of a few elements are right, those of many are not: an index of 16 bits, unless one leads
 * past a matrix's end. */
TEST_EACH(no_short_index_leads_past_an_end, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    for (int i = 1; i <= 8; i++)
        add_trial(&all, right, (struct shape){30 * i, 28 * i, 27 * i}, INPUT_SMALL, (uint64_t)i);
    for (int i = 0; i < all.count; i++) {
        struct trial *t = all.trial[i];
        if ((int64_t)t->shape.m * t->shape.k <= INT16_MAX)
            continue;
        t->verdict = VERDICT_MEMORY;
        const struct vgpu_fact fact = {.says = VGPU_ILLEGAL_ACCESS,
                                       .place = _i == 0 ? VGPU_AT_BEFORE : VGPU_AT_PAST};
        facts_add(&t->facts, &(struct fact_body){.fact = fact});
    }
    const bool found = suspect_shapes(&all, &c, &d);
    ck_assert_int_eq(found && strcmp(d.class, "index-overflow") == 0, _i == 0);
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(at_most_1000_columns, if (n <= 1000) right();)
PROGRAM(at_most_1000_terms,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k < 1000 ? k : 1000));)

/* A limit of sizes between those that are right and a much longer one that is not. */
TEST(limits_of_sizes) {
    static const struct shape shapes[] = {{8, 8, 8},   {9, 10, 11},  {300, 5, 4}, {3, 290, 4},
                                          {3, 4, 310}, {3, 5000, 2}, {2, 3, 6000}};
    static const struct {
        void (*does)(void);
        const char *says;
    } rows[] = {
        {at_most_1000_columns, "n = 5000 nothing is written"},
        {at_most_1000_terms, "k = 6000 C is wrong"},
    };
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct trials all = {.count = 0};
        struct diagnosis d = {0};
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            add_trial(&all, rows[r].does, shapes[i], INPUT_SMALL, i);
        ck_assert(suspect_shapes(&all, &c, &d));
        ck_assert_str_eq(d.class, "size-limit");
        ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), rows[r].says));
        diagnosis_free(&d);
        all.trial[0]->verdict = VERDICT_WRONG; /* a small one is wrong, too */
        suspect_shapes(&all, &c, &d);
        ck_assert(!d.class || strcmp(d.class, "size-limit") != 0);
        diagnosis_free(&d);
        trials_free(&all);
    }
}

PROGRAM(squares_only, if (m == n && n == k) right();)

/* What is never written at all is no matter of sizes in the wrong place. */
TEST(nothing_but_squares) {
    static const struct shape shapes[] = {{8, 8, 8}, {9, 9, 9}, {32, 32, 32}, {4, 5, 6},
                                          {5, 4, 4}, {7, 7, 1}, {32, 64, 96}, {64, 32, 96}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_CPU};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_trial(&all, squares_only, shapes[i], INPUT_SMALL, i);
    ck_assert(suspect_shapes(&all, &c, &d));
    ck_assert_str_eq(d.class, "shape-special");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "Nothing is written where m, n and k"));
    diagnosis_free(&d);
    trials_free(&all);
}

/* Six blocks for tiles of 16 x 16, numbered along the rows: each goes on to every sixth. */
PROGRAM(
    kept_by_block, for (int i = 0; i < m * n; i++) {
        const int across = (n + 15) / 16, t = i / n / 16 * across + i % n / 16 - 6;
        const int before = (t / across * 16 + i / n % 16) * n + t % across * 16 + i % n % 16;
        to(i, dot(i / n, i % n, 0, k) + (t < 0 ? 0 : C[before]));
    })

TEST(sums_kept_by_blocks) {
    static const struct shape shapes[] = {{32, 48, 8}, {16, 16, 16}, {64, 64, 5}, {32, 96, 7}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, kept_by_block, shapes[i], INPUT_SMALL, i);
        struct trial *t = all.trial[i];
        t->counted = true;
        t->work.of[WORK_GRID_X] = 6;
        t->work.of[WORK_GRID_Y] = t->work.of[WORK_GRID_Z] = 1;
    }
    ck_assert(suspect_sums(&all, &c, &d));
    ck_assert_str_eq(d.class, "uninitialised-sum");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "another tile of 16 x 16"));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(rows_repeated, for (int i = 0; i < m * n; i++) to(i, dot(i / n % 16, i % n, 0, k));)
PROGRAM(rows_in_pairs, for (int i = 0; i < m * n; i++) to(i, dot(i / n ^ 1, i % n, 0, k));)

/* Rows that lie in each other's place, and rows that stand for others, too. */
TEST(rows_in_place_of_others) {
    void (*const programs[])(void) = {rows_repeated, rows_in_pairs};
    const char *const says[] = {"rows of C are computed twice", "have changed places"};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct trials all = {.count = 0};
        struct diagnosis d = {0};
        add_trial(&all, programs[i], (struct shape){32, 20, 8}, INPUT_SMALL, 1);
        add_trial(&all, programs[i], (struct shape){48, 9, 5}, INPUT_SMALL, 2);
        ck_assert(suspect_values(&all, &c, &d));
        ck_assert_str_eq(d.class, "index-wrong");
        ck_assert_msg(strstr(text_get(&d.sentence), says[i]) != NULL, "%s", text_get(&d.sentence));
        diagnosis_free(&d);
        trials_free(&all);
    }
}

/* A block for each tile of 32 x 32, numbered in bands of two rows of tiles; a third row is a band
 * of its own, and is taken for two. */
PROGRAM(
    last_band_for_whole, for (int i = 0; i < m * n; i++) {
        const int down = (m + 31) / 32, across = (n + 31) / 32, row = i / n / 32, col = i % n / 32;
        const int height = row < 2 && down < 2 ? down : 2;
        if (row / 2 * 2 * across + col * height + row % 2 < down * across)
            to(i, dot(i / n, i % n, 0, k));
    })

TEST(the_last_band_is_lower) {
    static const struct shape shapes[] = {{32, 96, 8}, {64, 64, 8}, {96, 64, 8}, {160, 90, 7}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, last_band_for_whole, shapes[i], INPUT_SMALL, i);
        count_launch(all.trial[i]);
        all.trial[i]->work.of[WORK_GLOBAL_STORE_BYTES] = 4 * trial_elements(all.trial[i]);
    }
    ck_assert_int_eq(all.trial[1]->verdict, VERDICT_PASS);
    ck_assert_int_eq(all.trial[2]->verdict, VERDICT_WRONG);
    ck_assert(suspect_blocks(&all, &c, &d));
    ck_assert_str_eq(d.class, "index-wrong");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "in bands of 2 rows of tiles"));
    diagnosis_free(&d);
    trials_free(&all);
}

/* Where C is never as high as a band, nobody knows how high a band is. */
PROGRAM(
    only_band_for_whole, for (int i = 0; i < m * n; i++) {
        const int down = (m + 31) / 32, across = (n + 31) / 32, row = i / n / 32, col = i % n / 32;
        if (col * 8 + row < down * across)
            to(i, dot(i / n, i % n, 0, k));
    })

TEST(a_band_of_unknown_height) {
    static const struct shape shapes[] = {{32, 96, 8}, {64, 64, 8}, {32, 64, 8}, {60, 90, 7}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, only_band_for_whole, shapes[i], INPUT_SMALL, i);
        count_launch(all.trial[i]);
        all.trial[i]->work.of[WORK_GLOBAL_STORE_BYTES] = 4 * trial_elements(all.trial[i]);
    }
    ck_assert(suspect_blocks(&all, &c, &d));
    ck_assert_str_eq(d.class, "index-wrong");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "in bands of several rows of tiles"));
    diagnosis_free(&d);
    trials_free(&all);
}

TEST(special_shapes) {
    static const struct shape shapes[] = {{8, 8, 1}, {9, 10, 1}, {7, 1, 4},
                                          {1, 3, 4}, {5, 6, 7},  {3, 3, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, right, shapes[i], INPUT_SMALL, i);
        if (shapes[i].k == 1)
            all.trial[i]->verdict = VERDICT_WRONG;
    }
    ck_assert(suspect_special(&all, &c, &d));
    ck_assert_str_eq(d.class, "shape-special");
    diagnosis_free(&d);
    trials_free(&all);
}

/* 1 + 4 + 7 + 10 of a matrix of 30: numbers counted from 15. */
TEST(stretches_are_told_from_sums) {
    struct stretch x;
    double places = 0, squares = 0;
    for (int i = 0; i < 4; i++) {
        places += 1 + 3 * i - 15;
        squares += (1 + 3 * i - 15) * (1 + 3 * i - 15);
    }
    ck_assert(stretch_decode(4, places, squares, 30, &x));
    ck_assert_int_eq(x.terms, 4);
    ck_assert_int_eq(x.start, 1);
    ck_assert_int_eq(x.step, 3);
    ck_assert(stretch_decode(1, 7 - 15, 64, 30, &x)); /* one element */
    ck_assert_int_eq(x.start, 7);
    ck_assert(stretch_decode(5, 5 * (2 - 15), 5 * 169, 30, &x)); /* the same one, five times */
    ck_assert_int_eq(x.start, 2);
    ck_assert_int_eq(x.step, 0);
    ck_assert(!stretch_decode(4, places + 1, squares, 30, &x)); /* no even steps */
    ck_assert(!stretch_decode(0, 0, 0, 30, &x));
    ck_assert(!stretch_decode(2.5, 1, 1, 30, &x));
    ck_assert(!stretch_decode(NAN, 1, 1, 30, &x));
    ck_assert(!stretch_decode(4, 4 * 40, 4 * 1600, 30, &x)); /* outside */
}

TEST(what_helps_with_each_class) {
    struct cause c = cause_of(".", "second-barrier-missing", "lab3");
    ck_assert_str_eq(c.section, "lab3.md#barriers");
    ck_assert_int_eq(c.hint_count, 3);
    cause_free(&c);
    c = cause_of(".", "second-barrier", "lab3"); /* not a beginning of one */
    ck_assert_ptr_null(c.section);
    c = cause_of("/nowhere", "race", "lab3");
    ck_assert_ptr_null(c.section);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        if (!mistakes[i].class)
            continue;
        c = cause_of(".", mistakes[i].class, "lab4");
        ck_assert_msg(c.section != NULL, "%s", mistakes[i].class);
        ck_assert_msg(c.hint_count > 0, "%s", mistakes[i].class);
        cause_free(&c);
    }
}

/* Some rows are for one lab. */
TEST(what_helps_in_one_lab) {
    struct cause two = cause_of(".", "stride-wrong", "lab2");
    struct cause five = cause_of(".", "stride-wrong", "lab5");
    ck_assert_str_eq(two.section, "lab1.md#rowmajor");
    ck_assert_str_eq(five.section, "lab5.md#arguments");
    ck_assert_int_eq(five.hint_count, two.hint_count + 1);
    for (int i = 0; i < two.hint_count; i++)
        ck_assert_str_eq(five.hints[i], two.hints[i]);
    cause_free(&two);
    cause_free(&five);
}

int main(void) {
    return run_tests((struct suite){.name = "suspect", .seconds = 120});
}
