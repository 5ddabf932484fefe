/*
 * seal_questions.c: writes what grader and students have of the questions. For instructors.
 *
 *     seal-questions [--edition N] [--cost N] LAB...     writes grading/questions/LAB.json
 *     seal-questions --check [--sample N] [--seed S] LAB...
 *                                                        is the file what the formulas say?
 *
 * The file also has the lab's list of questions, which is the order in its handout (section.h):
 * each question of the formulas stands there once, and no other.
 *
 * The same formulas give the same bytes. A question whose answers are as they were keeps its seals:
 * a digest of all its answers, itself a slow hash, tells. So only what has changed takes time,
 * about 2 hashes for each blank and variant; variants with the same answers share them.
 *
 * --check compares everything but the seals, and the digest of each question; then it makes the
 * seals of N variants of each question again (drawn by S; default 1; --sample 64:
 * all) and compares. Exit
 * status: 0, 1 when a file is not what it should be, 2 when something failed.
 */
#include "grading/src/lab/labs.h"
#include "solutions/questions/formulas.h"
#include "solutions/questions/section.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COST = 5 }; /* what Debian's passwords have: 16 MB for each try */

struct job {
    int lab, cost;
    uint64_t edition;
    const struct question_set *old; /* what stands in the file; NULL: nothing of use */
    bool dry;                       /* only compare: leave out seals that are not kept */
    size_t sealed, kept;            /* questions */
};

static void fail(const char *what) {
    fprintf(stderr, "seal-questions: %s\n", what);
    exit(2);
}

/* ---- What is sealed ---- */

/* The answers of one question in all its variants. */
struct answers_of {
    const struct formula_question *q;
    struct drawn *drawn;
    size_t variants;
    struct plain *plain; /* [variant * blanks + blank] */
};

static struct answers_of compute(const struct formula_question *q, const struct job *job) {
    struct answers_of a = {.q = q};
    a.drawn = formulas_draw(q, job->lab, job->edition, &a.variants);
    a.plain = xcalloc(a.variants * q->blank_count, sizeof *a.plain);
    for (size_t v = 0; v < a.variants; v++)
        for (size_t b = 0; b < q->blank_count; b++)
            formulas_plain(&a.plain[v * q->blank_count + b], &q->blanks[b], &a.drawn[v]);
    return a;
}

static void forget(struct answers_of *a) {
    free(a->drawn);
    free(a->plain);
}

static void fold_text(struct folded *f, const char *s) {
    for (; *s; s++)
        folded_add(f, &(double){(unsigned char)*s}, 1);
    folded_add(f, &(double){-1}, 1);
}

/* Of all answers of a question together. Who wants to find one by it has to try all others, too. */
static void digest(char hash[SEAL_HASH], const struct answers_of *a, const struct job *job) {
    struct folded f = folded_start();
    char place[SEAL_PLACE], spelling[CANONICAL];
    fold_text(&f, "seals are shared"); /* how they are made: made otherwise, they are not kept */
    for (size_t i = 0; i < a->variants * a->q->blank_count; i++) {
        fold_text(&f, a->q->blanks[i % a->q->blank_count].name);
        for (size_t s = 0; s < a->plain[i].count; s++) {
            fold_text(&f, a->plain[i].spelling[s]);
            folded_add(&f, &(double){a->plain[i].holds[s]}, 1);
        }
    }
    for (size_t b = 0; b < a->q->blank_count; b++)
        for (int s = 0; s < SLIPS && a->q->blanks[b].slips[s].hint; s++)
            fold_text(&f, a->q->blanks[b].slips[s].hint);
    canonical_folded(spelling, &f);
    question_place(place, job->edition, a->q->key, a->variants, "digest");
    if (!seal_hash(hash, place, job->cost, spelling))
        fail("this machine's libcrypt does not know yescrypt: install libxcrypt");
}

static void hint_key(char key[SEAL_KEY + 1], const struct job *job,
                     const struct formula_question *q, const struct formula_blank *b,
                     const char *hint) {
    char place[SEAL_PLACE];
    question_place(place, job->edition, q->key, 0, b->name);
    if (!seal_make_key(key, place, hint))
        fail("cannot make a key");
}

