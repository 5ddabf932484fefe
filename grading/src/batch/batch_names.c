/* batch_names.c: what learning platforms put into the names of what one downloads
 * (batch_names.h). */
#include "grading/src/batch/batch_names.h"

#include "grading/src/base/text.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the parentheses of each pattern hold. The first that matches is taken. */
enum { MOST_GROUPS = 8 };

static const struct {
    const char *pattern;
    int student, id, attempt, file; /* numbers of groups; 0: not in the name */
} platforms[] = {
    /* Moodle: "Ada Lovelace_101_assignsubmission_file_" is a folder, or begins a file's name. */
    {"^(.+)_([0-9]+)_assignsubmission_(file|onlinetext)_?(.*)$", 1, 2, 0, 4},
    {"^(.+)_assignsubmission_(file|onlinetext)_?(.*)$", 1, 0, 0, 3},
    /* Blackboard: "Lab 3_ada17_attempt_2026-11-21-09-30-00_lab3.cu". */
    {"^(.*_)?([^_]+)_attempt_([0-9]{4}(-[0-9]{2}){5})(_(.*))?$", 2, 2, 3, 6},
    /* Canvas: "lovelaceada_LATE_12345_678910_lab3-2.cu"; its numbers are the student's and the
     * file's, "-2" the second file of this name. */
    {"^([^_]+)_(LATE_)?([0-9]+)_([0-9]+)_(.+)$", 1, 3, 4, 5},
};

bool name_is_source(const char *name) {
    const size_t n = strlen(name);
    return n > 3 && strcasecmp(name + n - 3, ".cu") == 0;
}

bool name_is_lab(const char *name, const char *lab) {
    const size_t n = strlen(lab);
    const char *rest = name + n;
    if (strncasecmp(name, lab, n) != 0)
        return false;
    /* Platforms and browsers number a name that they know already: "lab3-2.cu", "lab3 (1).cu". */
    if (*rest == '-' && rest[1 + strspn(rest + 1, "0123456789")] == '.')
        rest += 1 + strspn(rest + 1, "0123456789");
    else if (strncmp(rest, " (", 2) == 0 && rest[2 + strspn(rest + 2, "0123456789")] == ')')
        rest += 3 + strspn(rest + 2, "0123456789");
    return strcasecmp(rest, ".cu") == 0;
}

static char *group(const char *name, const regmatch_t *m, int number) {
    if (number == 0 || m[number].rm_so < 0)
        return xstrdup("");
    const size_t n = (size_t)(m[number].rm_eo - m[number].rm_so);
    char *part = xmalloc(n + 1);
    memcpy(part, name + m[number].rm_so, n);
    part[n] = '\0';
    return part;
}

void name_take_apart(struct name_parts *p, const char *name) {
    for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++) {
        regex_t r;
        regmatch_t m[MOST_GROUPS];
        if (regcomp(&r, platforms[i].pattern, REG_EXTENDED) != 0)
            continue;
        const bool matches = regexec(&r, name, MOST_GROUPS, m, 0) == 0;
        regfree(&r);
        if (!matches)
            continue;
        *p = (struct name_parts){.student = group(name, m, platforms[i].student),
                                 .id = group(name, m, platforms[i].id),
                                 .attempt = group(name, m, platforms[i].attempt),
                                 .file = group(name, m, platforms[i].file),
                                 .platform = true};
        return;
    }
    *p = (struct name_parts){
        .student = xstrdup(name), .id = xstrdup(""), .attempt = xstrdup(""), .file = xstrdup(name)};
    if (name_is_source(p->student))
        p->student[strlen(p->student) - 3] = '\0';
}

void name_parts_free(struct name_parts *p) {
    free(p->student);
    free(p->id);
    free(p->attempt);
    free(p->file);
    *p = (struct name_parts){0};
}

/* Numbers by their value, anything else by its letters: "9" comes before "10". */
int name_compare_attempts(const char *a, const char *b) {
    const bool numbers = a[strspn(a, "0123456789")] == '\0' && b[strspn(b, "0123456789")] == '\0';
    if (numbers && strlen(a) != strlen(b))
        return strlen(a) < strlen(b) ? -1 : 1;
    return strcmp(a, b);
}
