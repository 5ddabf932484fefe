/* bank.c: questions of exams on labs 1 to 5 and on memory (see exam.h). What a warp touches is
 * counted lane by lane. Longer than other files, for it is a list: each question's drawing, text,
 * answers and working stand together, and no question knows another. */
#include "solutions/exam/bank.h"

enum { SECTOR = 32 };

/* ---- What is counted ---- */

/* Different numbers in a list of LANES. */
static int different(const int64_t *list) {
    int count = 0;
    for (int i = 0; i < LANES; i++) {
        int before = 0;
        while (list[before] != list[i])
            before++;
        count += before == i;
    }
    return count;
}

/* Sectors of 32 bytes that a warp touches: lane i reads the float at place[i]. */
static int sectors(const int64_t *place) {
    int64_t sector[LANES];
    for (int i = 0; i < LANES; i++)
        sector[i] = place[i] * 4 / SECTOR;
    return different(sector);
}

int bank_turns(const int64_t *word) {
    int most = 0;
    for (int bank = 0; bank < BANKS; bank++) {
        int count = 0;
        for (int i = 0; i < LANES; i++) {
            int before = 0;
            while (word[before] != word[i])
                before++;
            count += before == i && word[i] % BANKS == bank;
        }
        most = count > most ? count : most;
    }
    return most;
}

/* ---- Lab 1: lines: rows, columns n[0..1], element n[2..3], line n[4] bytes ---- */

static void draw_lines_of_cache(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 40, 90);
    d->n[1] = pick(g, 3, 12) * 32;
    d->n[2] = pick(g, 3, d->n[0] - 1);
    d->n[3] = pick(g, 3, d->n[1] - 1);
    d->n[4] = pick(g, 0, 1) ? 64 : 128;
}

static void text_lines_of_cache(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A matrix of %d rows and %d columns of floats begins at a multiple of %d. A cache "
              "loads lines of %d bytes.\n",
              N(0), N(1), N(4), N(4));
}

static void text_lines_of_cache_element(struct text *t, const struct drawn *d) {
    text_lines_of_cache(t, d);
    text_addf(t, "The first question is about its element in row %d, column %d, counted from 0.\n",
              N(2), N(3));
}

VALUE(cache_place, whole(d->n[2] * d->n[1] + d->n[3]))
VALUE(cache_row, whole(parts_over(d->n[1] * 4, d->n[4])))
VALUE(cache_column, whole(d->n[0]))

static void work_lines_of_cache(struct text *t, const struct drawn *d) {
    text_addf(t,
              "%d · %d + %d. A row is %d bytes: %d lines of %d. Down a column each "
              "element lies %d "
              "bytes further, in a line of its own.",
              N(2), N(1), N(3), N(1) * 4, (int)cache_row(d, NULL).v[0], N(4), N(1) * 4);
}

/* ---- Lab 2: the grid: m, n in n[0..1], block n[2..3], a thread n[4..7] ---- */

static void draw_grid(struct drawn *d, struct generator *g) {
    static const int wide[] = {8, 16, 32};
    d->n[2] = pick_from(g, wide, COUNT(wide));
    d->n[3] = pick(g, 2, 8) * 2;
    d->n[1] = d->n[2] * pick(g, 5, 12) + pick(g, 1, d->n[2] - 1);
    d->n[0] = d->n[3] * pick(g, 5, 12) + pick(g, 1, d->n[3] - 1);
    d->n[4] = pick(g, 1, d->n[1] / d->n[2] - 1);
    d->n[5] = pick(g, 1, d->n[0] / d->n[3] - 1);
    d->n[6] = pick(g, 1, d->n[2] - 1);
    d->n[7] = pick(g, 1, d->n[3] - 1);
}

static void text_grid(struct text *t, const struct drawn *d) {
    text_addf(t,
              "C has %d rows and %d columns; each thread computes one element. Blocks have %d "
              "threads along x and %d along y, and the grid just covers C.\n",
              N(0), N(1), N(2), N(3));
}

static int64_t blocks_x(const struct drawn *d) {
    return parts_over(d->n[1], d->n[2]);
}

static int64_t blocks_y(const struct drawn *d) {
    return parts_over(d->n[0], d->n[3]);
}