/* The first variant in which the blank has the same answers: it is sealed as that one. */
static size_t sealed_as(const struct answers_of *a, size_t variant, size_t blank) {
    const struct plain *p = &a->plain[variant * a->q->blank_count + blank];
    for (size_t v = 0; v < variant; v++) {
        const struct plain *other = &a->plain[v * a->q->blank_count + blank];
        bool same = p->count == other->count && memcmp(&p->grid, &other->grid, sizeof p->grid) == 0;
        for (size_t i = 0; same && i < p->count; i++)
            same =
                p->holds[i] == other->holds[i] && strcmp(p->spelling[i], other->spelling[i]) == 0;
        if (same)
            return v;
    }
    return variant;
}

/* The seals of one blank in one variant, sorted: their order says nothing. */
static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static json_t *seals(const struct answers_of *a, size_t variant, size_t blank,
                     const struct job *job) {
    const struct formula_blank *b = &a->q->blanks[blank];
    const struct plain *p = &a->plain[variant * a->q->blank_count + blank];
    char *made[BLANK_SEALS], place[SEAL_PLACE], hash[SEAL_HASH], key[SEAL_KEY + 1];
    json_t *list = json_array();
    question_place(place, job->edition, a->q->key, sealed_as(a, variant, blank), b->name);
    for (size_t i = 0; i < p->count; i++) {
        made[i] = xcalloc(1, SEAL_LENGTH + 1);
        if (p->holds[i] != SEAL_RIGHT)
            hint_key(key, job, a->q, b, b->slips[p->holds[i] - 1].hint);
        if (!seal_hash(hash, place, job->cost, p->spelling[i]) ||
            !seal_make(made[i], hash, p->holds[i], p->holds[i] != SEAL_RIGHT ? key : NULL))
            fail("cannot make a seal");
    }
    qsort(made, p->count, sizeof *made, by_text);
    for (size_t i = 0; i < p->count; i++) {
        json_array_append_new(list, json_string(made[i]));
        free(made[i]);
    }
    return list;
}

/* ---- The file ---- */

static json_t *number_list(const struct variables *v, const char *names) {
    json_t *list = json_array();
    for (const char *at = names; *at;) {
        char name[32];
        const size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const double value = formulas_variable(v, name);
        if (!isfinite(value))
            fail("a formula has a variable that nobody knows");
        json_array_append_new(list, json_integer((json_int_t)value));
        at += length + (at[length] == ' ');
    }
    return list;
}

static void add_points(json_t *o, const struct formula_blank *b) {
    struct variables points[POINTS];
    json_t *names = json_array(), *all = json_array();
    for (const char *at = b->variables; *at;) {
        const size_t length = strcspn(at, " ");
        json_array_append_new(names, json_stringn(at, length));
        at += length + (at[length] == ' ');
    }
    formulas_points(points);
    for (int i = 0; i < POINTS; i++)
        json_array_append_new(all, number_list(&points[i], b->variables));
    json_object_set_new(o, "variables", names);
    json_object_set_new(o, "points", all);
}

static json_t *blank_json(const struct answers_of *a, size_t blank, const struct job *job) {
    const struct formula_blank *b = &a->q->blanks[blank];
    json_t *o =
        json_pack("{s:s, s:s, s:s, s:i, s:s}", "name", b->name, "kind", blank_kind_name(b->kind),
                  "ask", b->ask, "count", a->plain[blank].values, "hint", b->hint);
    json_t *words = json_array(), *hints = json_array();
    for (int i = 0; b->words && b->words[i]; i++)
        json_array_append_new(words, json_string(b->words[i]));
    for (int s = 0; s < SLIPS && b->slips[s].hint; s++) {
        char key[SEAL_KEY + 1], sealed[SEAL_TEXT_SEALED];
        hint_key(key, job, a->q, b, b->slips[s].hint);
        if (!seal_make_text(sealed, b->slips[s].hint, key))
            fail("cannot seal a hint: is it too long?");
        json_array_append_new(hints, json_string(sealed));
    }
    if (json_array_size(words) > 0)
        json_object_set(o, "words", words);
    if (json_array_size(hints) > 0)
        json_object_set(o, "hints", hints);
    json_decref(words);
    json_decref(hints);
    if (b->kind == BLANK_FORMULAS)
        add_points(o, b);
    return o;
}

