/* cli.c: the table of options and its parser (see cli.h). */
#include "grading/src/app/cli.h"

#include "grading/src/app/film_words.h"
#include "grading/src/lab/labs.h"
#include "grading/src/report/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
    OPTION_SUBMISSION,
    OPTION_BACKEND,
    OPTION_SEED,
    OPTION_CASE,
    OPTION_RUBRIC,
    OPTION_HIDDEN,
    OPTION_ANSWERS,
    OPTION_QUESTIONS,
    OPTION_BOOK,
    OPTION_STUDENT,
    OPTION_BATCH,
    OPTION_ROSTER,
    OPTION_COLUMN,
    OPTION_ANONYMOUS,
    OPTION_JOBS,
    OPTION_OUT,
    OPTION_PART,
    OPTION_SLURM,
    OPTION_GRES,
    OPTION_FORMAT,
    OPTION_DESCRIBE,
    OPTION_HINT,
    OPTION_WATCH,
    OPTION_FILM,
    OPTION_DEBUG,
    OPTION_COMPARE,
    OPTION_VERBOSE,
    OPTION_KEEP,
    OPTION_HELP,
    OPTION_VERSION,
};

static const struct option_row {
    enum option_id id;
    char letter;          /* 0: none */
    const char *name;     /* without its dashes */
    const char *argument; /* NULL: takes none; in brackets: may be there, as --name=VALUE */
    const char *help;     /* lines separated by '\n' */
} rows[] = {
    {OPTION_SUBMISSION, 0, "submission", "FILE", "grade FILE instead of the lab's own file"},
    {OPTION_BACKEND, 0, "backend", "NAME",
     "vgpu: the virtual GPU; gpu: this machine's GPU, through nvcc;\n"
     "both: products on the GPU, safety and evidence on the virtual GPU;\n"
     "auto (the default): both when a GPU answers, else vgpu"},
    {OPTION_SEED, 0, "seed", "S", "draw the same sizes and numbers as an earlier run"},
    {OPTION_CASE, 0, "case", "NAME", "run this case only; may be given several times"},
    {OPTION_RUBRIC, 0, "rubric", "FILE", "grade by FILE instead of the lab's lab.cfg"},
    {OPTION_HIDDEN, 0, "hidden", "FILE", "add the hidden cases of FILE"},
    {OPTION_ANSWERS, 0, "answers", NULL, "check the lab's answers.txt, not its program"},
    {OPTION_QUESTIONS, 0, "questions", NULL, "print the questions to answer in answers.txt"},
    {OPTION_BOOK, 0, "book", NULL,
     "the book's own answers to the handout's questions that you tried"},
    {OPTION_STUDENT, 0, "student", "ID",
     "whose numbers the questions have (default: what answers.txt says)"},
    {OPTION_FORMAT, 0, "format", "NAME[=PATH]",
     "to standard output or into PATH (html=report.html); may be given\n"
     "several times. NAME is one of these (default: text):"},
    {OPTION_BATCH, 0, "batch", "DIR",
     "grade every submission in DIR, with the hidden cases of\n"
     "the lab's solutions/ folder (--hidden none: without)"},
    {OPTION_ROSTER, 0, "roster", "FILE",
     "the class list, as the platform exports it: says who is missing or\n"
     "unknown, and writes the gradebook in the platform's columns"},
    {OPTION_COLUMN, 0, "column", "NAME", "the roster's column for the points"},
    {OPTION_ANONYMOUS, 0, "anonymous", "KEY",
     "a batch with keyed hashes instead of names; KEY is a file that\n"
     "you keep: the grader makes it if it does not exist"},
    {OPTION_JOBS, 0, "jobs", "N", "this many at a time (default: one for each processor)"},
    {OPTION_OUT, 0, "out", "DIR",
     "folder of a batch's results, from which it resumes (default: results)"},
    {OPTION_PART, 0, "part", "I/N", "only the I-th of N shares of a batch"},
    {OPTION_SLURM, 0, "slurm", NULL, "a batch as a job array of Slurm, of --jobs N tasks"},
    {OPTION_GRES, 0, "gres", "LIST", "what each of these tasks asks Slurm for, as in gpu:1"},
    {OPTION_DESCRIBE, 0, "describe", "[KEY]", "the lab and its tasks as JSON; or one fact"},
    {OPTION_HINT, 0, "hint", NULL, "one hint for the first thing not met in the last result"},
    {OPTION_WATCH, 0, "watch", NULL, "grade again whenever the file is saved, until Ctrl-C"},
    {OPTION_FILM, 0, "film", "[PATH]",
     "also make a page that plays your kernel, line by line\n"
     "(default: film-LAB.html). Words after it say what it shows:\n"
     "case=NAME, size=MxNxK, block=X,Y, warp=N"},
    {OPTION_DEBUG, 0, "debug", NULL,
     "then hold the kernel that went wrong in a debugger, where it first\n"
     "goes wrong; with --case NAME, the kernel of that case"},
    {OPTION_COMPARE, 0, "compare", "[FOLDER]",
     "without a lab: one product by each of your labs, side by side; or\n"
     "by the files of FOLDER. In text, json and html"},
    {OPTION_VERBOSE, 'v', "verbose", NULL,
     "show each case's input, its warnings and what it printed"},
    {OPTION_KEEP, 0, "keep", NULL,
     "keep the scratch folder with the built program, and say where it is"},
    {OPTION_HELP, 'h', "help", NULL, "this text"},
    {OPTION_VERSION, 0, "version", NULL, "the grader's version"},
};
static const size_t row_count = sizeof rows / sizeof *rows;