VALUE(grid_blocks, whole_two(blocks_x(d), blocks_y(d)))
VALUE(grid_idle, whole(blocks_x(d) * blocks_y(d) * d->n[2] * d->n[3] - d->n[0] * d->n[1]))

static struct blank_value grid_row_column(const struct drawn *d, const struct variables *v) {
    (void)v;
    return whole_two(d->n[5] * d->n[3] + d->n[7], d->n[4] * d->n[2] + d->n[6]);
}

static void text_grid_thread(struct text *t, const struct drawn *d) {
    text_grid(t, d);
    text_addf(t, "One thread has blockIdx (%d, %d) and threadIdx (%d, %d), x first.\n", N(4), N(5),
              N(6), N(7));
}

static void work_grid(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "%d / %d and %d / %d, rounded up. %d blocks of %d threads, less %d elements. Row %d · "
        "%d + %d, column %d · %d + %d.",
        N(1), N(2), N(0), N(3), (int)(blocks_x(d) * blocks_y(d)), N(2) * N(3), N(0) * N(1), N(5),
        N(3), N(7), N(4), N(2), N(6));
}

/* ---- Lab 2: a wrong guard: m, n in n[0..1], square blocks n[2] ---- */

static void draw_guard(struct drawn *d, struct generator *g) {
    d->n[2] = pick(g, 2, 4) * 4;
    d->n[0] = d->n[2] * pick(g, 2, 5) + pick(g, 1, d->n[2] - 2);
    d->n[1] = d->n[2] * pick(g, 2, 5) + pick(g, 1, d->n[2] - 2);
}

static void text_guard(struct text *t, const struct drawn *d) {
    text_addf(t,
              "C has m = %d rows and n = %d columns, and nothing lies behind it. Blocks are %d x "
              "%d, and the grid covers C. A student writes\n\n"
              "    if (row > m || col > n)\n        return;\n    C[row * n + col] = sum;\n\n"
              "What follows is about threads that lie outside C and do not return.\n",
              N(0), N(1), N(2), N(2));
}

/* Such threads, and of them those that write behind C's end. */
static void count_guard(const struct drawn *d, int64_t *let, int64_t *behind) {
    const int64_t m = d->n[0], n = d->n[1], side = d->n[2];
    *let = *behind = 0;
    for (int64_t row = 0; row < parts_over(m, side) * side; row++)
        for (int64_t col = 0; col < parts_over(n, side) * side; col++) {
            const bool outside = row >= m || col >= n, stays = !(row > m || col > n);
            *let += outside && stays;
            *behind += outside && stays && row * n + col >= m * n;
        }
}

static struct blank_value guard_let(const struct drawn *d, const struct variables *v) {
    int64_t let, behind;
    (void)v;
    count_guard(d, &let, &behind);
    return whole(let);
}

static struct blank_value guard_behind(const struct drawn *d, const struct variables *v) {
    int64_t let, behind;
    (void)v;
    count_guard(d, &let, &behind);
    return whole(behind);
}

/* Row r, column n is row r + 1, column 0: for all rows but the last. */
static struct blank_value guard_inside(const struct drawn *d, const struct variables *v) {
    return whole((int64_t)(guard_let(d, v).v[0] - guard_behind(d, v).v[0]));
}

static void work_guard(struct text *t, const struct drawn *d) {
    text_addf(t,
              "Row m, columns 0 to n, and column n, rows 0 to m - 1: %d + 1 + %d threads. Column n "
              "of a row is column 0 of the next one, where another thread writes, too: %d of them "
              "lie in C. All of row m, and column n of the last row, lie behind.",
              N(1), N(0), (int)guard_inside(d, NULL).v[0]);
}

/* ---- Lab 2: what a warp touches: block width n[0], n in n[1], p in n[2] ---- */

static void draw_warp(struct drawn *d, struct generator *g) {
    static const int wide[] = {4, 8, 16, 32};
    d->n[0] = pick_from(g, wide, COUNT(wide));
    d->n[1] = pick(g, 4, 30) * 64;
    d->n[2] = pick(g, 1, 60);
}

