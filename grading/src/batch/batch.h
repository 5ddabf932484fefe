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
 *   OUT/gradebook.csv     a row for each student, and for each entry of DIR that is nobody's
 *   OUT/entries.csv       a row for each entry of DIR, and what became of it
 *   OUT/summary.txt, OUT/summary.html
 *   OUT/unpacked/         what was taken out of archives
 *                         (of an anonymous batch only while it is at work)
 *   OUT/running/          of graders at work; nothing of value
 *   OUT/lock              held by the one batch that is at work here; parts of it hold none
 */
#pragma once

#include "grading/src/base/text.h"
#include "grading/src/batch/batch_names.h"
#include "grading/src/lab/labs.h"
#include "grading/src/run/options.h"

enum handed_in {
    HANDED_IN,         /* `path` is the file to grade */
    HANDED_IN_ARCHIVE, /* `path` is an archive, which may hold it: batch_open_archives */
    HANDED_IN_NONE,    /* nothing at all */
    HANDED_IN_OTHER,   /* something, and no program: a PDF, an archive without a .cu file */
    HANDED_IN_SEVERAL, /* more than one, and no way to tell which is meant */
    HANDED_IN_UNKNOWN, /* an entry of DIR that nobody can be told from: "not recognised" */
};

/* What the `why` of such an entry begins with. */
#define NOT_RECOGNISED "not recognised: "

/* A row of the gradebook: one student's submission, or something that is none. */
struct entry_in {
    char *name; /* unique, what result files are called after: of a file or folder in DIR, or where
                   a platform made it, of the student and the id */
    char *student; /* the name in it, without the learning platform's additions */
    char *id;      /* the platform's number; "" when there is none */
    char *owner;   /* where a platform made the name: all of it that is the student's */
    char *path;    /* NULL unless HANDED_IN or HANDED_IN_ARCHIVE */
    char *attempt; /* of the file that counts, as the platform has it; "" when it says nothing */
    char *time;    /* when it was handed in, where the platform tells it in a file of its own */
    char *why;     /* why there is nothing to grade; NULL where there is */
    char *note;    /* what one should know of how it was found; NULL: nothing */
    enum platform platform;
    enum handed_in state;
    size_t number;  /* its place while the list is sorted */
    char key[20];   /* of the result; "" unless HANDED_IN */
    char *result;   /* path of the result file, there or not */
    bool told;      /* student and id are from the platform's receipt, not from a name */
    bool on_roster; /* of a batch with --roster */
    bool other_lab; /* the file is called as another lab's */
    bool done;      /* it is there and holds a grade */
    int tries;      /* in this run */
};

/* What became of an entry of DIR: the word for it, and whether a row of the gradebook has it. */
#define BATCH_FATES(X)                                                                             \
    X(GRADED, "counts", true)                                                                      \
    X(EARLIER, "an earlier attempt: does not count", true)                                         \
    X(BESIDE, "lies beside the file that counts", true)                                            \
    X(RECEIPT, "the platform's receipt", true)                                                     \
    X(UNGRADED, "cannot be graded", true)                                                          \
    X(UNKNOWN, "not recognised", true)                                                             \
    X(PLATFORMS, "the platform's own", false)                                                      \
    X(SYSTEMS, "a file of an operating system", false)                                             \
    X(OURS, "the batch's own", false)

enum fate {
#define X(name, words, row) FATE_##name,
    BATCH_FATES(X)
#undef X
        FATE_COUNT
};
extern const struct fate_words {
    const char *words;
    bool row;
} fate_words[FATE_COUNT];

struct dir_entry {
    char *name;
    enum fate fate;
    size_t row; /* whose it is; of no meaning unless the fate has one */
};

struct class_list {
    struct entry_in *of;
    size_t count;
    char *folder; /* where the entries lie: DIR, or the only folder in it */
    struct dir_entry *entries;
    size_t entry_count; /* what is accounted for */
    size_t seen;        /* what the folder gave: must be the same */
};

/* What to look for, and which entries are not submissions. */
struct batch_search {
    const char *folder;
    const struct lab_spec *lab;
    const char *const *ours; /* paths that may lie in the folder; NULL at the end; may be NULL */
};