__attribute__((format(printf, 2, 3))) static void wrong(struct options *o, const char *format,
                                                        ...) {
    va_list args;
    va_start(args, format);
    char line[sizeof o->wrong];
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    struct text clean = {0};
    text_add_clean_line(&clean, line, strlen(line), sizeof o->wrong - 8);
    snprintf(o->wrong, sizeof o->wrong, "%s", text_get(&clean));
    text_free(&clean);
    o->action = CLI_WRONG;
}

static void set_backend(struct options *o, const char *value) {
    static const enum backend_choice all[] = {BACKEND_AUTO, BACKEND_VGPU, BACKEND_GPU,
                                              BACKEND_BOTH};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(value, backend_name(all[i])) == 0) {
            o->backend = all[i];
            return;
        }
    }
    wrong(o, "unknown backend '%s': use vgpu, gpu, both or auto", value);
}

static void set_seed(struct options *o, const char *value) {
    char *end;
    errno = 0;
    o->seed = strtoull(value, &end, 10);
    o->seed_given = true;
    if (!isdigit((unsigned char)*value) || *end || errno)
        wrong(o, "'%s' is not a seed: use a whole number from 0 to 18446744073709551615", value);
}

static void set_jobs(struct options *o, const char *value) {
    char *end;
    const long n = strtol(value, &end, 10);
    if (!isdigit((unsigned char)*value) || *end || n < 1 || n > 1000)
        wrong(o, "'%s' is not a number of jobs: use 1 to 1000", value);
    o->jobs = (int)n;
}

static void set_part(struct options *o, const char *value) {
    int used = 0;
    if (sscanf(value, "%4d/%4d%n", &o->part, &o->parts, &used) != 2 || value[used] || o->part < 1 ||
        o->parts < o->part)
        wrong(o, "'%s' is not a share: use I/N, as in 1/4", value);
}

static void set_format(struct options *o, const char *value) {
    const size_t length = strcspn(value, "=");
    struct format_request f = {.path = value[length] ? value + length + 1 : NULL};
    snprintf(f.name, sizeof f.name, "%.*s", (int)length, value);
    if (length >= sizeof f.name || !report_known(f.name)) {
        struct text names = {0};
        report_names(&names);
        wrong(o, "unknown format '%.*s': use one of %s", (int)length, value, text_get(&names));
        text_free(&names);
    } else if (f.path && !*f.path) {
        wrong(o, "--format %s needs a file name after '='", value);
    } else if (o->formats == CLI_MAX_FORMATS) {
        wrong(o, "more than %d formats", CLI_MAX_FORMATS);
    } else {
        for (int i = 0; i < o->formats; i++) {
            if (!f.path && !o->format[i].path)
                wrong(o, "two formats to standard output: give one of them a file, as in %s=PATH",
                      f.name);
        }
        o->format[o->formats++] = f;
    }
}

static void add_case(struct options *o, const char *value) {
    if (o->cases == CLI_MAX_CASES)
        wrong(o, "more than %d cases: leave --case out to run all", CLI_MAX_CASES);
    else
        o->only[o->cases++] = value;
}

/* Words behind --film. False: it is none. */
static bool set_film(struct options *o, const char *word) {
    char why[sizeof o->wrong];
    if (!o->film_wanted || !strchr(word, '='))
        return false;
    if (!film_word(&o->film, word, why, sizeof why))
        wrong(o, "%s", why);
    return true;
}