/* How much of the variants' texts is the same in all, in whole lines. */
static size_t common(char *const *texts, size_t count) {
    size_t same = strlen(texts[0]), line = 0;
    for (size_t i = 1; i < count; i++)
        for (size_t c = 0; c < same; c++)
            if (texts[i][c] != texts[0][c])
                same = c;
    for (size_t c = 0; c < same; c++)
        line = texts[0][c] == '\n' ? c + 1 : line;
    return line;
}

static const struct question *old_question(const struct job *job, const struct answers_of *a,
                                           const char *hash) {
    for (size_t i = 0; job->old && i < job->old->count; i++) {
        const struct question *q = &job->old->all[i];
        if (strcmp(q->key, a->q->key) == 0 && strcmp(q->digest, hash) == 0 &&
            q->blank_count == a->q->blank_count && q->variant_count == a->variants &&
            job->old->cost == job->cost && job->old->edition == job->edition)
            return q;
    }
    return NULL;
}

static json_t *old_seals(const struct sealed_blank *s) {
    json_t *list = json_array();
    for (size_t i = 0; i < s->count; i++)
        json_array_append_new(list, json_string(s->seals[i]));
    return list;
}

/* `before`: what this has given for the variants before. */
static json_t *variant_json(const struct answers_of *a, size_t v, const json_t *before,
                            const char *own, const struct question *old, const struct job *job) {
    json_t *o = json_object(), *all = json_array(), *grids = json_array();
    bool real = false;
    if (*own)
        json_object_set_new(o, "own", json_string(own));
    if (a->q->listing)
        json_object_set_new(o, "first", json_integer(a->drawn[v].n[0]));
    for (size_t b = 0; b < a->q->blank_count; b++) {
        const size_t as = sealed_as(a, v, b);
        json_array_append_new(
            all,
            old        ? old_seals(&old->variants[v].blanks[b])
            : job->dry ? json_array()
            : as < v
                ? json_copy(json_array_get(json_object_get(json_array_get(before, as), "seals"), b))
                : seals(a, v, b, job));
        /* Nine digits: less than the margin,
         * and the same text wherever log differs in its last bit. */
        const double grid = a->plain[v * a->q->blank_count + b].grid;
        json_array_append_new(grids, json_real(round(grid * 1e9) / 1e9));
        real = real || a->q->blanks[b].kind == BLANK_REAL;
    }
    if (real)
        json_object_set(o, "grids", grids);
    json_decref(grids);
    json_object_set_new(o, "seals", all);
    return o;
}

static json_t *question_json(const struct formula_question *q, struct job *job) {
    struct answers_of a = compute(q, job);
    char hash[SEAL_HASH], **texts = xcalloc(a.variants, sizeof *texts);
    json_t *blanks = json_array(), *variants = json_array(), *listing = json_array();
    for (size_t v = 0; v < a.variants; v++) {
        struct text t = {0};
        q->text(&t, &a.drawn[v]);
        texts[v] = xstrdup(text_get(&t));
        text_free(&t);
    }
    const size_t same = common(texts, a.variants);
    digest(hash, &a, job);
    const struct question *old = old_question(job, &a, hash);
    job->kept += old != NULL;
    job->sealed += old == NULL;
    for (size_t b = 0; b < q->blank_count; b++)
        json_array_append_new(blanks, blank_json(&a, b, job));
    for (size_t v = 0; v < a.variants; v++)
        json_array_append_new(variants, variant_json(&a, v, variants, texts[v] + same, old, job));
    for (int i = 0; q->listing && q->listing[i]; i++)
        json_array_append_new(listing, json_string(q->listing[i]));
    json_t *o = json_pack("{s:s, s:s, s:s, s:s%, s:s}", "key", q->key, "title", q->title, "section",
                          q->section, "text", texts[0], same, "digest", hash);
    if (q->listing)
        json_object_set(o, "listing", listing);
    json_decref(listing);
    json_object_set_new(o, "blanks", blanks);
    json_object_set_new(o, "variants", variants);
    for (size_t v = 0; v < a.variants; v++)
        free(texts[v]);
    free(texts);
    forget(&a);
    return o;
}

/* The variant of nobody in particular: the handout shows it. */
static size_t shown_variant(const struct formula_question *q, int lab, uint64_t edition) {
    size_t variants;
    free(formulas_draw(q, lab, edition, &variants));
    return question_pick(q->key, lab, variants, NULL, 0);
}

