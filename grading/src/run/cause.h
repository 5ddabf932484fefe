/*
 * cause.h: what helps with a class of mistakes: a section of the handouts, and hints.
 *
 * Both stand in handouts/causes.tsv, whose top explains its columns. Some hold for one lab only.
 */
#pragma once

struct cause {
    char *section; /* "lab3.md#barriers"; NULL: none */
    char **hints;  /* from a question to nearly the answer */
    int hint_count;
};

/* Of one class, or topic ("@launch"), in one lab ("lab3"), from the kit whose top folder is `root`.
 * A file that is not there, or says nothing of the class, gives an empty cause. cause_free it. */
struct cause cause_of(const char *root, const char *class, const char *lab);
void cause_free(struct cause *c);
