/* batch_names.c: what learning platforms put into the names of what one downloads
 * (batch_names.h). */
#include "grading/src/batch/batch_names.h"

#include "grading/src/base/text.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the parentheses of each pattern hold. The first that matches is taken. */
enum { MOST_GROUPS = 9 };

struct pattern {
    enum platform platform;
    const char *pattern;
    int student, id, owner, attempt, file; /* numbers of groups; 0: not in the name */
};

static const struct pattern patterns[] = {
    /* "Ada Lovelace_101_assignsubmission_file_" is a folder, or begins a file's name. */
    {PLATFORM_MOODLE, "^((.+)_([0-9]+))_assignsubmission_[a-z]+_?(.*)$", 2, 3, 1, 0, 4},
    {PLATFORM_MOODLE, "^(.+)_assignsubmission_[a-z]+_?(.*)$", 1, 0, 1, 0, 2},
    /* "Lab 3_ada17_attempt_2026-11-21-09-30-00_lab3.cu"; with ".txt" behind the time, the receipt.
     * A title and a user's name may both hold "_": the owner is both. */
    {PLATFORM_BLACKBOARD, "^((.*_)?([^_]+))_attempt_([0-9]{4}(-[0-9]{2}){5})(_(.*)|\\.txt)?$", 3, 3,
     1, 4, 7},
    /* "lovelaceada_LATE_12345_678910_lab3-2.cu"; its numbers are the student's and the file's, "-2"
     * the second file of this name. */
    {PLATFORM_CANVAS, "^([^_]+)_(LATE_)?([0-9]+)_([0-9]+)_(.+)$", 1, 3, 3, 4, 5},
    /* "12345-678 - Ada Lovelace - Oct 3, 2026 1020 AM", a folder, or the beginning of a file's
     * name; its numbers are the student's in this course and the assignment's. */
    {PLATFORM_BRIGHTSPACE,
     "^([0-9]+)-[0-9]+ - (.+) - ([^-]*[0-9]{4},? [0-9]{1,2}:?[0-9]{2}( ?[AP]M)?)( - (.+))?$", 2, 1,
     1, 3, 6},
};

static const struct pattern sakai = {PLATFORM_SAKAI, "^(.+)\\(([^()]+)\\)$", 1, 2, 2, 0, 0};

static bool ends_in(const char *name, size_t n, const char *end) {
    const size_t m = strlen(end);
    return n > m && strncasecmp(name + n - m, end, m) == 0;
}

/* The length of a name without the number that made it unlike another: "-2" or " (1)" at `n`. */
static size_t without_number(const char *name, size_t n) {
    size_t at = n;
    const bool round = at > 0 && name[at - 1] == ')';
    at -= round;
    const size_t digits_end = at;
    while (at > 0 && isdigit((unsigned char)name[at - 1]))
        at--;
    if (at == digits_end)
        return n;
    if (round)
        return at > 1 && name[at - 1] == '(' && name[at - 2] == ' ' ? at - 2 : n;
    return at > 0 && name[at - 1] == '-' ? at - 1 : n;
}

/* The length of a name without ".cu", ".cu.txt" or ".cu (1).txt"; 0 when it is no source. */
static size_t stem(const char *name, bool *as_text) {
    const size_t n = strlen(name);
    *as_text = false;
    if (ends_in(name, n, ".cu"))
        return n - 3;
    if (!ends_in(name, n, ".txt"))
        return 0;
    const size_t m = without_number(name, n - 4);
    *as_text = true;
    return ends_in(name, m, ".cu") ? m - 3 : 0;
}

/* The length of an archive's name without its end; 0 when it is none. */
static size_t archive_stem(const char *name) {
    static const char *const ends[] = {".zip", ".tar", ".tar.gz", ".tgz"};
    const size_t n = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_in(name, n, ends[i]))
            return n - strlen(ends[i]);
    return 0;
}

enum name_kind name_kind_of(const char *name) {
    bool as_text;
    if (stem(name, &as_text) > 0)
        return as_text ? NAME_SOURCE_AS_TEXT : NAME_SOURCE;
    return archive_stem(name) > 0 ? NAME_ARCHIVE : NAME_OTHER;
}

