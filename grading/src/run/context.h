/*
 * context.h: everything one grading run knows, in one place, handed to every module that needs it.
 */
#pragma once

#include "grading/src/build/build.h"
#include "grading/src/build/submission.h"
#include "grading/src/lab/rubric.h"
#include "grading/src/run/diagnosis.h"
#include "grading/src/run/judge.h"
#include "grading/src/run/observation.h"
#include "grading/src/run/options.h"
#include "grading/src/run/witness.h"
#include "grading/src/sandbox/budget.h"
#include "vgpu/include/vgpu.h"

/* One case's outcome. */
struct case_result {
    const struct case_spec *spec;
    struct case_plan plan;
    enum verdict verdict;
    double points;            /* points.h */
    struct evidence evidence; /* of the first call that was not right, or of the last */
    bool shrunk;              /* `smallest` holds the same mistake in a smaller shape */
    struct evidence smallest;
    /* What the virtual GPU saw of it. On a GPU the case was run once more for this, and `observed`
     * is what became of that run; else it is `verdict`. */
    struct observation seen;
    enum verdict observed;
    struct evidence observed_evidence; /* of that run; empty on the virtual GPU alone */
    struct testimony testimony;        /* its counts, taken again outside the process */
    const struct diagnosis *diagnosis; /* of a failure; NULL: none. Owned by the context */
};

enum check_verdict { CHECK_MET, CHECK_NOT_MET, CHECK_NOT_GRADED };

/* One check's outcome. */
struct check_result {
    const struct check_spec *spec;
    enum check_verdict verdict;
    double points;
    bool premature;                   /* not met only because there was no right product to judge */
    struct text summary;              /* one line: what was seen; or why it is not graded */
    struct text details;              /* what a checker said, of several lines; may be empty */
    const struct case_result *in;     /* the case that decided it; NULL: none */
    const struct finding_body *found; /* the finding that decided it; NULL: none */
    enum vgpu_call failed_sort; /* CHECK_ERRORS: the sort of call whose failure was not told */
    bool kept_quiet;            /* the same: the program saw it, and returned without a word */
    enum work_item left;        /* CHECK_LEAKS: what there is more and more of */
    int call; /* CHECK_COUNTS: which of the case's calls is the one measured, from 0 */
    double measured[RUBRIC_MAX_LIMITS]; /* CHECK_COUNTS: by limit; NaN: nothing to measure */
    const struct diagnosis *diagnosis;  /* of what is not met; NULL: none */
};

struct grade_context {
    struct options options;
    struct paths paths;
    struct rubric rubric;
    const struct lab_spec *lab; /* the rubric's */
    uint64_t seed;
    struct submission submission;
    bool own_file;          /* the lab's own file is graded, not one named by --submission */
    struct backend backend; /* runs the cases */
    /* The virtual GPU that judges checks; empty: `backend` does, or nothing. */
    struct backend observer;
    char *no_observer; /* why there is none; NULL when there is one */
    char *scratch;
    char **environment;
    struct sandbox *sandbox;
    struct budget budget; /* of time, for all that is run of this submission */
    struct build build;
    struct build observer_build; /* the submission for `observer` */

    struct case_result *results; /* one for each case run so far */
    size_t result_count;
    const struct case_result *first_not_run; /* it and all after it were not run; NULL: none */
    size_t planned;                          /* cases to run: all, or 1 with --case */
    struct check_result *checks; /* one for each check judged so far; none with --case */
    size_t check_count;
    double points, points_possible; /* of the latter bonuses are no part: points may be more */
    struct {
        uint64_t own, cublas; /* nanoseconds of one product (times.h); 0: not measured */
    } time;
    double seconds;                          /* the run took; shown, never judged */
    const struct case_result *first_failure; /* NULL: none */
    /* Right on the GPU, wrong on the virtual GPU; NULL: none. */
    const struct case_result *first_forgiven;
    const struct check_result *first_unmet; /* NULL: none */
    struct exhibit *exhibit;                /* for the HTML page (exhibit.h); NULL: not asked for */
    /* What is likely to be wrong: of cases, of checks, or of a file that does not build. */
    struct diagnosis **diagnoses;
    size_t diagnosis_count;
    /* The run's: the first failure's, else the first unmet check's. */
    const struct diagnosis *diagnosis;
    double points_not_graded; /* of checks; not in points_possible */
    struct {
        struct build *build;  /* watched; owned; NULL: not made yet (report/film_record.h) */
        char *path;           /* NULL: none was made */
        struct text not_made; /* why, when one was asked for */
    } film;
    struct {
        char *program;        /* for the debugger (app/debug_run.h); NULL: there is none ... */
        struct text not_held; /* ... and why not, when one was asked for */
        struct text about;    /* which call it makes */
    } debug;
    bool lacking;              /* a case said that it uses what the virtual GPU lacks */
    bool machine_checked;      /* whether our own submission runs here (grade.c) ... */
    struct text machine_fault; /* ... and why not, when it doesn't */
    /* --answers: what is reported instead (answers.h); else NULL. */
    const struct answer_sheet *answers;
    /* Non-empty: there is no grade, and this says why. */
    struct text not_graded;
    /* Not REFUSED_NOT: nothing was run; `refused` says why it gets no points. */
    enum refusal refusal;
    struct text refused;
    struct text refused_details;
};

/* Is this case run? With --case only those are that it names; then nothing else is judged. */
bool case_wanted(const struct grade_context *g, const struct case_spec *spec);

/* Right on the GPU, wrong on the virtual GPU, which watched: a GPU forgives mistakes. */
bool case_forgiven(const struct case_result *c);

/* "met", "not met", "not graded"; and the same for JSON ("not_met"). */
const char *check_verdict_text(enum check_verdict v);
const char *check_verdict_key(enum check_verdict v);

/* The verdict as reports tell it: cases may have to be right first. */
const char *check_told(const struct grade_context *g, const struct check_result *c);

/* Adds what is earned, and what could be. */
void points_earn(struct grade_context *g, double points);
void points_ask(struct grade_context *g, double points, bool bonus);

/* Exit status as documented. Full marks are all points, or more. */
enum grade_status { GRADE_FULL = 0, GRADE_PARTIAL = 1, GRADE_NONE = 2 };
enum grade_status grade_status(const struct grade_context *g);