/* Finds the submissions for a lab, sorted by name. Understands one folder for each student, single
 * .cu files, the names that platforms give (batch_names.h), of which the latest attempt counts, and
 * Gradescope's export with its submission_metadata.yml. A folder that holds nothing but the
 * platform's folder is looked into. In a folder, and among several files of one student, LAB.cu
 * counts: at the top or in the kit's own labs/LAB-.../, else the one nearest to the top; without
 * any, the only .cu file; without one, the only archive. Links are never followed. What is nothing
 * of all that has a row all the same. False, with `why`, when the folder cannot be read or holds
 * nothing. */
bool batch_find(struct class_list *list, const struct batch_search *search, struct text *why);
void batch_list_free(struct class_list *list);
/* Sorts rows and entries by their names, and with them `count` numbers of rows that others keep. */
void batch_sort(struct class_list *list, size_t *rows, size_t count);
void batch_entry_free(struct entry_in *e);

/* Is every entry of the folder accounted for, once, and has every row one? False: our own mistake,
 * which `why` tells. */
bool batch_account(const struct class_list *list, struct text *why);

/* Adds a sentence to what one should know of a row; takes it. */
void entry_add_note(struct entry_in *e, char *note);
/* When it was handed in, as the platform tells: "2026-11-21 09:30:00", in the platform's time zone
 * where nothing behind it says another; "" where it does not tell. The caller frees it. */
char *entry_handed_in(const struct entry_in *e);
/* Notes what the name of the file that counts tells. */
void entry_note_name(struct entry_in *e, const char *lab);

/* ---- What platforms put beside the submissions: batch_platform.c ---- */

/* The first line of Blackboard's receipt names the student, in any language: "Name: Ada Lovelace
 * (ada17)". False: it does not, or that is not who `owner` ends with. */
bool platform_receipt(const char *path, const char *owner, char **student, char **id);
/* Gradescope's export says in submission_metadata.yml whose folder "submission_1234" is. */
void platform_metadata(struct class_list *list);

/* Grades what is not graded yet and writes the class's tables. The grader's exit status: 0 when
 * everybody has a grade, 2 otherwise. */
int batch_run(const struct options *options, const struct paths *paths, const struct lab_spec *lab);

/* Submits the same batch to Slurm, waits, collects;
 * work of nodes that failed is submitted again. */
int batch_slurm(const struct options *options, const struct paths *paths,
                const struct lab_spec *lab);

/* ---- Between batch.c, batch_summary.c and batch_slurm.c ---- */

struct batch_roster;
struct anonymous;

struct batch {
    const struct options *options;
    const struct paths *paths;
    const struct lab_spec *lab;
    struct class_list list;
    struct batch_roster *roster; /* NULL: none */
    struct anonymous *anonymous; /* NULL: names are told */
    char *rubric, *hidden;       /* hidden: NULL for none */
    uint64_t seed;
    const char *out;
    int lock;    /* of OUT, held while a batch is at work; -1: none */
    int trouble; /* errno: results cannot be kept, so no more are made; 0: none */
};

/* Reads the class, makes the folders, settles the seed, sees what is done. False: `why`. */
bool batch_prepare(struct batch *b, const struct options *options, const struct paths *paths,
                   const struct lab_spec *lab, struct text *why);
void batch_free(struct batch *b);
/* Sees again which results are there; how many submissions have none yet. */
size_t batch_look(struct batch *b);
/* Which entries are this process's: --part I/N, all by default. */
bool batch_mine(const struct batch *b, size_t index);
/* gradebook.csv, entries.csv, summary.txt and summary.html; prints the summary and, last, how many
 * are without a grade. False: `why`. */
bool batch_summary(const struct batch *b, int *without, struct text *why);
/* Takes the files out of archives: OUT/unpacked. What cannot be had from one has its `why`. False:
 * nothing can be kept at all, and why. */
bool batch_open_archives(struct batch *b, struct text *why);
/* Names of students become names of files: whatever else they hold, no '/' and no control
 * characters; long ones are cut. What is the same then is told apart by a number. */
char *batch_file_name(const char *name);
/* Says on standard error why there is no batch; 2, the exit status. */
int batch_say(const char *why);
/* The processors there are. */
int batch_processors(void);