/* The list, as the handout has it: each question once, here and there. */
static json_t *list_json(const struct formula_question *all, size_t count, int lab,
                         uint64_t edition) {
    struct section s;
    char why[400];
    json_t *list = json_array();
    size_t checked = 0;
    bool seen[QUESTIONS_MOST] = {false};
    if (count > QUESTIONS_MOST)
        fail("a lab has too many questions");
    if (!section_read(&s, lab, why, sizeof why))
        fail(why);
    for (size_t i = 0; i < s.count; i++) {
        size_t q = 0;
        if (s.entry[i].words) {
            json_array_append_new(list, json_pack("{s:s}", "words", s.entry[i].words));
            continue;
        }
        while (q < count && strcmp(all[q].key, s.entry[i].key) != 0)
            q++;
        if (q == count || seen[q]) {
            snprintf(why, sizeof why, "handouts/lab%d.md: %.40s %s", lab, s.entry[i].key,
                     q == count ? "is no question of the lab" : "stands there twice");
            fail(why);
        }
        seen[q] = true;
        checked++;
        json_array_append_new(list, json_pack("{s:s, s:i}", "key", all[q].key, "shown",
                                              (int)shown_variant(&all[q], lab, edition)));
    }
    for (size_t q = 0; checked < count && q < count; q++)
        if (!seen[q]) {
            snprintf(why, sizeof why, "handouts/lab%d.md has no block for %.40s", lab, all[q].key);
            fail(why);
        }
    section_free(&s);
    return list;
}

static json_t *set_json(struct job *job) {
    char lab[16];
    size_t count;
    const struct formula_question *all = formulas_of(job->lab, &count);
    snprintf(lab, sizeof lab, "lab%d", job->lab);
    json_t *list = json_array();
    json_t *order = list_json(all, count, job->lab, job->edition);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, question_json(&all[i], job));
    return json_pack("{s:s, s:s, s:I, s:i, s:o, s:o}", "schema", QUESTIONS_SCHEMA, "lab", lab,
                     "edition", (json_int_t)job->edition, "cost", job->cost, "list", order,
                     "questions", list);
}

/* A line for each blank and each variant, so that a change shows as one. */
static void write_json(struct text *t, const json_t *o, int depth) {
    const bool wide = depth < 4 && (json_is_object(o) || json_is_object(json_array_get(o, 0)));
    if (!wide) {
        char *dumped = json_dumps(o, JSON_COMPACT | JSON_ENCODE_ANY | JSON_PRESERVE_ORDER |
                                         JSON_REAL_PRECISION(12));
        text_add(t, dumped ? dumped : "null");
        free(dumped);
        return;
    }
    const size_t count = json_is_object(o) ? json_object_size(o) : json_array_size(o);
    size_t i = 0;
    text_add(t, json_is_object(o) ? "{" : "[");
    if (json_is_object(o)) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)o, key, value) {
            text_addf(t, "\n%*s\"%s\": ", depth + 1, "", key);
            write_json(t, value, depth + 1);
            text_add(t, ++i < count ? "," : "");
        }
    } else {
        for (; i < count; i++) {
            text_addf(t, "\n%*s", depth + 1, "");
            write_json(t, json_array_get(o, i), depth + 1);
            text_add(t, i + 1 < count ? "," : "");
        }
    }
    text_addf(t, "\n%*s%s", depth, "", json_is_object(o) ? "}" : "]");
}

/* ---- The commands ---- */

struct command {
    bool check;
    int cost, sample;
    bool edition_given;
    uint64_t edition, seed;
};

static char *path_of(int lab) {
    return xasprintf("grading/questions/lab%d.json", lab);
}

static bool same_as_file(const char *path, const struct text *t) {
    FILE *f = fopen(path, "re");
    char *bytes = xmalloc(t->length + 2);
    const size_t length = f ? fread(bytes, 1, t->length + 1, f) : 0;
    const bool same = f && length == t->length && memcmp(bytes, text_get(t), length) == 0;
    if (f)
        fclose(f);
    free(bytes);
    return same;
}

static void write_file(const char *path, const struct text *t) {
    char *beside = xasprintf("%s.new", path);
    FILE *f = fopen(beside, "we");
    bool good = f && fputs(text_get(t), f) >= 0;
    good = f && fclose(f) == 0 && good && rename(beside, path) == 0;
    if (!good) {
        fprintf(stderr, "seal-questions: cannot write %s: %s\n", path, strerror(errno));
        unlink(beside);
        exit(2);
    }
    free(beside);
}

