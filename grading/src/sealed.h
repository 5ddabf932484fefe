/*
 * sealed.h: answers that are stored as salted, slow hashes (yescrypt, by the system's crypt).
 *
 * What that is worth: the file does not show the answer, and looking at it by accident or with
 * `strings` gives nothing away. It keeps nobody out who writes a program: a line number of a
 * listing has some fifteen possible values, and fifteen hashes of a tenth of a second are quick. A
 * slow hash only helps where the possibilities are many. Whoever can write that program could
 * answer the question; and who asks it shows in no mark that counts. See docs/answers.md.
 */
#ifndef GRADING_SEALED_H
#define GRADING_SEALED_H

#include <stdbool.h>

enum sealed_state { SEALED_RIGHT, SEALED_WRONG, SEALED_CANNOT };

/* Is hash(key, answer) in the list? Of the answer letters and digits count,
 * not their case. SEALED_CANNOT:
 * this system's crypt does not know the hash. */
enum sealed_state sealed_check(const char *key, const char *answer, const char *const *hashes);

/* A new hash for the table; for instructors. False when crypt cannot. */
enum { SEALED_HASH = 384 };
bool sealed_make(const char *key, const char *answer, char hash[SEALED_HASH]);

#endif