static void apply(struct options *o, enum option_id id, const char *value) {
    switch (id) {
    case OPTION_SUBMISSION: o->submission = value; break;
    case OPTION_BACKEND: set_backend(o, value); break;
    case OPTION_SEED: set_seed(o, value); break;
    case OPTION_CASE: add_case(o, value); break;
    case OPTION_RUBRIC: o->rubric = value; break;
    case OPTION_HIDDEN: o->hidden = value; break;
    case OPTION_ANSWERS: o->answers = true; break;
    case OPTION_QUESTIONS: o->questions = true; break;
    case OPTION_BOOK: o->questions = o->book = true; break;
    case OPTION_STUDENT: o->student = value; break;
    case OPTION_BATCH: o->batch = value; break;
    case OPTION_ROSTER: o->roster = value; break;
    case OPTION_COLUMN: o->column = value; break;
    case OPTION_ANONYMOUS: o->anonymous = value; break;
    case OPTION_JOBS: set_jobs(o, value); break;
    case OPTION_OUT: o->out = value; break;
    case OPTION_PART: set_part(o, value); break;
    case OPTION_SLURM: o->slurm = true; break;
    case OPTION_GRES: o->gres = value; break;
    case OPTION_FORMAT: set_format(o, value); break;
    case OPTION_DESCRIBE:
        o->describe = true;
        o->fact = *value ? value : NULL;
        break;
    case OPTION_HINT: o->hint = true; break;
    case OPTION_WATCH: o->watch = true; break;
    case OPTION_FILM:
        o->film_wanted = true;
        o->film_path = *value ? value : NULL;
        break;
    case OPTION_COMPARE:
        o->compare = true;
        o->compare_folder = *value ? value : NULL;
        break;
    case OPTION_DEBUG: o->debug = true; break;
    case OPTION_VERBOSE: o->verbose = true; break;
    case OPTION_KEEP: o->keep = true; break;
    case OPTION_HELP: o->action = CLI_HELP; break;
    case OPTION_VERSION: o->action = CLI_VERSION; break;
    }
}

/* The row for "--name", "--name=value" or "-x"; NULL when there is none. */
static const struct option_row *find_row(const char *argument, const char **value) {
    *value = NULL;
    for (size_t i = 0; i < row_count; i++) {
        const struct option_row *r = &rows[i];
        const size_t length = strlen(r->name);
        if (argument[1] == '-' && strncmp(argument + 2, r->name, length) == 0 &&
            (argument[2 + length] == '\0' || argument[2 + length] == '=')) {
            *value = argument[2 + length] ? argument + 3 + length : NULL;
            return r;
        }
        if (r->letter && argument[1] == r->letter && argument[2] == '\0')
            return r;
    }
    return NULL;
}

/* Has it a value in any case, in the next argument where not in its own? */
static bool must_follow(const struct option_row *row) {
    return row->argument && row->argument[0] != '[';
}

/* Takes the option at argv[i]; returns the index of the last argument it used. */
static int take_option(struct options *o, int argc, char *const *argv, int i) {
    const char *value;
    const struct option_row *row = find_row(argv[i], &value);
    if (!row) {
        wrong(o, "unknown option %s (see ./grader --help)", argv[i]);
    } else if (!row->argument && value) {
        wrong(o, "--%s takes no value", row->name);
    } else if (value && !*value && row->id == OPTION_FILM) {
        wrong(o, "--film needs a file name after '='");
    } else if (must_follow(row) && !value && i + 1 >= argc) {
        wrong(o, "--%s needs a value: --%s %s", row->name, row->name, row->argument);
    } else {
        if (must_follow(row) && !value)
            value = argv[++i];
        apply(o, row->id, value ? value : "");
    }
    return i;
}

/* --compare looks at all labs at once, and takes few other options. */
static void choose_compare(struct options *o) {
    static const char *const formats[] = {"text", "json", "html"};
    o->action = CLI_COMPARE;
    if (o->lab || o->submission || o->cases || o->answers || o->questions || o->hint || o->batch ||
        o->watch || o->describe || o->film_wanted || o->debug || o->rubric || o->hidden)
        wrong(o, "--compare is for all labs at once: with --backend, --seed and --format only");
    for (int i = 0; i < o->formats && o->action != CLI_WRONG; i++) {
        size_t f = 0;
        while (f < sizeof formats / sizeof *formats && strcmp(o->format[i].name, formats[f]) != 0)
            f++;
        if (f == sizeof formats / sizeof *formats)
            wrong(o, "--compare has no %s: use text, json or html", o->format[i].name);
    }
}