static void text_warp(struct text *t, const struct drawn *d) {
    text_addf(t,
              "All matrices are %d x %d and begin at a multiple of 128 bytes. A block has %d "
              "threads along x; `row` comes from y, `col` from x, and the block is the grid's "
              "first. Its first warp of 32 threads reads, each with one instruction:\n\n"
              "    A[row * n + p]     B[p * n + col]     B[col * n + p]      with p = %d\n\n"
              "Memory is read in sectors of 32 bytes.\n",
              N(1), N(1), N(0), N(2));
}

/* Which of the three. */
static int warp_sectors(const struct drawn *d, int which) {
    int64_t place[LANES];
    for (int i = 0; i < LANES; i++) {
        const int64_t row = i / d->n[0], col = i % d->n[0], n = d->n[1], p = d->n[2];
        place[i] = which == 0 ? row * n + p : which == 1 ? p * n + col : col * n + p;
    }
    return sectors(place);
}

VALUE(warp_A, whole(warp_sectors(d, 0)))
VALUE(warp_B, whole(warp_sectors(d, 1)))
VALUE(warp_B_down, whole(warp_sectors(d, 2)))

static void work_warp(struct text *t, const struct drawn *d) {
    text_addf(t,
              "The warp has %d rows of %d threads. A: one word in each row. B[p * n + col]: %d "
              "floats in a row, the same for all rows of threads. B[col * n + p]: each column of "
              "threads reads a row of its own.",
              LANES / N(0), N(0), N(0));
}

/* ---- Lab 3: phases: width n[0], tile n[1], thread n[2..5], phase n[6] ---- */

static void draw_phases(struct drawn *d, struct generator *g) {
    d->n[1] = pick(g, 0, 1) ? 16 : 8;
    d->n[0] = d->n[1] * pick(g, 5, 20);
    const int64_t tiles = d->n[0] / d->n[1];
    d->n[2] = pick(g, 1, tiles - 1);
    d->n[3] = pick(g, 1, tiles - 1);
    d->n[4] = pick(g, 1, d->n[1] - 1);
    d->n[5] = pick(g, 1, d->n[1] - 1);
    d->n[6] = pick(g, 1, tiles - 2);
}

static void text_phases(struct text *t, const struct drawn *d) {
    text_addf(t,
              "Square matrices of width %d are multiplied with tiles of %d x %d, each thread "
              "copying one element of A and one of B in a phase. The first phase has number 0. A "
              "thread has blockIdx (%d, %d) and threadIdx (%d, %d), x first.\n",
              N(0), N(1), N(1), N(2), N(3), N(4), N(5));
}

static void text_phase_number(struct text *t, const struct drawn *d) {
    text_phases(t, d);
    text_addf(t, "The questions about its copies are about phase %d.\n", N(6));
}

VALUE(phases_count, whole(d->n[0] / d->n[1]))
VALUE(phases_A, whole_two(d->n[3] * d->n[1] + d->n[5], d->n[6] * d->n[1] + d->n[4]))
VALUE(phases_B, whole_two(d->n[6] * d->n[1] + d->n[5], d->n[2] * d->n[1] + d->n[4]))
VALUE(phases_loads, whole(2 * d->n[0] * d->n[0] * (d->n[0] / d->n[1])))

static void work_phases(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "%d / %d phases. A: its row of C, %d · %d + %d; column %d · %d + %d. B: row %d · %d + "
        "%d; its column of C, %d · %d + %d. Each of %d · %d threads loads 2 floats in each of "
        "%d phases.",
        N(0), N(1), N(3), N(1), N(5), N(6), N(1), N(4), N(6), N(1), N(5), N(2), N(1), N(4), N(0),
        N(0), N(0) / N(1));
}

/* ---- Lab 3: banks: a row of n[0] words, a column n[1] ---- */

static void draw_banks(struct drawn *d, struct generator *g) {
    static const int wide[] = {8, 16, 24, 32, 40, 48, 64};
    d->n[0] = pick_from(g, wide, COUNT(wide));
    d->n[1] = pick(g, 1, 7);
}

