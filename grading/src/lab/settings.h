/*
 * settings.h: reads the files that describe labs, and refuses what is not exactly right.
 *
 * A lab's descriptor (labs.h), its rubric (rubric.h) and hidden cases are written for libconfig.
 * Everything here refuses with the file, the line, what was found and what was expected, and the
 * first reason counts. docs/labs.md describes the format for instructors.
 */
#pragma once

#include "grading/src/base/text.h"

#include <libconfig.h>
#include <stdbool.h>

struct lab_spec;
struct rubric;

/* One file being read, and what it is read into. */
struct settings_reader {
    struct rubric *r;     /* NULL when only the lab is of interest */
    struct lab_spec *lab; /* NULL when it is the rubric's */
    const char *file;
    struct text *why; /* empty as long as all is well */
};

/* Reads the file and has `read` understand it. False: `why` says file, line and reason. */
bool settings_read(struct settings_reader *in,
                   bool (*read)(struct settings_reader *in, const config_setting_t *root));

/* The settings `format` and `lab` that every file has. */
bool settings_head(struct settings_reader *in, const config_setting_t *root, const char *lab);

/* Refuses the file, for a reason at a setting's line. Always false; the first reason counts. */
__attribute__((format(printf, 3, 4))) bool
settings_refuse(struct settings_reader *in, const config_setting_t *at, const char *format, ...);

/* "a whole number", "text" ... */
const char *settings_type_name(const config_setting_t *s);
bool settings_is_list(const config_setting_t *s);

/* Refuses keys that nobody would read: a misspelt one must not be skipped in silence. */
bool settings_only_keys(struct settings_reader *in, const config_setting_t *group,
                        const char *const *known);

/* The setting of this name; refuses the group when it is not there. */
config_setting_t *settings_need(struct settings_reader *in, const config_setting_t *group,
                                const char *name);
const char *settings_need_text(struct settings_reader *in, const config_setting_t *group,
                               const char *name);
bool settings_get_int(struct settings_reader *in, const config_setting_t *s, const char *name,
                      int low, int high, int *value);
/* A whole number from -most to most, and not 0. */
bool settings_get_factor(struct settings_reader *in, const config_setting_t *s, const char *name,
                         int most, int *value);
/* Any finite number, whole or not. */
bool settings_get_number(struct settings_reader *in, const config_setting_t *s, const char *name,
                         double *value);
bool settings_need_int(struct settings_reader *in, const config_setting_t *group, const char *name,
                       int low, int high, int *value);

/* One of several words: its number, or -1 and a reason that lists them all. */
int settings_need_word(struct settings_reader *in, const config_setting_t *group, const char *name,
                       const char *const *words, int count);
#define SETTINGS_NEED_WORD(in, group, name, words)                                                 \
    settings_need_word(in, group, name, words, (int)(sizeof(words) / sizeof *(words)))
