/*
 * batch_names.h: what learning platforms put into the names of what one downloads from them.
 *
 * Moodle, Blackboard and Canvas name each file or folder after the student, with numbers and marks
 * of their own. Anything else is taken as it is: the name of a student. Nothing here reads a file.
 */
#ifndef GRADING_BATCH_NAMES_H
#define GRADING_BATCH_NAMES_H

#include <stdbool.h>

struct name_parts {
    char *student; /* never empty; without ".cu" where no platform made the name */
    char *id;      /* the platform's; "" when there is none */
    char *attempt; /* orders what one student handed in; "" when the name says nothing */
    char *file;    /* what the student called the file; "" for a folder of Moodle's */
    bool platform; /* a platform made the name: equal student and id mean the same student */
};

/* Takes the name of a file or folder apart. Free the parts with name_parts_free. */
void name_take_apart(struct name_parts *p, const char *name);
void name_parts_free(struct name_parts *p);

/* Of two attempts, as strcmp: the later one is the greater. */
int name_compare_attempts(const char *a, const char *b);

/* It ends in .cu, in letters of either case. */
bool name_is_source(const char *name);
/* It is LAB.cu, in letters of either case, also as platforms number equal names (LAB-2.cu). */
bool name_is_lab(const char *name, const char *lab);

#endif
