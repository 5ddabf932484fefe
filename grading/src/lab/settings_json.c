/* settings_json.c: see settings_json.h. */
#include "grading/src/lab/settings_json.h"

#include <jansson.h>
#include <limits.h>
#include <string.h>

bool settings_is_json(const char *file) {
    const size_t n = strlen(file);
    return n > 5 && strcmp(file + n - 5, ".json") == 0;
}

void settings_place(struct text *t, const config_setting_t *s) {
    const config_setting_t *above = config_setting_parent(s);
    if (!above)
        return;
    settings_place(t, above);
    if (config_setting_name(s))
        text_addf(t, "%s%s", t->length > 0 ? "." : "", config_setting_name(s));
    else
        text_addf(t, "[%d]", config_setting_index(s));
}

static bool convert(struct settings_reader *in, config_setting_t *to, const json_t *from);

static int type_of(const json_t *value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT: return CONFIG_TYPE_GROUP;
    case JSON_ARRAY: return CONFIG_TYPE_LIST;
    case JSON_STRING: return CONFIG_TYPE_STRING;
    case JSON_INTEGER:
        return json_integer_value(value) >= INT_MIN && json_integer_value(value) <= INT_MAX
                   ? CONFIG_TYPE_INT
                   : CONFIG_TYPE_INT64;
    case JSON_REAL: return CONFIG_TYPE_FLOAT;
    case JSON_TRUE:
    case JSON_FALSE: return CONFIG_TYPE_BOOL;
    default: return CONFIG_TYPE_NONE;
    }
}

static bool add(struct settings_reader *in, config_setting_t *group, const char *name,
                const json_t *value) {
    const int type = type_of(value);
    config_setting_t *s = type == CONFIG_TYPE_NONE ? NULL : config_setting_add(group, name, type);
    if (!s) {
        struct text clean = {0};
        text_add_clean_line(&clean, name ? name : "", name ? strlen(name) : 0, 60);
        settings_refuse(in, group, "'%s' is %s", text_get(&clean),
                        type == CONFIG_TYPE_NONE ? "null, which no setting may be"
                                                 : "not the name of a setting");
        text_free(&clean);
        return false;
    }
    switch (type) {
    case CONFIG_TYPE_STRING: config_setting_set_string(s, json_string_value(value)); break;
    case CONFIG_TYPE_INT: config_setting_set_int(s, (int)json_integer_value(value)); break;
    case CONFIG_TYPE_INT64: config_setting_set_int64(s, json_integer_value(value)); break;
    case CONFIG_TYPE_FLOAT: config_setting_set_float(s, json_real_value(value)); break;
    case CONFIG_TYPE_BOOL: config_setting_set_bool(s, json_is_true(value)); break;
    default: return convert(in, s, value);
    }
    return true;
}

static bool convert(struct settings_reader *in, config_setting_t *to, const json_t *from) {
    const char *name;
    json_t *value;
    size_t i;
    json_object_foreach((json_t *)from, name, value)
        /* Which schema a file keeps to is for its editor. */
        if (!(config_setting_is_root(to) && strcmp(name, "$schema") == 0) &&
            !add(in, to, name, value)) return false;
    json_array_foreach(from, i, value) if (!add(in, to, NULL, value)) return false;
    return true;
}

bool settings_read_json(struct settings_reader *in, config_t *config) {
    json_error_t error;
    json_t *o = json_load_file(in->file, JSON_REJECT_DUPLICATES, &error);
    bool ok = false;
    if (!o && error.line < 1)
        text_addf(in->why, "cannot read %s", in->file);
    else if (!o)
        text_addf(in->why, "%s:%d: this is not JSON: %s", in->file, error.line, error.text);
    else if (!json_is_object(o))
        text_addf(in->why, "%s: this is not an object, { ... }", in->file);
    else
        ok = convert(in, config_root_setting(config), o);
    json_decref(o);
    return ok;
}