bool name_is_lab(const char *name, const char *lab) {
    bool as_text;
    const size_t n = strlen(lab), m = without_number(name, stem(name, &as_text));
    return m == n && strncasecmp(name, lab, n) == 0;
}

bool name_is_systems(const char *name) {
    static const char *const names[] = {".DS_Store", "__MACOSX", "Thumbs.db", "desktop.ini"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "._", 2) == 0;
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

static bool take(struct name_parts *p, const char *name, const struct pattern *by) {
    regex_t r;
    regmatch_t m[MOST_GROUPS];
    if (regcomp(&r, by->pattern, REG_EXTENDED) != 0)
        return false;
    const bool matches = regexec(&r, name, MOST_GROUPS, m, 0) == 0;
    regfree(&r);
    if (matches)
        *p = (struct name_parts){.student = group(name, m, by->student),
                                 .id = group(name, m, by->id),
                                 .owner = group(name, m, by->owner),
                                 .attempt = group(name, m, by->attempt),
                                 .file = group(name, m, by->file),
                                 .platform = by->platform};
    return matches;
}

/* Brightspace's time as one that orders itself: "Oct 3, 2026 1020 AM", "05 March 2026 612 PM" and
 * "3 October, 2026 18:12". "" when it is none of these: in other languages months have other names,
 * and which is the later then is not known. */
static char *sortable(const char *time) {
    static const char months[] = "jan feb mar apr may jun jul aug sep oct nov dec ";
    int day = 0, year = 0, clock = -1, month = 0;
    bool afternoon = false, twelve = false;
    for (const char *c = time; *c;) {
        if (isdigit((unsigned char)*c)) {
            char *end;
            long n = strtol(c, &end, 10);
            if (*end == ':')
                n = n * 100 + strtol(end + 1, &end, 10);
            if (day == 0 && n <= 31)
                day = (int)n;
            else if (year == 0)
                year = (int)(n % 10000);
            else
                clock = (int)(n % 10000);
            c = end;
        } else if (isalpha((unsigned char)*c)) {
            char three[5] = "    ";
            for (int i = 0; i < 3 && isalpha((unsigned char)c[i]); i++)
                three[i] = (char)tolower((unsigned char)c[i]);
            const char *at = strstr(months, three);
            twelve = twelve || strcmp(three, "am  ") == 0 || strcmp(three, "pm  ") == 0;
            afternoon = afternoon || strcmp(three, "pm  ") == 0;
            month = at ? (int)(at - months) / 4 + 1 : month;
            while (isalpha((unsigned char)*c))
                c++;
        } else {
            c++;
        }
    }
    if (day == 0 || year == 0 || month == 0 || clock < 0 || clock % 100 > 59 || clock > 2359)
        return xstrdup("");
    int hour = clock / 100;
    if (twelve)
        hour = hour % 12 + (afternoon ? 12 : 0);
    return xasprintf("%04d-%02d-%02d-%02d-%02d-00", year, month, day, hour, clock % 100);
}

void name_take_apart(struct name_parts *p, const char *name) {
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (!take(p, name, &patterns[i]))
            continue;
        p->receipt =
            p->platform == PLATFORM_BLACKBOARD && !*p->file && ends_in(name, strlen(name), ".txt");
        if (p->platform == PLATFORM_BRIGHTSPACE) {
            char *time = sortable(p->attempt);
            free(p->attempt);
            p->attempt = time;
        }
        return;
    }
    *p = (struct name_parts){.student = xstrdup(name),
                             .id = xstrdup(""),
                             .owner = xstrdup(name),
                             .attempt = xstrdup(""),
                             .file = xstrdup(name)};
    bool as_text;
    const size_t n = stem(name, &as_text), m = n > 0 ? n : archive_stem(name);
    if (m > 0)
        p->student[m] = '\0';
}

bool name_take_sakai(struct name_parts *p, const char *name) {
    return take(p, name, &sakai);
}

void name_parts_free(struct name_parts *p) {
    free(p->student);
    free(p->id);
    free(p->owner);
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
