/* machine.c: figures of the machine: chip, threads in groups,
 * blocks on multiprocessors, occupancy. */
#include "handouts/figures/figures.h"

/* One multiprocessor of the chip, with what is in it. */
static void draw_sm(struct svg *s, double x, double y, const char *label) {
    svg_area(s, "none", x, y, 84, 92);
    svg_box(s, "line", x, y, 84, 92);
    svg_text(s, "small", 'm', x + 42, y + 14, "%s", label);
    svg_area(s, "c", x + 6, y + 20, 72, 20);
    svg_box(s, "faint", x + 6, y + 20, 72, 20);
    svg_text(s, "small", 'm', x + 42, y + 34, "cores");
    svg_area(s, "a", x + 6, y + 43, 72, 20);
    svg_box(s, "faint", x + 6, y + 43, 72, 20);
    svg_text(s, "small", 'm', x + 42, y + 57, "registers");
    svg_area(s, "b", x + 6, y + 66, 72, 20);
    svg_box(s, "faint", x + 6, y + 66, 72, 20);
    svg_text(s, "small", 'm', x + 42, y + 80, "shared + L1");
}

void figure_chip(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(
        s, out, name, 440, 392, "Host and device",
        "Above, the host: a CPU with its memory. A bus, PCIe, leads down to the device. In it, "
        "multiprocessors 0, 1, 2 and so on to 131, each with cores, registers and one memory "
        "shared by its blocks; below them the L2 cache that all share, and below that the "
        "device memory.");
    svg_text(s, "bold", 's', 8, 20, "host");
    svg_area(s, "none", 8, 28, 200, 44);
    svg_box(s, "line", 8, 28, 200, 44);
    svg_text(s, "text", 'm', 108, 55, "CPU: a few fast cores");
    svg_area(s, "none", 232, 28, 200, 44);
    svg_box(s, "line", 232, 28, 200, 44);
    svg_text(s, "text", 'm', 332, 55, "host memory");
    svg_line(s, "line", 208, 50, 232, 50);

    svg_line(s, "strong", 220, 72, 220, 104);
    svg_text(s, "quiet", 's', 230, 93, "PCIe: cudaMemcpy, 10 to 60 GB/s");

    svg_text(s, "bold", 's', 8, 99, "device");
    svg_box(s, "line", 8, 106, 424, 280);
    draw_sm(s, 20, 116, "SM 0");
    draw_sm(s, 118, 116, "SM 1");
    draw_sm(s, 216, 116, "SM 2");
    svg_text(s, "bold", 'm', 318, 168, "…");
    draw_sm(s, 336, 116, "SM 131");

    for (int i = 0; i < 4; i++) {
        static const double x[] = {62, 160, 258, 378};
        svg_line(s, "line", x[i], 208, x[i], 232);
    }
    svg_area(s, "none", 20, 232, 400, 46);
    svg_box(s, "line", 20, 232, 400, 46);
    svg_text(s, "text", 'm', 220, 252, "L2 cache, common to all SMs");
    svg_text(s, "quiet", 'm', 220, 269, "H200: 60 MB · C2075: 768 KB · C1060: none");
    svg_line(s, "strong", 220, 278, 220, 306);
    svg_text(s, "quiet", 's', 230, 296, "H200: 4,800 GB/s · C2075: 144 GB/s");
    svg_area(s, "none", 20, 306, 400, 68);
    svg_box(s, "line", 20, 306, 400, 68);
    svg_text(s, "text", 'm', 220, 328, "device memory");
    svg_text(s, "text", 'm', 220, 346, "global, local and constant variables live here");
    svg_text(s, "quiet", 'm', 220, 364, "H200: 150 GB · C2075: 5.6 GB");
}

void figure_hierarchy(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(
        s, out, name, 440, 330, "Grid, block, warp, thread",
        "A grid of 4 by 3 blocks. One block is enlarged: 8 rows of 32 threads, so each row is a "
        "warp. One warp is enlarged: lanes 0 to 31, which have threadIdx.x 0 to 31 and the same "
        "threadIdx.y.");
    svg_text(s, "bold", 's', 8, 18, "grid");
    svg_text(s, "quiet", 's', 44, 18, "gridDim = (4, 3, 1)");
    svg_cells(s, "none", 8, 28, 3, 4, 34, 30);
    svg_area(s, "a", 76, 58, 34, 30);
    svg_box(s, "strong", 76, 58, 34, 30);
    svg_text(s, "small", 's', 8, 134, "blockIdx = (2, 1, 0)");

    svg_text(s, "bold", 's', 172, 18, "block");
    svg_text(s, "quiet", 's', 214, 18, "blockDim = (32, 8, 1)");
    svg_cells(s, "none", 172, 28, 8, 32, 8, 14);
    svg_area(s, "c", 172, 28 + 5 * 14, 256, 14);
    svg_box(s, "strong", 172, 28 + 5 * 14, 256, 14);
    svg_line(s, "dashed", 110, 58, 172, 28);
    svg_line(s, "dashed", 110, 88, 172, 140);
    svg_text(s, "small", 's', 172, 155, "256 threads = 8 warps; marked: threadIdx.y = 5");

    svg_line(s, "dashed", 172, 112, 60, 194);
    svg_line(s, "dashed", 428, 112, 428, 196);
    svg_text(s, "bold", 's', 12, 184, "warp");
    svg_cells(s, "c", 12, 196, 1, 32, 13, 26);
    svg_text(s, "small", 'm', 18.5, 238, "0");
    svg_text(s, "small", 'm', 31.5, 238, "1");
    svg_text(s, "small", 'm', 44.5, 238, "2");
    svg_text(s, "small", 'm', 220, 238, "threadIdx.x = lane");
    svg_text(s, "small", 'm', 421.5, 238, "31");
    svg_area(s, "a", 12 + 9 * 13, 196, 13, 26);
    svg_box(s, "strong", 12 + 9 * 13, 196, 13, 26);
    svg_arrow(s, "line", 135.5, 268, 135.5, 224);
    svg_text(s, "text", 's', 12, 284, "thread (9, 5) of block (2, 1):");
    svg_text(s, "mono", 's', 12, 304, "x = 2 * 32 + 9 = 73");
    svg_text(s, "mono", 's', 12, 322, "y = 1 * 8 + 5 = 13");
    svg_text(s, "quiet", 's', 232, 304, "2 blocks to the left, then place 9");
    svg_text(s, "quiet", 's', 232, 322, "1 block above, then place 5");
}