static void text_banks(struct text *t, const struct drawn *d) {
    text_addf(t,
              "`__shared__ float s[32][%d];` A warp's 32 threads have threadIdx.x = 0 to 31 in one "
              "row of their block. They read, each with one instruction:\n\n"
              "    s[threadIdx.x][%d]      s[threadIdx.x / 4][%d]\n\n"
              "Shared memory has 32 banks, and word i lies in bank i %% 32. In how many turns is "
              "each of them served?\n",
              N(0), N(1), N(1));
}

/* s[x][column], s[x / 4][column], and s[x][column] in rows one word longer. */
static int turns_of(const struct drawn *d, int which) {
    int64_t word[LANES];
    const int64_t wide = d->n[0] + (which == 2);
    for (int x = 0; x < LANES; x++)
        word[x] = (which == 1 ? x / 4 : x) * wide + d->n[1];
    return bank_turns(word);
}

VALUE(banks_column, whole(turns_of(d, 0)))
VALUE(banks_shared, whole(turns_of(d, 1)))
VALUE(banks_padded, whole(turns_of(d, 2)))

static void work_banks(struct text *t, const struct drawn *d) {
    text_addf(t,
              "Down a column words are %d apart: the banks repeat after %d of them. Threads that "
              "read the same word share it: of the second there are 8 words. With rows of %d words "
              "they are %d apart.",
              N(0), LANES / (int)banks_column(d, NULL).v[0], N(0) + 1, N(0) + 1);
}

/* ---- Lab 3: barriers: the order of the statements in n[0..5] ---- */

static const struct {
    const char *says;
    bool holds;
} about_barriers[] = {
    {"Without the barrier between copying and using, a thread may read what is left of the phase "
     "before.",
     true},
    {"Without the barrier between using and the next phase's copies, a fast warp may overwrite an "
     "element that a slow one still needs.",
     true},
    {"`__syncthreads()` waits for all threads of the grid.", false},
    {"With blocks of 32 x 1 threads a missing barrier may never show.", true},
    {"A barrier inside `if (row < m)` is safe, for the other threads have nothing to do.", false},
    {"A program that gave the right product a hundred times has no race.", false},
};
enum { STATEMENTS = COUNT(about_barriers) };

static void draw_barriers(struct drawn *d, struct generator *g) {
    for (int i = 0; i < STATEMENTS; i++)
        d->n[i] = i;
    for (int i = STATEMENTS; i > 1; i--) {
        const int64_t other = pick(g, 0, i - 1), kept = d->n[i - 1];
        d->n[i - 1] = d->n[other];
        d->n[other] = kept;
    }
}

static void text_barriers(struct text *t, const struct drawn *d) {
    text_add(t, "About the tiled kernel of lab 3, and barriers:\n\n");
    for (int i = 0; i < STATEMENTS; i++)
        text_addf(t, "- (%c) %s\n", 'a' + i, about_barriers[d->n[i]].says);
}

static struct blank_value barriers_hold(const struct drawn *d, const struct variables *v) {
    int64_t set = 0;
    (void)v;
    for (int i = 0; i < STATEMENTS; i++)
        set |= (int64_t)about_barriers[d->n[i]].holds << i;
    return whole(set);
}

static void work_barriers(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t, "A barrier is for the threads of one block, and all of them must reach it. A block "
                "of one warp runs in step on many devices, so that a race does not show: it is "
                "one all the same.");
}

/* ---- Lab 4: edges: m, n, k in n[0..2], tile n[3] ---- */

static void draw_edges(struct drawn *d, struct generator *g) {
    d->n[3] = pick(g, 0, 1) ? 16 : 8;
    for (int i = 0; i < 3; i++)
        d->n[i] = d->n[3] * pick(g, 2, 9) + pick(g, 1, d->n[3] - 1);
}

static void text_edges(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A is %d x %d, B is %d x %d. Tiles are %d x %d; where a tile leaves its matrix, "
              "threads store zeros. Look at the block in the lower right corner of C.\n",
              N(0), N(2), N(2), N(1), N(3), N(3));
}