/* Makes the seals of some variants again. Returns how many differ. */
static size_t check_seals(const struct job *job, const struct command *c, size_t *checked) {
    size_t count, wrong = 0;
    const struct formula_question *all = formulas_of(job->lab, &count);
    for (size_t i = 0; i < count; i++) {
        struct answers_of a = compute(&all[i], job);
        for (size_t n = 0; n < a.variants && n < (size_t)c->sample; n++) {
            const size_t v = (n + c->seed * 37) % a.variants;
            for (size_t b = 0; b < all[i].blank_count; b++, ++*checked) {
                json_t *made = seals(&a, v, b, job);
                json_t *kept = old_seals(&job->old->all[i].variants[v].blanks[b]);
                if (!json_equal(made, kept)) {
                    fprintf(stderr, "lab%d: %s, variant %zu: the seals are others\n", job->lab,
                            all[i].blanks[b].name, v);
                    wrong++;
                }
                json_decref(made);
                json_decref(kept);
            }
        }
        forget(&a);
    }
    return wrong;
}

static int one_lab(int lab, const struct command *c) {
    struct question_set old;
    struct text t = {0};
    char why[512];
    int status = 0;
    char *path = path_of(lab);
    const enum questions_state state = questions_read(&old, ".", lab, why, sizeof why);
    if (state != QUESTIONS_OK && c->check)
        fail(why);
    const bool there = state == QUESTIONS_OK;
    struct job job = {.lab = lab,
                      .cost = c->cost ? c->cost
                              : there ? old.cost
                                      : COST,
                      .edition = c->edition_given ? c->edition
                                 : there          ? old.edition
                                                  : 0,
                      .old = there ? &old : NULL,
                      .dry = c->check};
    if (c->check) {
        size_t checked = 0;
        json_t *o = set_json(&job);
        write_json(&t, o, 0);
        text_add(&t, "\n");
        json_decref(o);
        if (job.sealed > 0 || !same_as_file(path, &t)) {
            fprintf(stderr, "%s is not what the formulas say: run make questions\n", path);
            status = 1;
        } else {
            status = check_seals(&job, c, &checked) > 0;
            printf("lab%d: %zu questions, %zu seals made again%s\n", lab, old.count, checked,
                   status ? "" : ": as they were");
        }
    } else {
        json_t *o = set_json(&job);
        write_json(&t, o, 0);
        text_add(&t, "\n");
        json_decref(o);
        if (!same_as_file(path, &t))
            write_file(path, &t);
        printf("%s: %zu questions sealed, %zu kept\n", path, job.sealed, job.kept);
    }
    questions_free(&old);
    text_free(&t);
    free(path);
    return status;
}

static int usage(void) {
    fputs("usage: seal-questions [--edition N] [--cost N] LAB...\n"
          "       seal-questions --check [--sample N] [--seed N] LAB...\n",
          stderr);
    return 2;
}

int main(int argc, char **argv) {
    struct command c = {.sample = 1};
    int status = 0, at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "--check") == 0) {
            c.check = true;
            continue;
        }
        char *end;
        const char *option = argv[at];
        const uint64_t value = at + 1 < argc ? strtoull(argv[++at], &end, 10) : 0;
        if (at == argc || option == argv[at] || *end || end == argv[at])
            return usage();
        if (strcmp(option, "--edition") == 0 && value <= INT32_MAX) {
            c.edition = value;
            c.edition_given = true;
        } else if (strcmp(option, "--cost") == 0 && value >= 1 && value <= SEAL_COST_MOST) {
            c.cost = (int)value;
        } else if (strcmp(option, "--sample") == 0 && value <= QUESTION_VARIANTS) {
            c.sample = (int)value;
        } else if (strcmp(option, "--seed") == 0) {
            c.seed = value;
        } else {
            return usage();
        }
    }
    if (at == argc)
        return usage();
    struct labs labs = labs_open(".");
    for (; at < argc; at++) {
        const struct lab_spec *lab = labs_find(&labs, argv[at]);
        size_t count = 0;
        if (!lab || !formulas_of(lab->number, &count) || count == 0)
            fail("no such lab, or one without questions");
        const int s = one_lab(lab->number, &c);
        status = s > status ? s : status;
    }
    labs_free(&labs);
    return status;
}
