/*
 * figures: writes the handouts' figures as SVG files.
 *
 *     figures TRACE BENCH FOLDER        all of them, FOLDER/NAME.svg
 *     figures --list                    their names
 *
 * TRACE is what trace.cu prints, BENCH a CSV file of the benchmark. Status 0 when all were written,
 * 1 otherwise. Nothing else is written or read.
 */
#include "handouts/figures/figures.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    figure_fn *draw;
} figures[] = {
    {"chip", figure_chip},
    {"hierarchy", figure_hierarchy},
    {"scheduling", figure_scheduling},
    {"occupancy", figure_occupancy},
    {"host-steps", figure_host_steps},
    {"divergence", figure_divergence},
    {"aim", figure_aim},
    {"grid", figure_grid},
    {"rowmajor", figure_rowmajor},
    {"loops", figure_loops},
    {"colmajor", figure_colmajor},
    {"graph", figure_graph},
    {"phases", figure_phases},
    {"barriers", figure_barriers},
    {"edge", figure_edge},
    {"register-tiles", figure_register_tiles},
    {"outer-product", figure_outer_product},
    {"boxes", figure_boxes},
    {"pipeline", figure_pipeline},
    {"tf32", figure_tf32},
    {"fragments", figure_fragments},
    {"sectors", figure_sectors},
    {"banks", figure_banks},
    {"roofline", figure_roofline},
    {"ladder", figure_ladder},
    {"times", figure_times},
};
enum { FIGURES = sizeof figures / sizeof *figures };

static bool write_figure(int i, const char *folder, const struct sources *from) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s.svg", folder, figures[i].name) >= (int)sizeof path) {
        fprintf(stderr, "figures: %s: the name is too long\n", folder);
        return false;
    }
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        return false;
    }
    struct svg s;
    figures[i].draw(&s, out, figures[i].name, from);
    bool ok = svg_end(&s);
    ok = fclose(out) == 0 && ok;
    if (!ok)
        perror(path);
    return ok;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (int i = 0; i < FIGURES; i++)
            puts(figures[i].name);
        return 0;
    }
    if (argc != 4) {
        fputs("usage: figures TRACE BENCH FOLDER | figures --list\n", stderr);
        return 1;
    }
    static struct sources from;
    bool ok = trace_read(argv[1], &from.trace) && bench_read(argv[2], &from.bench);
    for (int i = 0; ok && i < FIGURES; i++)
        ok = write_figure(i, argv[3], &from);
    return ok ? 0 : 1;
}