/* Threads of the corner block, in the last phase: with an element of C; zeros in the tile of A. */
static void count_edges(const struct drawn *d, int64_t *elements, int64_t *zeros) {
    const int64_t T = d->n[3], m = d->n[0], n = d->n[1], k = d->n[2];
    *elements = *zeros = 0;
    for (int64_t y = 0; y < T; y++)
        for (int64_t x = 0; x < T; x++) {
            const int64_t row = m / T * T + y, col = n / T * T + x, p = k / T * T + x;
            *elements += row < m && col < n;
            *zeros += row >= m || p >= k;
        }
}

VALUE(edges_phases, whole(parts_over(d->n[2], d->n[3])))

static struct blank_value edges_elements(const struct drawn *d, const struct variables *v) {
    int64_t elements, zeros;
    (void)v;
    count_edges(d, &elements, &zeros);
    return whole(elements);
}

static struct blank_value edges_zeros(const struct drawn *d, const struct variables *v) {
    int64_t elements, zeros;
    (void)v;
    count_edges(d, &elements, &zeros);
    return whole(zeros);
}

/* Those that would return first, as a guard in front of the loop makes them. */
VALUE(edges_waiting, whole(d->n[3] * d->n[3] - (int64_t)edges_elements(d, v).v[0]))

static void work_edges(struct text *t, const struct drawn *d) {
    const int rows = N(0) % N(3), cols = N(1) % N(3), terms = N(2) % N(3);
    text_addf(t,
              "%d / %d, rounded up. %d rows and %d columns of C are left: %d · %d "
              "elements, and %d "
              "threads without one, which all must reach the barriers. Of A's last tile %d · %d "
              "elements are in the matrix, of %d.",
              N(2), N(3), rows, cols, rows, cols, (int)edges_waiting(d, NULL).v[0], rows, terms,
              N(3) * N(3));
}

/* ---- Lab 5: by columns: m, n, k in n[0..2], an element n[3..4] of A ---- */

static void draw_columns(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 20, 60);
    d->n[1] = d->n[0] + pick(g, 5, 40);
    d->n[2] = d->n[1] + pick(g, 5, 40);
    d->n[3] = pick(g, 1, d->n[0] - 1);
    d->n[4] = pick(g, 1, d->n[2] - 1);
}

static void text_columns(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A is %d x %d, B is %d x %d, both row by row in memory. cuBLAS reads matrices by "
              "columns. C = A B, row by row, is computed by\n\n"
              "    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K,\n"
              "                &one, B, ldb, A, lda, &zero, C, ldc);\n",
              N(0), N(2), N(2), N(1));
}

VALUE(columns_sizes, whole_three(d->n[1], d->n[0], d->n[2]))
VALUE(columns_leading, whole_three(d->n[1], d->n[2], d->n[1]))
VALUE(columns_seen, whole_two(d->n[4], d->n[3]))

static void text_columns_element(struct text *t, const struct drawn *d) {
    text_columns(t, d);
    text_addf(t, "\nThe last question is about A's element in row %d, column %d.\n", N(3), N(4));
}

static void work_columns(struct text *t, const struct drawn *d) {
    text_addf(t,
              "By columns A's memory is its transpose, %d x %d. The call computes the transpose of "
              "C, %d x %d, which by rows is C; B comes first. A leading dimension is the length of "
              "what lies together: a row of ours.",
              N(2), N(0), N(1), N(0));
}

/* ---- Memory: blocks on an SM: threads n[0], registers n[1], shared n[2] bytes ---- */

enum { SM_THREADS = 2048, SM_REGISTERS = 65536, SM_BLOCKS = 32 };
static const char *const limits[] = {"threads", "registers", "shared memory", NULL};

static int64_t fits(const struct drawn *d, int which) {
    const int64_t room[] = {SM_THREADS, SM_REGISTERS, SM_SHARED};
    const int64_t need[] = {d->n[0], d->n[0] * d->n[1], d->n[2]};
    return room[which] / need[which];
}

static int64_t blocks_on_sm(const struct drawn *d) {
    int64_t least = SM_BLOCKS;
    for (int i = 0; i < 3; i++)
        least = fits(d, i) < least ? fits(d, i) : least;
    return least;
}

/* One limit alone decides, so that there is one answer. */
static void draw_occupancy(struct drawn *d, struct generator *g) {
    for (int ties = 2; ties != 1;) {
        d->n[0] = pick(g, 2, 8) * 64;
        d->n[1] = pick(g, 3, 16) * 8;
        d->n[2] = pick(g, 2, 24) * 1024;
        ties = 0;
        for (int i = 0; i < 3; i++)
            ties += fits(d, i) == blocks_on_sm(d);
    }
}

