/*
 * spelling.h: names and ids as they are compared.
 *
 * A platform, an unpacker and a spreadsheet write one name in several ways: letters small or large,
 * an accent as a part of its letter or behind it, a blank that does not break, marks that cannot be
 * seen. utf8proc knows Unicode's tables; a grader without it compares what is not ASCII by its
 * bytes. Nothing here is ever shown.
 */
#pragma once

#include <stdbool.h>

/* Whether this grader has Unicode's tables. */
bool spelling_knows_unicode(void);
/* In small letters, composed, without what cannot be seen. The caller frees it. */
char *spelling_folded(const char *s);
/* The same, of which only letters and digits are left: "SIS User ID" and "sis_user_id" are one
 * heading. */
char *spelling_squeezed(const char *s);
