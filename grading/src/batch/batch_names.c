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

/* A platform's mark in a name. In front of it stands who it is, behind it what the student called
 * the file, which may look like another mark: the first one counts. The numbers are of parentheses;
 * 0: it is not in the name. Of the patterns of a platform the first that matches is taken. */
enum { MOST_GROUPS = 4 };

struct pattern {
    enum platform platform;
    const char *mark;
    int attempt;
    const char *front;
    int student, id, owner;
};

static const struct pattern patterns[] = {
    /* "Ada Lovelace_101_assignsubmission_file_" is a folder, or begins a file's name. */
    {PLATFORM_MOODLE, "_assignsubmission_[a-z]+_?", 0, "^((.+)_([0-9]+))$", 2, 3, 1},
    {PLATFORM_MOODLE, "_assignsubmission_[a-z]+_?", 0, "^(.+)$", 1, 0, 1},
    /* "Lab 3_ada17_attempt_2026-11-21-09-30-00_lab3.cu"; with ".txt" behind the time, the receipt.
     * A title and a user's name may both hold "_": the owner is both. */
    {PLATFORM_BLACKBOARD, "_attempt_([0-9]{4}(-[0-9]{2}){5})(_|(\\.txt)?$)", 1, "^((.*_)?([^_]+))$",
     3, 3, 1},
    /* "12345-678 - Ada Lovelace - Oct 3, 2026 1020 AM", a folder, or the beginning of a file's
     * name; its numbers are the student's in this course and the assignment's. */
    {PLATFORM_BRIGHTSPACE, " - ([^-]*[0-9]{4},? [0-9]{1,2}:?[0-9]{2}( ?[AP]M)?)( - |$)", 1,
     "^([0-9]+)-[0-9]+ - (.+)$", 2, 1, 1},
};

static const struct pattern sakai = {PLATFORM_SAKAI, "$", 0, "^(.+)\\(([^()]+)\\)$", 1, 2, 2};

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

bool name_is_other_lab(const char *name, const char *lab) {
    bool as_text;
    const size_t word = strcspn(lab, "0123456789"), n = stem(name, &as_text);
    if (n == 0 || strncasecmp(name, lab, word) != 0 || !isdigit((unsigned char)name[word]))
        return false;
    char *end;
    const long number = strtol(name + word, &end, 10);
    const size_t whole = without_number(name, n), at = (size_t)(end - name);
    return (at == whole || at == n) && number != strtol(lab + word, NULL, 10);
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

static bool matches(const char *pattern, const char *s, regmatch_t *m) {
    regex_t r;
    if (regcomp(&r, pattern, REG_EXTENDED) != 0)
        return false;
    const bool does = regexec(&r, s, MOST_GROUPS, m, 0) == 0;
    regfree(&r);
    return does;
}

static bool take(struct name_parts *p, const char *name, const struct pattern *by) {
    regmatch_t mark[MOST_GROUPS], m[MOST_GROUPS];
    if (!matches(by->mark, name, mark))
        return false;
    char *front = xasprintf("%.*s", (int)mark[0].rm_so, name);
    const bool is = matches(by->front, front, m);
    if (is)
        *p = (struct name_parts){.student = group(front, m, by->student),
                                 .id = group(front, m, by->id),
                                 .owner = group(front, m, by->owner),
                                 .attempt = group(name, mark, by->attempt),
                                 .file = xstrdup(name + mark[0].rm_eo),
                                 .platform = by->platform};
    free(front);
    return is;
}

static char *piece(const char *from, const char *to) {
    return xasprintf("%.*s", (int)(to - from), from);
}

/* Behind "_12345": where the digits end; NULL: there are none. */
static const char *behind_number(const char *s) {
    const size_t n = *s == '_' ? strspn(s + 1, "0123456789") : 0;
    return n > 0 ? s + 1 + n : NULL;
}

/* The parts of Canvas's names around the number at `at`, in front of which a "_LATE" may stand. */
static void canvas_parts(struct name_parts *p, const char *name, const char *at) {
    const bool late = at - name > 5 && strncmp(at - 5, "_LATE", 5) == 0;
    *p = (struct name_parts){.student = piece(name, late ? at - 5 : at),
                             .platform = PLATFORM_CANVAS};
}

/* "lovelaceada_LATE_12345_678910_lab3-2.cu": its numbers are the student's and the file's, "-2" the
 * second file of this name. Names may hold "_" and digits: as when Canvas reads such names back,
 * the first pair of numbers counts. "lovelaceada_12345_text.html" is what was typed, and not a
 * file. */
static bool take_canvas(struct name_parts *p, const char *name) {
    for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
        const char *id = behind_number(at), *number = id ? behind_number(id) : NULL;
        const bool typed = id && (strcmp(id, "_text.html") == 0 || strcmp(id, "_link.html") == 0);
        const bool pair = number && *number == '_' && number[1];
        if (at == name || (!typed && !pair))
            continue;
        canvas_parts(p, name, at);
        p->id = piece(at + 1, id);
        p->owner = xstrdup(p->id);
        p->attempt = pair ? piece(id + 1, number) : xstrdup("");
        p->file = xstrdup((pair ? number : id) + 1);
        return true;
    }
    return false;
}

/* "anon_aB3de_LATE_678910_lab3.cu": where Canvas hides who it is. */
static bool take_canvas_hidden(struct name_parts *p, const char *name) {
    enum { WORD = 5, MARK = 5 };
    if (strncmp(name, "anon_", WORD) != 0 || strcspn(name + WORD, "_") != MARK)
        return false;
    const char *at = name + WORD + MARK;
    at += strncmp(at, "_LATE", 5) == 0 ? 5 : 0;
    const char *number = behind_number(at);
    if (!number || *number != '_' || !number[1])
        return false;
    canvas_parts(p, name, at);
    p->id = xstrdup("");
    p->owner = xstrdup(p->student);
    p->attempt = piece(at + 1, number);
    p->file = xstrdup(number + 1);
    return true;
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

static bool take_by(struct name_parts *p, const char *name, enum platform platform) {
    if (platform == PLATFORM_CANVAS)
        return take_canvas_hidden(p, name) || take_canvas(p, name);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (patterns[i].platform != platform || !take(p, name, &patterns[i]))
            continue;
        p->receipt =
            platform == PLATFORM_BLACKBOARD && !*p->file && ends_in(name, strlen(name), ".txt");
        if (platform == PLATFORM_BRIGHTSPACE) {
            char *time = sortable(p->attempt);
            free(p->attempt);
            p->attempt = time;
        }
        return true;
    }
    return false;
}

static bool has_form(const char *name, enum platform platform) {
    struct name_parts parts;
    const bool has = take_by(&parts, name, platform);
    if (has)
        name_parts_free(&parts);
    return has;
}

void name_count(struct name_counts *counts, const char *name) {
    for (enum platform by = PLATFORM_NONE + 1; by <= PLATFORM_SAKAI; by++)
        counts->of[by] += has_form(name, by);
}

void name_take_apart(struct name_parts *p, const char *name, const struct name_counts *counts) {
    size_t most = 0;
    enum platform platform = PLATFORM_NONE;
    for (enum platform by = PLATFORM_NONE + 1; by <= PLATFORM_SAKAI; by++) {
        if (counts->of[by] <= most || !has_form(name, by))
            continue;
        most = counts->of[by];
        platform = by;
    }
    if (take_by(p, name, platform))
        return;
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
