/* sealed.c: see sealed.h. */
#include "grading/src/sealed.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#if __has_include(<crypt.h>)
#include <crypt.h>
#define HAVE_CRYPT 1
#endif

enum { PHRASE = 256 };

/* "key:answer", of the answer only letters and digits, in small letters. */
static void phrase(char text[PHRASE], const char *key, const char *answer) {
    size_t at = (size_t)snprintf(text, PHRASE, "%.60s:", key);
    for (; *answer && at + 1 < PHRASE; answer++)
        if (isalnum((unsigned char)*answer))
            text[at++] = (char)tolower((unsigned char)*answer);
    text[at] = '\0';
}

#ifdef HAVE_CRYPT

enum sealed_state sealed_check(const char *key, const char *answer, const char *const *hashes) {
    char text[PHRASE];
    enum sealed_state state = SEALED_WRONG;
    phrase(text, key, answer);
    for (size_t i = 0; hashes[i]; i++) {
        static struct crypt_data data; /* 32 KB: too large for a stack of a thread */
        memset(&data, 0, sizeof data);
        const char *hash = crypt_r(text, hashes[i], &data);
        if (!hash || hash[0] == '*')
            return SEALED_CANNOT;
        if (strcmp(hash, hashes[i]) == 0)
            state = SEALED_RIGHT;
    }
    return state;
}

bool sealed_make(const char *key, const char *answer, char hash[SEALED_HASH]) {
    char text[PHRASE], salt[CRYPT_GENSALT_OUTPUT_SIZE];
    static struct crypt_data data;
    phrase(text, key, answer);
    /* 7: some 64 MB and a tenth of a second. */
    if (!crypt_gensalt_rn("$y$", 7, NULL, 0, salt, sizeof salt))
        return false;
    memset(&data, 0, sizeof data);
    const char *made = crypt_r(text, salt, &data);
    if (!made || made[0] == '*')
        return false;
    snprintf(hash, SEALED_HASH, "%s", made);
    return true;
}

#else

enum sealed_state sealed_check(const char *key, const char *answer, const char *const *hashes) {
    char text[PHRASE];
    phrase(text, key, answer);
    (void)hashes;
    return SEALED_CANNOT;
}

bool sealed_make(const char *key, const char *answer, char hash[SEALED_HASH]) {
    (void)key, (void)answer;
    hash[0] = '\0';
    return false;
}

#endif
