/*
 * suspect_test.c: every known mistake, made here by a small program of its own, is recognised among
 * all others; noise is not.
 *
 * The programs are written as students write them, with loops and indices, not as the suspects
 * compute them (trial_programs.h). The file is as long as the list of mistakes.
 */
#include "common/tests/suite.h"
#include "grading/src/diagnose/suspect.h"
#include "grading/src/run/cause.h"
#include "grading/tests/trial_programs.h"

#include <math.h>
#include <string.h>

/* The formatter takes products for pointers. */
/* clang-format off */
PROGRAM(b_guarded_by_k, EACH(m, n, i * n + j, 0, k, a(i * k + p), j < k ? b(p * n + j) : 0))
PROGRAM(a_guarded_by_n, EACH(m, n, i * n + j, 0, k, i < n ? a(i * k + p) : 0, b(p * n + j)))
PROGRAM(whole_fours, EACH(m, n, i * n + j, 0, k / 4 * 4, a(i * k + p), b(p * n + j)))
PROGRAM(transposed_a, EACH(m, n, i * n + j, 0, k, a(p * m + i), b(p * n + j)))
PROGRAM(transposed_c, EACH(m, n, j * m + i, 0, k, a(i * k + p), b(p * n + j)))
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
/* 700 threads take the elements in turn, and never begin a sum anew. */
PROGRAM(carries_by_threads, for (int i = 0; i < m * n; i++)
    to(i, dot(i / n, i % n, 0, k) + (i >= 700 ? C[i - 700] : 0));)
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
    {"sum goes on by threads", carries_by_threads, "uninitialised-sum"},
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

static bool registers; /* the launch is that of REGISTERS */

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