static void text_occupancy(struct text *t, const struct drawn *d) {
    text_addf(t,
              "An SM has room for %d threads, %d blocks, %d registers and %d bytes of shared "
              "memory. A kernel has blocks of %d threads, %d registers a thread and %d bytes of "
              "shared memory a block.\n",
              SM_THREADS, SM_BLOCKS, SM_REGISTERS, SM_SHARED, N(0), N(1), N(2));
}

VALUE(occupancy_blocks, whole(blocks_on_sm(d)))

static struct blank_value occupancy_limit(const struct drawn *d, const struct variables *v) {
    int which = 0;
    (void)v;
    while (which < 2 && fits(d, which) != blocks_on_sm(d))
        which++;
    return whole(which);
}

VALUE(occupancy_percent, one(100.0 * (double)(blocks_on_sm(d) * d->n[0]) / SM_THREADS))

static void work_occupancy(struct text *t, const struct drawn *d) {
    text_addf(t,
              "Threads allow %d blocks, registers %d / (%d · %d) = %d, shared memory "
              "%d / %d = %d. "
              "%d · %d of %d threads.",
              (int)fits(d, 0), SM_REGISTERS, N(0), N(1), (int)fits(d, 1), SM_SHARED, N(2),
              (int)fits(d, 2), (int)blocks_on_sm(d), N(0), SM_THREADS);
}

/* ---- Memory: bounds: GB/s n[0], GFLOP/s n[1], tile n[2] ---- */

static const char *const bounds[] = {"memory", "arithmetic", NULL};

static void draw_bounds(struct drawn *d, struct generator *g) {
    static const int tiles[] = {4, 8, 16, 32};
    d->n[2] = pick_from(g, tiles, COUNT(tiles));
    d->n[0] = pick(g, 4, 40) * 20;
    d->n[1] = pick(g, 4, 60) * 100;
    if (d->n[0] * d->n[2] / 4 == d->n[1]) /* two bounds that are the same have no answer */
        d->n[1] += 100;
}

static void text_bounds(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A device moves %d GB/s and computes %d GFLOP/s at most (a multiply-add is two "
              "operations). A tiled kernel loads each element once for each tile of %d x %d, and "
              "nothing else counts.\n",
              N(0), N(1), N(2), N(2));
}

/* Two floats a thread and phase, for `tile` multiply-adds. */
VALUE(bounds_bytes, one(8.0 / (double)d->n[2]))
VALUE(bounds_memory, one((double)d->n[0] * (double)d->n[2] / 4))
VALUE(bounds_which, whole(d->n[0] * d->n[2] < d->n[1] * 4 ? 0 : 1))

static void work_bounds(struct text *t, const struct drawn *d) {
    text_addf(t,
              "8 bytes for %d multiply-adds. %d GB/s allow %d / (8 / %d) · 2 GFLOP/s; the "
              "arithmetic allows %d. The smaller one decides.",
              N(2), N(0), N(0), N(2), N(1));
}

/* ---- All of them ---- */

