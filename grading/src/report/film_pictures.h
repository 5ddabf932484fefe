/*
 * film_pictures.h: the pictures of a recording's moments, for paper and for readers without
 * scripts (vgpu/src/film/film_strip.h).
 */
#pragma once

#include <jansson.h>

/* The pictures of the moments that `film` has, as HTML: a list of as many as there are, each and
 * the list to be freed. NULL in it: that moment has none. */
char **film_pictures(const json_t *film);
