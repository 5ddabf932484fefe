/*
 * batch_choose.h: which of a student's files is meant.
 *
 * Candidates are offered with a rank; the best one counts, and where two are equally good none
 * does: a guess would be a grade for a file that nobody handed in. Follows no links.
 */
#pragma once

#include "grading/src/batch/batch.h"

/* How well a file's name fits; less is better. To the first two a file's depth is added. */
enum {
    RANK_LAB = 0,
    RANK_LAB_AS_TEXT = 10,
    RANK_SOURCE = 20, /* with another name */
    RANK_ARCHIVE = 21,
};

/* The best file so far. */
struct choice {
    char *path;
    int rank, equals, all; /* `equals` files have this rank */
};

void choice_offer(struct choice *c, const char *path, int rank);
/* The rank of a file at a depth; less than 0: it is no source and no archive. */
int choice_rank(const char *name, const char *lab, int depth);
/* The rank of a file by its path below the student's folder. Not looked at are what has a hidden
 * name or an operating system's, and what lies too deep. */
#define CHOICE_HIDDEN (-2)
#define CHOICE_DEEP   (-3)
int choice_rank_below(const char *path, const char *lab);
/* Settles an entry; takes the choice's path. Where there is no candidate at all, `why` stays as it
 * is: the caller knows more. */
void choice_settle(struct entry_in *e, struct choice *c);
/* Settles the entry of a student's folder. */
void choice_in_folder(struct entry_in *e, const char *folder, const struct lab_spec *lab);

/* Why there is nothing to grade; NULL: there is. */
void choice_set_why(struct entry_in *e, const char *why);
#define OTHERS_NAMED 3
/* What lies there in place of a candidate, and what is the matter with it, "" or as in " (a link)",
 * for whoever asks why there is no grade. */
void others_add(struct text *names, int *count, const char *name, const char *what);
/* The same for a file that is not looked at, unless an operating system or a tool put it there. */
void others_add_aside(struct text *names, int *count, const char *path, int rank);
void others_tell(struct entry_in *e, const struct text *names, int count);