/* clang-format off */
const struct exam_question exam_basics[] = {
    {.lab = 1, .points = 3, .working = work_lines_of_cache,
     .asked = {.key = "exam-lines", .title = "Rows in memory", .section = "lab1.md#rowmajor",
               .draw = draw_lines_of_cache, .text = text_lines_of_cache_element,
               BLANKS(NUMBERS(cache_place, "place of that element, counted in floats from 0"),
                      NUMBERS(cache_row, "lines that hold one row"),
                      NUMBERS(cache_column, "lines that are loaded to walk down one column"))}},
    {.lab = 2, .points = 3, .working = work_grid,
     .asked = {.key = "exam-grid", .title = "A grid", .section = "lab2.md#which",
               .draw = draw_grid, .text = text_grid_thread,
               BLANKS(NUMBERS(grid_blocks, "gridDim.x, gridDim.y"),
                      NUMBERS(grid_idle, "threads without an element"),
                      NUMBERS(grid_row_column, "row, column of that thread's element"))}},
    {.lab = 2, .points = 3, .working = work_guard,
     .asked = {.key = "exam-guard", .title = "A wrong guard", .section = "lab2.md#which",
               .draw = draw_guard, .text = text_guard,
               BLANKS(NUMBERS(guard_let, "how many they are"),
                      NUMBERS(guard_inside, "of them, those that write into C"),
                      NUMBERS(guard_behind, "of them, those that write behind its end"))}},
    {.lab = 2, .points = 3, .working = work_warp,
     .asked = {.key = "exam-warp", .title = "What a warp touches", .section = "lab2.md#coalescing",
               .draw = draw_warp, .text = text_warp,
               BLANKS(NUMBERS(warp_A, "sectors of `A[row * n + p]`"),
                      NUMBERS(warp_B, "sectors of `B[p * n + col]`"),
                      NUMBERS(warp_B_down, "sectors of `B[col * n + p]`"))}},
    {.lab = 3, .points = 4, .working = work_phases,
     .asked = {.key = "exam-phases", .title = "Phases", .section = "lab3.md#idea",
               .draw = draw_phases, .text = text_phase_number,
               BLANKS(NUMBERS(phases_count, "phases"),
                      NUMBERS(phases_A, "row, column of the element of A that it copies"),
                      NUMBERS(phases_B, "row, column of the element of B that it copies"),
                      NUMBERS(phases_loads, "floats that all blocks load from global memory"))}},
    {.lab = 3, .points = 3, .working = work_banks,
     .asked = {.key = "exam-banks", .title = "Banks", .section = "lab3.md#banks",
               .draw = draw_banks, .text = text_banks,
               BLANKS(NUMBERS(banks_column, "the first"), NUMBERS(banks_shared, "the second"),
                      NUMBERS(banks_padded, "the first, with one more float in each row of s"))}},
    {.lab = 3, .points = 1, .working = work_barriers,
     .asked = {.key = "exam-barriers", .title = "Barriers", .section = "lab3.md#barriers",
               .draw = draw_barriers, .text = text_barriers,
               BLANKS(LETTERS(barriers_hold, "letters of those that hold"))}},
    {.lab = 4, .points = 4, .working = work_edges,
     .asked = {.key = "exam-edges", .title = "A corner", .section = "lab4.md#edges",
               .draw = draw_edges, .text = text_edges,
               BLANKS(NUMBERS(edges_phases, "phases"),
                      NUMBERS(edges_elements, "its threads that have an element of C"),
                      NUMBERS(edges_zeros, "zeros that its tile of A holds in the last phase"),
                      NUMBERS(edges_waiting,
                              "threads that a barrier would miss if those without an element had "
                              "returned"))}},
    {.lab = 5, .points = 3, .working = work_columns,
     .asked = {.key = "exam-columns", .title = "By columns", .section = "lab5.md#columns",
               .draw = draw_columns, .text = text_columns_element,
               BLANKS(NUMBERS(columns_sizes, "M, N, K"), NUMBERS(columns_leading, "ldb, lda, ldc"),
                      NUMBERS(columns_seen, "row, column in which cuBLAS sees it"))}},
    {.lab = 0, .points = 3, .working = work_occupancy,
     .asked = {.key = "exam-occupancy", .title = "Blocks on an SM",
               .section = "memory.md#occupancy",
               .draw = draw_occupancy, .text = text_occupancy,
               BLANKS(NUMBERS(occupancy_blocks, "blocks on it at a time"),
                      WORDS(occupancy_limit, limits, "what limits them"),
                      REAL(occupancy_percent, "occupancy in per cent"))}},
    {.lab = 0, .points = 3, .working = work_bounds,
     .asked = {.key = "exam-bounds", .title = "Two bounds", .section = "memory.md#bound",
               .draw = draw_bounds, .text = text_bounds,
               BLANKS(REAL(bounds_bytes, "bytes loaded for each multiply-add"),
                      REAL(bounds_memory, "GFLOP/s that the memory allows"),
                      WORDS(bounds_which, bounds, "what decides"))}},
};
/* clang-format on */
const size_t exam_basics_count = COUNT(exam_basics);
