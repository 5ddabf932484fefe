/*
 * clocks.h: reads a GPU's clock, power and temperature while work runs on it.
 *
 * Asks NVIDIA's management library (libnvidia-ml.so.1), which comes with the driver and is loaded
 * when it is there: without it everything is unknown, and that is no error. A thread of its own
 * reads every few milliseconds. It only reads: the clocks are left as they are.
 */
#pragma once

#include "bench/result.h"

struct clocks;

enum { CLOCKS_TAGS = 32 };

/* Starts reading the GPU with this PCI address ("0000:65:00.0"). Returns NULL when there is nothing
 * to read. Ends with clocks_close. */
struct clocks *clocks_open(const char *pci_address);
void clocks_close(struct clocks *c);

/* From now on, readings belong to this tag (0 to CLOCKS_TAGS - 1), or to nobody (-1). NULL is fine
 * for c, here and below. */
void clocks_tag(struct clocks *c, int tag);

/* Forgets the tags' readings: a new shape begins. */
void clocks_next_shape(struct clocks *c);

/* The median clock, in MHz, read for a tag since then; of all tags together where this one has
 * fewer than three readings; NaN where those are few, too. */
double clocks_median(struct clocks *c, int tag);

/* Driver, clocks, power, temperature and slow-downs over the whole run, all tags together. */
void clocks_describe(struct clocks *c, struct machine *m);
