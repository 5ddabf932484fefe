/* batch_board.c: see batch_board.h. */
#include "grading/src/batch/batch_board.h"

#include "grading/src/batch/batch_roster.h"
#include "grading/src/batch/spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORTEST = 2, LONGEST = 24, MOST_LINE = 1000, LEAST_PART = 3 };
#define MARK "// board:"

/* ---- The name that a program asks for ---- */

static bool is_allowed(char c) {
    return isalnum((unsigned char)c) || (c && strchr(" -_.'", c));
}

/* The first such line; "": none, or, when *unfit, one that may not be shown. The caller frees. */
static char *asked_for(const char *path, bool *unfit) {
    char line[MOST_LINE], *name = NULL;
    FILE *f = path ? fopen(path, "re") : NULL;
    while (f && !name && fgets(line, sizeof line, f)) {
        char *at = line + strspn(line, " \t");
        if (strncmp(at, MARK, strlen(MARK)) != 0)
            continue;
        at += strlen(MARK);
        at += strspn(at, " \t");
        size_t n = strcspn(at, "\r\n");
        while (n > 0 && at[n - 1] == ' ')
            n--;
        name = xasprintf("%.*s", (int)n, at);
    }
    if (f)
        fclose(f);
    const size_t n = name ? strlen(name) : 0;
    *unfit = name && (n < SHORTEST || n > LONGEST);
    for (size_t i = 0; i < n; i++)
        *unfit = *unfit || !is_allowed(name[i]);
    if (!name || *unfit) {
        free(name);
        name = xstrdup("");
    }
    return name;
}

/* ---- Whose it is ---- */

/* Is it called so, all of it or a word of it? Both as they are compared: ada_l is Ada L. */
static bool is_called(const char *who, const char *squeezed) {
    char *all = spelling_squeezed(who);
    bool is = *squeezed && strcmp(all, squeezed) == 0;
    free(all);
    for (const char *at = who; *at && !is;) {
        const size_t n = strcspn(at, " ,;");
        char *word = xasprintf("%.*s", (int)n, at), *one = spelling_squeezed(word);
        is = strlen(one) >= LEAST_PART && strcmp(one, squeezed) == 0;
        free(one);
        free(word);
        at += n + strspn(at + n, " ,;");
    }
    return is;
}

static bool is_somebody_elses(const struct batch *b, size_t student, const char *name) {
    char *squeezed = spelling_squeezed(name);
    const struct entry_in *own = &b->list.of[student];
    bool is = false;
    for (size_t i = 0; i < b->list.count && !is; i++)
        is = i != student &&
             (is_called(b->list.of[i].student, squeezed) || is_called(b->list.of[i].id, squeezed));
    const struct batch_roster *br = b->roster;
    for (size_t s = 0; br && s < br->roster.students && !is; s++) {
        if (br->row[s] == student)
            continue;
        char *who = roster_name(&br->roster, s);
        is = is_called(who, squeezed) || is_called(roster_id(&br->roster, s), squeezed);
        free(who);
    }
    /* What is one's own, too, is no mask of somebody else's. */
    is = is && !is_called(own->student, squeezed) && !is_called(own->id, squeezed);
    free(squeezed);
    return is;
}

/* ---- The board ---- */

void class_board_add(struct class_board *board, const struct batch *b, size_t student,
                     const json_t *result) {
    const json_t *o = json_object_get(result, "board"), *shape = json_object_get(o, "shape");
    if (!json_is_object(o))
        return;
    const struct entry_in *e = &b->list.of[student];
    bool unfit = false;
    char *name = b->anonymous ? xstrdup(e->student) : asked_for(e->path, &unfit);
    board->of = xrealloc(board->of, (board->count + 1) * sizeof *board->of);
    board->of[board->count++] = (struct board_row){
        .name = name,
        .unfit = unfit,
        .student = student,
        .bytes = json_number_value(json_object_get(o, "bytes_per_madd")),
        .conflicts = json_number_value(json_object_get(o, "conflicts_per_madd")),
        .seconds = json_number_value(json_object_get(json_object_get(result, "time"), "seconds")),
    };
    if (!board->counted)
        board->counted =
            xasprintf("%s, %d x %d x %d", json_string_value(json_object_get(o, "case")),
                      (int)json_integer_value(json_object_get(shape, "m")),
                      (int)json_integer_value(json_object_get(shape, "n")),
                      (int)json_integer_value(json_object_get(shape, "k")));
}

static int by_bytes(const void *a, const void *b) {
    const struct board_row *x = a, *y = b;
    int order = (x->bytes > y->bytes) - (x->bytes < y->bytes);
    order = order ? order : (x->conflicts > y->conflicts) - (x->conflicts < y->conflicts);
    return order ? order : (x->student > y->student) - (x->student < y->student);
}

void class_board_settle(struct class_board *board, const struct batch *b, struct text *notes) {
    bool *taken = xcalloc(board->count + 1, sizeof *taken);
    if (board->count > 1)
        qsort(board->of, board->count, sizeof *board->of, by_bytes);
    for (size_t i = 0; i < board->count && !b->anonymous; i++) {
        const char *name = board->of[i].name;
        taken[i] = *name && is_somebody_elses(b, board->of[i].student, name);
        char *own = spelling_squeezed(name);
        for (size_t j = 0; j < board->count && *name && !taken[i]; j++) {
            char *other = spelling_squeezed(board->of[j].name);
            taken[i] = j != i && *board->of[j].name && strcmp(own, other) == 0;
            free(other);
        }
        free(own);
    }
    for (size_t i = 0; i < board->count; i++) {
        struct board_row *row = &board->of[i];
        if (!taken[i] && !row->unfit)
            continue;
        const char *who = b->list.of[row->student].student;
        text_add_clean_line(notes, who, strlen(who), 60);
        if (taken[i])
            text_addf(notes, ": '%s' is another student's name, or two ask for it\n", row->name);
        else
            text_addf(notes, ": a name has %d to %d letters, digits, blanks and - _ . '\n",
                      SHORTEST, LONGEST);
        *row->name = '\0';
    }
    free(taken);
}

void class_board_free(struct class_board *board) {
    for (size_t i = 0; i < board->count; i++)
        free(board->of[i].name);
    free(board->of);
    free(board->counted);
    *board = (struct class_board){0};
}
