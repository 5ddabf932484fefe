/*
 * figures.h: the figures of the handouts, one function each. Figures that show accesses draw those
 * that a real run of trace.cu made on the virtual GPU, and figures of times those that the
 * benchmark measured: not ideas of them.
 */
#pragma once

#include "handouts/figures/bench.h"
#include "handouts/figures/svg.h"
#include "handouts/figures/trace.h"

/* What figures are drawn from. */
struct sources {
    struct trace trace; /* trace.txt */
    struct bench bench; /* the benchmark's CSV */
};

typedef void figure_fn(struct svg *s, FILE *out, const char *name, const struct sources *from);

/* machine.c */
figure_fn figure_chip, figure_hierarchy, figure_scheduling, figure_occupancy, figure_host_steps,
    figure_divergence;
/* matrices.c */
figure_fn figure_aim, figure_grid, figure_rowmajor, figure_loops, figure_colmajor, figure_graph;
/* tiles.c */
figure_fn figure_phases, figure_barriers, figure_edge, figure_register_tiles;
/* challenge.c */
figure_fn figure_outer_product, figure_boxes, figure_pipeline, figure_tf32, figure_fragments;
/* access.c */
figure_fn figure_sectors, figure_banks;
/* charts.c */
figure_fn figure_roofline, figure_ladder, figure_times;
