/* access.c: figures of memory accesses, drawn from the addresses of a real run (trace.txt). */
#include "handouts/figures/figures.h"

enum { WORDS_IN_SECTOR = 8, SECTORS_IN_LINE = 4, BANKS = 32 };

/* The distinct sectors a warp touches, in ascending order, and which words of each. */
struct sectors {
    int count, number[TRACE_LANES];
    unsigned used[TRACE_LANES]; /* bit w: word w */
};

static struct sectors sectors_of(const struct pattern *p) {
    struct sectors t = {0};
    for (int lane = 0; lane < TRACE_LANES; lane++) {
        int sector = p->word[lane] / WORDS_IN_SECTOR, at = 0;
        while (at < t.count && t.number[at] != sector)
            at++;
        if (at == t.count)
            t.number[t.count++] = sector;
        t.used[at] |= 1u << p->word[lane] % WORDS_IN_SECTOR;
    }
    return t;
}

/* One pattern: a headline and its sectors, 16 a row. Returns the height it took. */
static double draw_sectors(struct svg *s, double y, const struct pattern *p, const char *title) {
    struct sectors t = sectors_of(p);
    int words = 0;
    for (int i = 0; i < t.count; i++)
        words += __builtin_popcount(t.used[i]);
    svg_text(s, "bold", 's', 8, y + 12, "%s", title);
    svg_text(s, "small", 's', 8, y + 28, "%d sector%s = %d bytes moved, %d different words used",
             t.count, t.count == 1 ? "" : "s", t.count * 32, words);
    const double word = 3.1, box = word * WORDS_IN_SECTOR;
    for (int i = 0; i < t.count; i++) {
        const int row = i / 16, col = i % 16;
        double x = 8 + col * (box + 1.7), top = y + 34 + row * 22;
        svg_area(s, "none", x, top, box, 17);
        for (int w = 0; w < WORDS_IN_SECTOR; w++)
            if (t.used[i] >> w & 1)
                svg_area(s, "solid", x + w * word, top, word, 17);
        for (int w = 1; w < WORDS_IN_SECTOR; w++)
            svg_line(s, "faint", x + w * word, top, x + w * word, top + 17);
        svg_box(s, "line", x, top, box, 17);
    }
    const int rows = (t.count + 15) / 16;
    return 42 + rows * 22;
}

void figure_sectors(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    static const char *const names[6] = {"neighbours", "shifted",      "one-word",
                                         "two-rows",   "every-second", "column"};
    static const char *const titles[6] = {"32 neighbours, from a sector's start",
                                          "32 neighbours, from word 3 on",
                                          "all 32 threads the same word",
                                          "16 neighbours in each of two rows",
                                          "every second word",
                                          "a column: one word of each row"};
    svg_begin(s, out, name, 440, 436, "What one read of a warp moves: sectors of 32 bytes",
              "Six ways in which the 32 threads of a warp read one word each, drawn from a run on "
              "the virtual GPU. Neighbours: 4 sectors, all used. Neighbours from word 3: 5 "
              "sectors. One word: 1 sector. Two rows of 16: 4 sectors. Every second word: 8 "
              "sectors, half used. A column: 32 sectors, one word of eight used in each.");
    double y = 4;
    for (int i = 0; i < 6; i++)
        y += draw_sectors(s, y, trace_find(&from->trace, names[i]), titles[i]);
}

/* One pattern: for each bank the distinct words asked of it, stacked. */
static double draw_banks(struct svg *s, double y, const struct pattern *p, const char *title) {
    int word[BANKS][TRACE_LANES], count[BANKS] = {0}, most = 0, touched = 0;
    for (int lane = 0; lane < TRACE_LANES; lane++) {
        int bank = p->word[lane] % BANKS, at = 0;
        while (at < count[bank] && word[bank][at] != p->word[lane])
            at++;
        if (at == count[bank])
            word[bank][count[bank]++] = p->word[lane];
    }
    for (int bank = 0; bank < BANKS; bank++) {
        most = count[bank] > most ? count[bank] : most;
        touched += count[bank] > 0;
    }
    svg_text(s, "bold", 's', 8, y + 12, "%s", title);
    svg_text(s, "small", 's', 8, y + 28,
             "%d bank%s asked, at most %d word%s of one bank: %d turn%s", touched,
             touched == 1 ? "" : "s", most, most == 1 ? "" : "s", most, most == 1 ? "" : "s");
    double height = most > 1 ? 3.2 : 14, tall = most * height;
    for (int bank = 0; bank < BANKS; bank++) {
        double x = 10 + bank * 13.1;
        for (int i = 0; i < count[bank]; i++) {
            double top = y + 36 + tall - (i + 1) * height;
            svg_area(s, most > 1 ? "bad" : "b", x, top, 13.1, height);
            svg_box(s, "faint", x, top, 13.1, height);
        }
        svg_box(s, "line", x, y + 36 + tall, 13.1, 4);
    }
    svg_text(s, "small", 's', 10, y + 52 + tall, "bank 0");
    svg_text(s, "small", 'e', 429, y + 52 + tall, "bank 31");
    return 66 + tall;
}

void figure_banks(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    svg_begin(s, out, name, 440, 426, "Shared memory: 32 banks, one word each at a time",
              "Four ways in which a warp reads shared memory, drawn from a run on the virtual GPU. "
              "One word for all: one bank, one turn, a broadcast. A row of 32 words: 32 banks, one "
              "turn. A column of an array 32 words wide: all 32 words in bank 0, 32 turns. A "
              "column of an array 33 words wide: 32 banks, one turn.");
    double y = 4;
    y += draw_banks(s, y, trace_find(&from->trace, "shared-one-word"),
                    "all 32 threads the same word: broadcast");
    y += draw_banks(s, y, trace_find(&from->trace, "shared-row"), "a row: 32 neighbours");
    y += draw_banks(s, y, trace_find(&from->trace, "shared-column-32"),
                    "a column of an array 32 words wide");
    draw_banks(s, y, trace_find(&from->trace, "shared-column-33"),
               "a column of an array 33 words wide (padded)");
}
