/*
 * batch_names.h: what learning platforms put into the names of what one downloads from them.
 *
 * Moodle, Blackboard, Canvas, Brightspace and Sakai name each file or folder after the student,
 * with numbers and marks of their own. Anything else is taken as it is: the name of a student.
 * Nothing here reads a file.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The stricter a form is, the earlier it stands: where as many names have two, the first counts. */
enum platform {
    PLATFORM_NONE,
    PLATFORM_MOODLE,
    PLATFORM_BLACKBOARD,
    PLATFORM_BRIGHTSPACE,
    PLATFORM_CANVAS,
    PLATFORM_SAKAI,
};

struct name_parts {
    char *student; /* never empty; without ".cu" where no platform made the name */
    char *id;      /* the platform's; "" when there is none */
    char *owner;   /* the same for all that one student handed in, and for nobody else's */
    char *attempt; /* orders what one student handed in; "" when the name says nothing */
    char *file;    /* what the student called the file; "" for a folder, and for a receipt */
    enum platform platform; /* who made the name: equal owners mean the same student */
    bool receipt;           /* Blackboard's own text beside what a student handed in */
};

/* How many of a folder's names have each platform's form. Students choose the ends of names, so
 * that one name may have several forms. */
struct name_counts {
    size_t of[PLATFORM_SAKAI + 1];
};
/* Adds one name. */
void name_count(struct name_counts *counts, const char *name);
/* Takes the name of a file or folder apart. Of the forms that it has, the one that most names of
 * its folder have is the platform's. Free the parts with name_parts_free. */
void name_take_apart(struct name_parts *p, const char *name, const struct name_counts *counts);
/* The same for a folder in which Sakai put a student's work: "Lovelace, Ada(ada17)". False when the
 * name has no such form. */
bool name_take_sakai(struct name_parts *p, const char *name);
void name_parts_free(struct name_parts *p);

/* Of two attempts, as strcmp: the later one is the greater. */
int name_compare_attempts(const char *a, const char *b);

/* What a file may be, by its name. */
enum name_kind {
    NAME_OTHER,
    NAME_SOURCE,         /* .cu, in letters of either case */
    NAME_SOURCE_AS_TEXT, /* .cu.txt: what platforms and browsers make of it */
    NAME_ARCHIVE,        /* .zip, .tar, .tar.gz, .tgz */
};
enum name_kind name_kind_of(const char *name);
/* It is LAB.cu or LAB.cu.txt, in letters of either case, also as platforms and browsers number
 * equal names: LAB-2.cu, LAB (1).cu. */
bool name_is_lab(const char *name, const char *lab);
/* It is called as another lab's file would be: "lab2.cu" where lab3 is graded. */
bool name_is_other_lab(const char *name, const char *lab);
/* An operating system put it there, and no student: .DS_Store, Thumbs.db, __MACOSX. */
bool name_is_systems(const char *name);
