/*
 * film_page.h: a film as one page: what it needs is in it, and it asks nobody for anything.
 *
 * The page is a template (page.* and page_*.js in this folder, compiled in) with the film's
 * JSON in its middle, and in front of it the moments in words and pictures, for paper and for
 * readers without scripts.
 *
 * Contract: whatever the texts are, they stay texts. In HTML they are escaped; in the JSON every
 * '<' is written \u003c, so that no end of a script can stand there; the scripts put texts into the
 * page as text only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct vg_page_moment {
    const char *title, *text;
    const char *pictures; /* HTML of film_strip.h's; NULL: none */
} vg_page_moment;

/* Text as HTML; what is no UTF-8, or no character that HTML has, becomes U+FFFD. */
void vg_film_put_text(FILE *to, const char *text);

/* Bytes as a JSON string of base64. */
void vg_film_base64(FILE *to, const void *bytes, size_t size);

/* False when the stream failed. */
bool vg_film_page(FILE *to, const char *title, const char *json, size_t len,
                  const vg_page_moment *moments, int count);
