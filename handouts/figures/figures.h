/*
 * figures.h: the figures of the handouts, one function each. `trace` holds the accesses that a real
 * run of trace.cu made on the virtual GPU; figures that show accesses draw those, not ideas of
 * them.
 */
#pragma once

#include "handouts/figures/svg.h"
#include "handouts/figures/trace.h"

typedef void figure_fn(struct svg *s, FILE *out, const char *name, const struct trace *trace);

/* machine.c */
figure_fn figure_chip, figure_hierarchy, figure_scheduling, figure_occupancy;
/* matrices.c */
figure_fn figure_aim, figure_grid, figure_rowmajor, figure_loops, figure_colmajor, figure_graph;
/* tiles.c */
figure_fn figure_phases, figure_barriers, figure_edge, figure_register_tiles;
/* challenge.c */
figure_fn figure_outer_product, figure_boxes, figure_pipeline, figure_tf32;
/* access.c */
figure_fn figure_sectors, figure_banks;
/* charts.c */
figure_fn figure_roofline, figure_ladder;
