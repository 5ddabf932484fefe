/* spelling.c: names and ids as they are compared (see spelling.h). */
#include "grading/src/batch/spelling.h"

#include "grading/src/base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_UTF8PROC
#include <utf8proc.h>
#endif

bool spelling_knows_unicode(void) {
#ifdef HAVE_UTF8PROC
    return true;
#else
    return false;
#endif
}

/* By Unicode's rules (NFKC_Casefold); NULL: it is no UTF-8, or there are no tables. */
static char *unicode(const char *s) {
#ifdef HAVE_UTF8PROC
    utf8proc_uint8_t *folded = NULL;
    const utf8proc_option_t how = UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE |
                                  UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    return utf8proc_map((const utf8proc_uint8_t *)s, 0, &folded, how) < 0 ? NULL : (char *)folded;
#else
    (void)s;
    return NULL;
#endif
}

char *spelling_folded(const char *s) {
    char *folded = unicode(s);
    if (folded)
        return folded;
    folded = xstrdup(s);
    for (char *c = folded; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return folded;
}

/* The bytes of the character at s, and whether it is a letter, a digit or an accent. */
static size_t character(const char *s, bool *counts) {
    *counts = isalnum((unsigned char)*s) || (unsigned char)*s >= 0x80;
#ifdef HAVE_UTF8PROC
    utf8proc_int32_t code;
    const utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s, -1, &code);
    if (n > 0) {
        const utf8proc_category_t is = utf8proc_category(code);
        *counts = is >= UTF8PROC_CATEGORY_LU && is <= UTF8PROC_CATEGORY_NO;
        return (size_t)n;
    }
#endif
    return 1;
}

char *spelling_squeezed(const char *s) {
    char *folded = spelling_folded(s), *to = folded;
    bool counts;
    for (const char *from = folded; *from;) {
        const size_t n = character(from, &counts);
        if (counts) {
            memmove(to, from, n);
            to += n;
        }
        from += n;
    }
    *to = '\0';
    return folded;
}