/* Options that cannot go together, or belong to one that is not there. */
static void refuse_mixtures(struct options *o) {
    const bool asks = o->answers || o->questions || o->hint || o->describe;
    if (o->batch && (o->submission || o->cases || o->formats || o->answers || o->questions))
        wrong(o,
              "--batch grades files as a whole into --out: without --submission, --case, --format, "
              "--answers");
    else if (o->film_wanted && (o->batch || asks))
        wrong(o, "--film is for grading a lab: without --batch, --answers, --questions, --hint, "
                 "--describe");
    else if (o->debug && (o->batch || asks || o->watch))
        wrong(o, "--debug is for grading a lab: without --batch, --watch, --answers, --questions, "
                 "--hint, --describe");
    else if (!o->batch &&
             (o->slurm || o->gres || o->parts || o->out || o->jobs || o->roster || o->anonymous))
        wrong(o, "--jobs, --out, --roster, --anonymous, --part, --slurm and --gres belong to "
                 "--batch DIR");
    else if (o->column && !o->roster)
        wrong(o, "--column names a column of a roster: give --roster FILE with it");
    else if (o->lab && o->batch && !o->watch)
        return;
    else if (o->lab && o->answers && o->questions)
        wrong(o, "--answers and --questions cannot go together: use one after the other");
    else if (o->watch && (o->batch || asks))
        wrong(o, "--watch is for grading a lab: without --batch, --answers, --questions, --hint, "
                 "--describe");
    else if (!o->lab && (o->submission || o->cases || asks || o->batch || o->watch ||
                         o->film_wanted || o->debug))
        wrong(o, "which lab? (as in ./grader lab1)");
}

static enum cli_action action_of(const struct options *o) {
    return !o->lab        ? o->action
           : o->batch     ? CLI_BATCH
           : o->answers   ? CLI_ANSWERS
           : o->questions ? CLI_QUESTIONS
           : o->describe  ? CLI_DESCRIBE
           : o->hint      ? CLI_HINT
           : o->watch     ? CLI_WATCH
                          : CLI_GRADE;
}

void cli_parse(struct options *o, int argc, char *const *argv) {
    *o = (struct options){.action = CLI_STANDING, .backend = BACKEND_AUTO};
    bool options_over = false;
    for (int i = 1; i < argc && o->action != CLI_WRONG; i++) {
        const char *a = argv[i];
        if (!options_over && strcmp(a, "--") == 0) {
            options_over = true;
        } else if (!options_over && a[0] == '-' && a[1]) {
            i = take_option(o, argc, argv, i);
            if (o->action == CLI_HELP || o->action == CLI_VERSION)
                return;
        } else if (!options_over && set_film(o, a)) {
            continue;
        } else if (o->lab) {
            wrong(o, "one lab at a time: both %s and %s are given", o->lab, a);
        } else {
            o->lab = a;
        }
    }
    if (o->action == CLI_WRONG)
        return;
    if (o->compare) {
        choose_compare(o);
        return;
    }
    if (o->debug && o->cases > 0) /* that call, as it is graded */
        o->film.case_name = o->only[0];
    refuse_mixtures(o);
    if (o->action != CLI_WRONG)
        o->action = action_of(o);
}

void cli_version(struct text *t) {
    text_add(t, "grader " KIT_VERSION "\n");
}

#define HELP_INDENT 25
#define HELP_WIDTH  90

/* The names of all formats, in lines below their option. */
static void help_formats(struct text *t) {
    struct text names = {0};
    int column = HELP_WIDTH;
    report_names(&names);
    for (const char *word = text_get(&names); *word;) {
        const int n = (int)strcspn(word, " ");
        if (column + 1 + n > HELP_WIDTH) {
            text_addf(t, "%s%*s%.*s", word == text_get(&names) ? "" : "\n", HELP_INDENT, "", n,
                      word);
            column = HELP_INDENT + n;
        } else {
            text_addf(t, " %.*s", n, word);
            column += 1 + n;
        }
        word += n + (word[n] == ' ');
    }
    text_add(t, "\n");
    text_free(&names);
}

void cli_help(struct text *t, const struct labs *labs) {
    text_add(t, "Usage: ./grader                    how far you are in all labs\n"
                "       ./grader LAB [OPTION]...    grade one lab\n"
                "       ./grader --compare          all labs side by side\n"
                "\n"
                "Labs:\n");
    for (size_t i = 0; i < labs->count; i++)
        text_addf(t, "  %-6s %s\n", labs->lab[i].name, labs->lab[i].title);
    text_add(t, "\nOptions:\n");
    for (size_t i = 0; i < row_count; i++) {
        const struct option_row *r = &rows[i];
        struct text left = {0};
        if (r->letter)
            text_addf(&left, "-%c, ", r->letter);
        if (r->argument && !must_follow(r))
            text_addf(&left, "--%s[=%s", r->name, r->argument + 1);
        else
            text_addf(&left, "--%s%s%s", r->name, r->argument ? " " : "",
                      r->argument ? r->argument : "");
        const char *line = r->help;
        for (bool first = true; line; first = false) {
            const size_t n = strcspn(line, "\n");
            text_addf(t, "  %-22s %.*s\n", first ? text_get(&left) : "", (int)n, line);
            line = line[n] ? line + n + 1 : NULL;
        }
        text_free(&left);
        if (r->id == OPTION_FORMAT)
            help_formats(t);
    }
    text_add(t, "\nExit status: 0 full marks, 1 not full marks, 2 not graded.\n");
}
