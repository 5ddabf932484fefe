/*
 * settings_json.h: a file that describes a lab, written as JSON, for whoever makes one by program.
 *
 * The words are those of the other files (docs/labs.md); objects are their groups, arrays their
 * lists. JSON's reader keeps no lines: what is refused later is told with its place, as in
 * checks[1].limits[0]. Refused here is what is no JSON, and values that no setting can have.
 */
#pragma once

#include "grading/src/lab/settings.h"

/* Is this file's name one of JSON? */
bool settings_is_json(const char *file);

/* Reads the file into `config`. False: in->why says what is wrong. */
bool settings_read_json(struct settings_reader *in, config_t *config);

/* Appends the place of a setting. */
void settings_place(struct text *t, const config_setting_t *s);
