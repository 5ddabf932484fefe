/*
 * options.h: what the command line asks for (app/cli.h parses it).
 */
#pragma once

#include "grading/src/build/backend.h"
#include "grading/src/lab/cases.h"

#include <stdbool.h>
#include <stdint.h>

#define CLI_MAX_FORMATS 12
#define CLI_MAX_CASES   32

enum cli_action {
    CLI_GRADE,
    CLI_BATCH,
    CLI_DESCRIBE,
    CLI_HINT,
    CLI_WATCH,
    CLI_ANSWERS,
    CLI_QUESTIONS,
    CLI_STANDING,
    CLI_COMPARE,
    CLI_HELP,
    CLI_VERSION,
    CLI_WRONG
};

struct format_request {
    char name[16];    /* "text", "json" */
    const char *path; /* NULL: standard output */
};

/* What a film is to show (report/film.h); what is not set is the grader's choice. */
struct film_choice {
    const char *case_name, *block, *warp; /* NULL: not set */
    struct shape size;                    /* m is 0: not set */
};

struct options {
    enum cli_action action;
    const char *lab;        /* as given; NULL for CLI_STANDING and CLI_COMPARE */
    const char *submission; /* NULL: the lab's own file */
    enum backend_choice backend;
    bool seed_given;
    uint64_t seed;
    const char *only[CLI_MAX_CASES]; /* the names of the cases to run ... */
    int cases;                       /* ... and how many; 0: all, and the checks */
    const char *rubric;              /* NULL: the lab's own */
    const char *hidden;              /* a file of hidden cases; NULL: none */
    bool answers, questions;
    bool book;             /* with questions: the book's answers to those of the handout */
    const char *student;   /* NULL: what answers.txt says */
    const char *batch;     /* a folder of submissions; NULL: one submission */
    const char *roster;    /* of that folder's students; NULL: none is given */
    const char *column;    /* the roster's heading for the lab's points; NULL: found */
    const char *anonymous; /* the file of the key that pseudonyms are made with; NULL: names */
    const char *out;       /* where a batch's results go; NULL: "results" */
    int jobs;              /* 0: as many as there are processors */
    int part, parts;       /* of a batch, this process's share; 0: all */
    bool slurm;
    const char *gres; /* Slurm's generic resources; NULL: none */
    struct format_request format[CLI_MAX_FORMATS];
    int formats; /* 0: text on standard output */
    bool verbose, keep, hint, watch, describe;
    const char *fact; /* with `describe`: this one alone; NULL: all */
    bool debug;
    bool film_wanted;
    const char *film_path; /* NULL: film-LAB.html */
    struct film_choice film;
    bool compare;
    const char *compare_folder; /* of labs, as labs/ has them; NULL: labs/ */
    char wrong[256];            /* CLI_WRONG: one line without a newline */
};
