/*
 * batch_out.h: the folder that a batch writes to: made, locked, and nobody else's.
 */
#pragma once

#include "grading/src/batch/batch.h"

/* May the batch write there? A folder without a batch in it that holds files of the names it writes
 * is somebody's, and so is a roster that it would write over. False: `why`. */
bool batch_out_is_ours(const struct batch *b, struct text *why);
/* Makes the folders, takes the lock, settles the seed. False: `why`. */
bool batch_out_open(struct batch *b, struct text *why);
/* Can a result be written? False: b->trouble says what is wrong. */
bool batch_out_has_room(struct batch *b);
/* The name of the import: "gradebook-canvas.csv". The caller frees it. */
char *batch_out_import(const struct batch *b);