void figure_scheduling(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(
        s, out, name, 440, 262, "35 blocks on 6 multiprocessors",
        "Six rows, one for each multiprocessor; time runs to the right. Each row is filled with "
        "blocks of slightly different lengths; whenever a block ends, the next number waiting "
        "starts there. The last of the 35 blocks end at different times, and some "
        "multiprocessors idle at the end.");
    static const double length[7] = {58, 66, 61, 71,
                                     55, 63, 68}; /* how long blocks take, in turn */
    double end[6] = {0};
    svg_text(s, "quiet", 's', 54, 16, "time");
    svg_arrow(s, "line", 84, 12, 150, 12);
    for (int b = 0; b < 35; b++) {
        int sm = 0;
        for (int i = 1; i < 6; i++)
            if (end[i] < end[sm])
                sm = i;
        double x = 54 + end[sm], y = 26 + sm * 36, width = length[b * 3 % 7];
        width *= .93;
        svg_area(s, b % 2 ? "a" : "c", x, y, width, 28);
        svg_box(s, "line", x, y, width, 28);
        svg_text(s, "small", 'm', x + width / 2, y + 18, "%d", b);
        end[sm] += width;
    }
    double last = 0;
    for (int i = 0; i < 6; i++)
        last = end[i] > last ? end[i] : last;
    for (int i = 0; i < 6; i++) {
        svg_text(s, "text", 's', 8, 44 + i * 36, "SM %d", i);
        if (last - end[i] > 1) {
            svg_area(s, "bad", 54 + end[i], 26 + i * 36, last - end[i], 28);
            if (last - end[i] > 24)
                svg_text(s, "small", 'm', 54 + (end[i] + last) / 2, 44 + i * 36, "idle");
        }
    }
    svg_text(s, "quiet", 's', 8, 256, "No block may count on another one having run before it.");
}

/* A budget of `total` cut into `fit` blocks of which `used` can be resident. */
static void draw_budget(struct svg *s, double y, const char *label, int fit, int used) {
    double width = 424.0 / fit;
    svg_text(s, "text", 's', 8, y, "%s", label);
    svg_area(s, "none", 8, y + 8, 424, 30);
    svg_area(s, "a", 8, y + 8, width * used, 30);
    for (int i = 1; i < fit; i++)
        svg_line(s, "faint", 8 + i * width, y + 8, 8 + i * width, y + 38);
    svg_box(s, "line", 8, y + 8, 424, 30);
    for (int i = 0; i < used; i++)
        svg_text(s, "small", 'm', 8 + (i + .5) * width, y + 28, "%d", i + 1);
}

void figure_occupancy(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(
        s, out, name, 440, 254, "Which budget runs out first?",
        "Three bars for one multiprocessor, each divided into equal parts, one part for each block "
        "that fits. Threads: 1024 at 256 a block, 4 blocks fill the bar. Shared memory: 16 KB at 2 "
        "KB a block, 8 would fit and 4 are used. Block slots: 8, and 4 are used.");
    svg_text(s, "bold", 's', 8, 18,
             "A Tesla C1060's SM, blocks of 16 x 16 threads, two 16 x 16 tiles each");
    draw_budget(s, 46, "1,024 threads / 256 a block: 4 blocks. The limit.", 4, 4);
    draw_budget(s, 114, "16 KB shared memory / 2 KB a block: 8 would fit", 8, 4);
    draw_budget(s, 182, "8 block slots: 4 stay empty", 8, 4);
    svg_text(s, "quiet", 's', 8, 246,
             "The smallest of the three counts is the number of resident blocks.");
}

