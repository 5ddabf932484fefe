/*
 * batch.h: a whole class: every submission in a folder, each graded by a grader process of its own.
 *
 * What a submission does, hang or crash, costs its own result only. Results are files of
 * OUT/results, one for each student, moved there when complete, named after the student and a key
 * made of the submission, the seed, the rubric and the hidden cases. So a batch that was killed
 * goes on where it was: what is there is not graded again, what has changed is. Results without a
 * grade are tried again in the next run.
 *
 *   OUT/batch.json        what the batch was started with; the seed, above all
 *   OUT/results/NAME.KEY.json
 *   OUT/logs/NAME.txt     what the grader said where it could not grade
 *   OUT/gradebook.csv, OUT/summary.txt, OUT/summary.html
 *   OUT/running/          of graders at work; nothing of value
 *   OUT/lock              held by the one batch that is at work here; parts of it hold none
 */
#ifndef GRADING_BATCH_H
#define GRADING_BATCH_H

#include "grading/src/base/text.h"
#include "grading/src/lab/labs.h"
#include "grading/src/run/options.h"

enum handed_in {
    HANDED_IN,        /* `path` is the file to grade */
    HANDED_IN_NONE,   /* a folder without a .cu file */
    HANDED_IN_SEVERAL /* more than one, and no way to tell which is meant */
};

/* One student's submission. */
struct entry_in {
    char *name; /* unique, what result files are called after: of a file or folder in DIR, or where
                   a platform made it, of the student and the id */
    char *student; /* the name in it, without the learning platform's additions */
    char *id;      /* the platform's number; "" when there is none */
    char *path;    /* NULL unless HANDED_IN */
    enum handed_in state;
    char key[20]; /* of the result; "" unless HANDED_IN */
    char *result; /* path of the result file, there or not */
    bool done;    /* it is there and holds a grade */
    int tries;    /* in this run */
};

struct class_list {
    struct entry_in *of;
    size_t count;
};

/* Finds the submissions for a lab, sorted by name. Understands one folder for each student, single
 * .cu files, the names that Moodle, Blackboard and Canvas give (batch_names.h), of which the latest
 * attempt counts, and Gradescope's export with its submission_metadata.yml. In a folder, and among
 * several files of one student, LAB.cu counts: at the top or in the kit's own labs/LAB-.../, else
 * the one nearest to the top; without any, the only .cu file. Links are never followed. False, with
 * `why`, when the folder cannot be read or holds nothing. */
bool batch_find(struct class_list *list, const char *folder, const struct lab_spec *lab,
                struct text *why);
void batch_list_free(struct class_list *list);

/* Grades what is not graded yet and writes the class's tables. The grader's exit status: 0 when
 * everything that was handed in has a grade, 2 otherwise. */
int batch_run(const struct options *options, const struct paths *paths, const struct lab_spec *lab);

/* Submits the same batch to Slurm, waits, collects;
 * work of nodes that failed is submitted again. */
int batch_slurm(const struct options *options, const struct paths *paths,
                const struct lab_spec *lab);

/* ---- Between batch.c, batch_summary.c and batch_slurm.c ---- */

struct batch {
    const struct options *options;
    const struct paths *paths;
    const struct lab_spec *lab;
    struct class_list list;
    char *rubric, *hidden; /* hidden: NULL for none */
    uint64_t seed;
    const char *out;
    int lock; /* of OUT, held while a batch is at work; -1: none */
};

/* Reads the class, makes the folders, settles the seed, sees what is done. False: `why`. */
bool batch_prepare(struct batch *b, const struct options *options, const struct paths *paths,
                   const struct lab_spec *lab, struct text *why);
void batch_free(struct batch *b);
/* Sees again which results are there; how many submissions have none yet. */
size_t batch_look(struct batch *b);
/* Which entries are this process's: --part I/N, all by default. */
bool batch_mine(const struct batch *b, size_t index);
/* gradebook.csv, summary.txt and summary.html; prints the last lines of the summary.
 * False: `why`. */
bool batch_summary(const struct batch *b, struct text *why);
/* The processors there are. */
int batch_processors(void);

#endif
