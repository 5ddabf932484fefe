/* settings.c: see settings.h. */
#include "grading/src/lab/settings.h"

#include "grading/src/lab/settings_json.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT 1

/* Refuses the file, for a reason at a setting's line. Always false; the first reason counts. */
bool settings_refuse(struct settings_reader *in, const config_setting_t *at, const char *format,
                     ...) {
    if (in->why->length > 0)
        return false;
    va_list args;
    va_start(args, format);
    char *reason = xvasprintf(format, args);
    va_end(args);
    /* None: the file as a whole, or a file that keeps no lines. */
    const unsigned line = at ? config_setting_source_line(at) : 0;
    struct text place = {0};
    if (line > 0)
        text_addf(&place, "%u", line);
    else if (at)
        settings_place(&place, at);
    text_addf(in->why, place.length > 0 ? "%s:%s: " : "%s%s: ", in->file, text_get(&place));
    text_add(in->why, reason);
    text_free(&place);
    free(reason);
    return false;
}

const char *settings_type_name(const config_setting_t *s) {
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64: return "a whole number";
    case CONFIG_TYPE_FLOAT: return "a number";
    case CONFIG_TYPE_STRING: return "text";
    case CONFIG_TYPE_BOOL: return "true or false";
    case CONFIG_TYPE_ARRAY:
    case CONFIG_TYPE_LIST: return "a list";
    case CONFIG_TYPE_GROUP: return "a group";
    default: return "nothing";
    }
}

bool settings_is_list(const config_setting_t *s) {
    return config_setting_is_list(s) || config_setting_is_array(s);
}

/* Refuses keys that nobody would read: a misspelt one must not be skipped in silence. */
bool settings_only_keys(struct settings_reader *in, const config_setting_t *group,
                        const char *const *known) {
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        const char *name = config_setting_name(s);
        bool found = false;
        struct text all = {0};
        for (const char *const *k = known; *k; k++) {
            found = found || strcmp(*k, name) == 0;
            text_addf(&all, "%s%s", all.length ? ", " : "", *k);
        }
        if (!found)
            settings_refuse(in, s, "unknown setting '%s'; here there may be %s", name,
                            text_get(&all));
        text_free(&all);
        if (!found)
            return false;
    }
    return true;
}

/* The setting of this name; refuses the group when it is not there. */
config_setting_t *settings_need(struct settings_reader *in, const config_setting_t *group,
                                const char *name) {
    config_setting_t *s = config_setting_get_member(group, name);
    if (!s)
        settings_refuse(in, group, "'%s' is missing", name);
    return s;
}

const char *settings_need_text(struct settings_reader *in, const config_setting_t *group,
                               const char *name) {
    const config_setting_t *s = settings_need(in, group, name);
    const char *value = s ? config_setting_get_string(s) : NULL;
    if (s && (!value || !*value))
        settings_refuse(in, s, "'%s' must be text, not %s", name,
                        value ? "empty" : settings_type_name(s));
    return value && *value ? value : NULL;
}

bool settings_get_int(struct settings_reader *in, const config_setting_t *s, const char *name,
                      int low, int high, int *value) {
    if (config_setting_type(s) != CONFIG_TYPE_INT)
        return settings_refuse(in, s, "'%s' must be a whole number, not %s", name,
                               settings_type_name(s));
    *value = config_setting_get_int(s);
    if (*value < low || *value > high)
        return settings_refuse(in, s, "'%s' is %d; it must be from %d to %d", name, *value, low,
                               high);
    return true;
}

bool settings_get_factor(struct settings_reader *in, const config_setting_t *s, const char *name,
                         int most, int *value) {
    return settings_get_int(in, s, name, -most, most, value) &&
           (*value != 0 || settings_refuse(in, s, "'%s' must not be 0", name));
}

bool settings_get_number(struct settings_reader *in, const config_setting_t *s, const char *name,
                         double *value) {
    if (!config_setting_is_number(s))
        return settings_refuse(in, s, "'%s' must be a number, not %s", name, settings_type_name(s));
    *value = config_setting_type(s) == CONFIG_TYPE_FLOAT ? config_setting_get_float(s)
                                                         : (double)config_setting_get_int64(s);
    return isfinite(*value) ||
           settings_refuse(in, s, "'%s' is larger than any number: it must be finite", name);
}

bool settings_need_int(struct settings_reader *in, const config_setting_t *group, const char *name,
                       int low, int high, int *value) {
    const config_setting_t *s = settings_need(in, group, name);
    return s && settings_get_int(in, s, name, low, high, value);
}

/* One of several words: its number, or -1 and a reason that lists them all. */
int settings_need_word(struct settings_reader *in, const config_setting_t *group, const char *name,
                       const char *const *words, int count) {
    const char *value = settings_need_text(in, group, name);
    if (!value)
        return -1;
    struct text all = {0};
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], value) == 0) {
            text_free(&all);
            return i;
        }
        text_addf(&all, "%s\"%s\"", i ? ", " : "", words[i]);
    }
    settings_refuse(in, config_setting_get_member(group, name),
                    "'%s' is \"%s\"; it must be one of %s", name, value, text_get(&all));
    text_free(&all);
    return -1;
}

bool settings_head(struct settings_reader *in, const config_setting_t *root, const char *lab) {
    int format;
    const char *is = settings_need_int(in, root, "format", FORMAT, FORMAT, &format)
                         ? settings_need_text(in, root, "lab")
                         : NULL;
    if (is && strcmp(is, lab) != 0)
        return settings_refuse(in, config_setting_get_member(root, "lab"),
                               "this is for %s, not for %s", is, lab);
    return is != NULL;
}

bool settings_read(struct settings_reader *in,
                   bool (*read)(struct settings_reader *in, const config_setting_t *root)) {
    config_t config;
    config_init(&config);
    const bool json = settings_is_json(in->file);
    bool ok =
        json ? settings_read_json(in, &config) : config_read_file(&config, in->file) == CONFIG_TRUE;
    if (!ok && json)
        ; /* it is said why */
    else if (!ok && config_error_type(&config) == CONFIG_ERR_FILE_IO)
        text_addf(in->why, "cannot read %s", in->file);
    else if (!ok)
        text_addf(in->why, "%s:%d: %s", in->file, config_error_line(&config),
                  config_error_text(&config));
    else if (config_setting_length(config_root_setting(&config)) == 0)
        ok = settings_refuse(
            in, NULL, "there is no setting in it; it begins with format = %d; lab = ...", FORMAT);
    else
        ok = read(in, config_root_setting(&config));
    config_destroy(&config);
    return ok;
}