/* The device's matrices as they are after a step: -1 not there, 0 anything, 1 filled. */
static void draw_device(struct svg *s, double y, const int state[3]) {
    static const char *const label[3] = {"A", "B", "C"}, *const class[3] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        const double x = 318 + i * 38;
        if (state[i] < 0)
            continue;
        svg_area(s, state[i] ? class[i] : "none", x, y, 30, 26);
        svg_box(s, "line", x, y, 30, 26);
        svg_text(s, "small", 'm', x + 15, y + 17, "%s", state[i] ? label[i] : "?");
    }
}

void figure_host_steps(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    static const struct {
        const char *call, *words;
        int state[3], arrow; /* 1: to the device, -1: back */
    } step[7] = {
        {"cudaMalloc", "room for A, B and C", {0, 0, 0}, 0},
        {"cudaMemcpy", "A and B travel there", {1, 1, 0}, 1},
        {"block, grid", "how many threads, blocks", {1, 1, 0}, 0},
        {"<<<grid, block>>>", "the kernel starts", {1, 1, 0}, 1},
        {"CUDA_CHECK_LAUNCH", "did it start?", {1, 1, 0}, 0},
        {"cudaMemcpy", "wait; C travels back", {1, 1, 1}, -1},
        {"cudaFree", "for each of the three", {-1, -1, -1}, 0},
    };
    svg_begin(s, out, name, 440, 404, "The host's seven steps",
              "Seven rows. To the left what the host calls, to the right what is in the device's "
              "memory afterwards. 1, cudaMalloc: room for A, B and C, with anything in it. 2, "
              "cudaMemcpy: A and B are filled, an arrow to the device. 3, block and grid: nothing "
              "changes. 4, the launch: an arrow to the device. 5, its check; the kernel may "
              "still run. 6, cudaMemcpy: it waits until the kernel has filled C, an arrow back. 7, "
              "cudaFree for each: nothing is left.");
    svg_text(s, "bold", 's', 34, 18, "host");
    svg_text(s, "bold", 's', 318, 18, "device memory");
    for (int i = 0; i < 7; i++) {
        const double y = 30 + i * 53;
        if (i > 0)
            svg_line(s, "faint", 8, y - 8, 432, y - 8);
        svg_circle(s, "fnone", 18, y + 14, 10);
        svg_circle(s, "line", 18, y + 14, 10);
        svg_text(s, "bold text", 'm', 18, y + 19, "%d", i + 1);
        svg_text(s, "mono", 's', 38, y + 11, "%s", step[i].call);
        svg_text(s, "text", 's', 38, y + 29, "%s", step[i].words);
        if (step[i].arrow > 0)
            svg_arrow(s, "line", 224, y + 14, 304, y + 14);
        else if (step[i].arrow < 0)
            svg_arrow(s, "line", 304, y + 14, 224, y + 14);
        draw_device(s, y + 1, step[i].state);
    }
    svg_text(s, "small", 'm', 264, 30 + 3 * 53 + 8, "launch");
    svg_text(s, "quiet", 's', 318, 30 + 6 * 53 + 19, "nothing left");
}

/* One instruction of a warp: the lanes from first to last carry it out, the others wait. */
static void draw_issue(struct svg *s, double y, const char *words, const char *class, int first,
                       int last) {
    svg_text(s, "mono", 's', 8, y + 13, "%s", words);
    for (int lane = 0; lane < 32; lane++) {
        const double x = 144 + lane * 9;
        svg_area(s, lane >= first && lane <= last ? class : "none", x, y, 9, 18);
        svg_box(s, "faint", x, y, 9, 18);
    }
    svg_box(s, "line", 144, y, 32 * 9, 18);
}

void figure_divergence(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(
        s, out, name, 440, 268, "A branch that splits a warp, and one that does not",
        "Rows of 32 lanes, one row for each instruction of a warp; time runs down. Above, the "
        "condition x < 20 splits the warp: all lanes test it, then lanes 0 to 19 carry out "
        "the first side while the others wait, then lanes 20 to 31 the other side, then all "
        "go on together: 4 turns. Below, the condition is the same for all 32 lanes: one "
        "side is skipped, 3 turns.");
    svg_text(s, "bold", 's', 8, 16, "x < 20 splits the warp: both sides, in turn");
    svg_text(s, "small", 's', 144, 34, "lane 0");
    svg_text(s, "small", 'e', 432, 34, "lane 31");
    draw_issue(s, 40, "if (x < 20)", "c", 0, 31);
    draw_issue(s, 62, "    sum += a;", "a", 0, 19);
    draw_issue(s, 84, "else sum += b;", "b", 20, 31);
    draw_issue(s, 106, "store(sum);", "c", 0, 31);
    svg_line(s, "faint", 8, 138, 432, 138);
    svg_text(s, "bold", 's', 8, 160, "y < 20 is the same for all: one side");
    draw_issue(s, 172, "if (y < 20)", "c", 0, 31);
    draw_issue(s, 194, "    sum += a;", "a", 0, 31);
    draw_issue(s, 216, "store(sum);", "c", 0, 31);
    svg_area(s, "none", 8, 246, 18, 13);
    svg_box(s, "faint", 8, 246, 18, 13);
    svg_text(s, "quiet", 's', 32, 257, "empty: a lane that waits while the others work");
}
