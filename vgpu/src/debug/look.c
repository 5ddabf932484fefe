/* look.c: what the person looks at: values, memory, lines of source, frames. */
#include "vgpu/src/debug/back.h"
#include "vgpu/src/debug/parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- values ---- */

static bool read_format(vg_debug *d, const char *format, char *to) {
    *to = format[0];
    if (format[0] != '\0' && (format[1] != '\0' || strchr("xduotcf", format[0]) == NULL)) {
        dbg_wrong(d, "expected one of the formats /x /d /u /o /t /c /f, found /%s", format);
        return false;
    }
    return true;
}

void dbg_do_print(vg_debug *d, const char *format, const char *args) {
    char how = 0, why[DBG_ERROR];
    if (!dbg_is_held(d) || !read_format(d, format, &how))
        return;
    const dbg_env env = dbg_here(d);
    dbg_value v;
    if (args[0] == '\0') {
        dbg_wrong(d, "expected an expression: print sum");
    } else if (!dbg_eval(&env, args, &v, why)) {
        dbg_wrong(d, "%s", why);
    } else {
        fprintf(d->out, "%s = ", args);
        dbg_write(&env.memory, &v, how, d->out);
        fputc('\n', d->out);
    }
}

void dbg_keep_change(vg_debug *d, const dbg_value *v) {
    const dbg_env env = dbg_here(d);
    dbg_value same = *v;
    uint8_t bytes[8];
    const uint32_t size = dbg_stored(&env.memory, &same, bytes);
    dbg_back_changed(d, v->at, bytes, size);
}

void dbg_do_set(vg_debug *d, const char *args) {
    char why[DBG_ERROR];
    dbg_value v;
    if (strncmp(args, "var", 3) != 0 || !isspace((unsigned char)args[3])) {
        dbg_wrong(d, "expected set var PLACE = VALUE");
        return;
    }
    const dbg_env env = dbg_here(d);
    if (!dbg_is_held(d))
        return;
    if (!dbg_assign(&env, args + 4, &v, why)) {
        dbg_wrong(d, "%s", why);
        return;
    }
    dbg_keep_change(d, &v);
}

/* x/8f: count and format. */
void dbg_do_examine(vg_debug *d, const char *format, const char *args) {
    char how = 0, why[DBG_ERROR], *end = NULL;
    const unsigned long count = strtoul(format, &end, 10);
    dbg_value v;
    if (!dbg_is_held(d) || !read_format(d, end, &how))
        return;
    if (count > DBG_EXAMINED) {
        dbg_wrong(d, "x shows %d numbers at most", DBG_EXAMINED);
        return;
    }
    const dbg_env env = dbg_here(d);
    if (!dbg_eval(&env, args, &v, why)) {
        dbg_wrong(d, "%s", why);
        return;
    }
    char address[DBG_COMMAND];
    snprintf(address, sizeof address, "&(%.500s)[0]", args);
    if (v.var != NULL && !dbg_eval(&env, address, &v, why)) {
        dbg_wrong(d, "%s", why);
        return;
    }
    dbg_type to = v.type.stars > 0 ? dbg_pointee(&v.type) : v.type;
    snprintf(address, sizeof address, "&(%.500s)[0][0]", args);
    if (v.type.stars == 1 && dbg_size_of(&to) == 0) /* a row, as tile[][16] has them */
        (void)dbg_eval(&env, address, &v, why);
    dbg_type t = v.type.stars > 0 ? dbg_pointee(&v.type) : dbg_int_type();
    if (v.type.stars == 0 || dbg_size_of(&t) == 0) {
        dbg_wrong(d, "expected a pointer to numbers: x/8f ptr");
        return;
    }
    for (unsigned long i = 0; i < (count == 0 ? 1 : count); i++) {
        uint8_t bytes[8] = {0};
        const uint64_t at = v.u + i * dbg_size_of(&t);
        if (i % 4 == 0)
            fprintf(d->out, "%s0x%" PRIx64 ":", i > 0 ? "\n" : "", at);
        if (!env.memory.read(env.memory.self, at, bytes, dbg_size_of(&t))) {
            fputs("  nothing can be read here", d->out);
            break;
        }
        const dbg_value e = dbg_from_bytes(&t, bytes);
        fputs("  ", d->out);
        dbg_write(&env.memory, &e, how, d->out);
    }
    fputc('\n', d->out);
}

void dbg_show_displays(vg_debug *d) {
    const dbg_env env = dbg_here(d);
    for (int i = 0; i < DBG_DISPLAYS; i++) {
        char why[DBG_ERROR];
        dbg_value v;
        if (d->display[i] == NULL)
            continue;
        fprintf(d->out, "%d: %s = ", i + 1, d->display[i]);
        if (dbg_eval(&env, d->display[i], &v, why))
            dbg_write(&env.memory, &v, 0, d->out);
        else
            fprintf(d->out, "<%s>", why);
        fputc('\n', d->out);
    }
}

void dbg_do_display(vg_debug *d, const char *args) {
    int i = 0;
    while (i < DBG_DISPLAYS && d->display[i] != NULL)
        i++;
    if (args[0] == '\0') {
        dbg_show_displays(d);
    } else if (i == DBG_DISPLAYS) {
        dbg_wrong(d, "%d expressions are displayed, and no more can be", DBG_DISPLAYS);
    } else {
        d->display[i] = strdup(args);
        if (d->warp != NULL)
            dbg_do_print(d, "", args);
        dbg_tell_kept(d);
    }
}

void dbg_do_undisplay(vg_debug *d, const char *args) {
    const int n = atoi(args);
    for (int i = 0; i < DBG_DISPLAYS; i++) {
        if (n == 0 || n == i + 1) {
            free(d->display[i]);
            d->display[i] = NULL;
        }
    }
    dbg_tell_kept(d);
}

/* ---- source ---- */

const char *dbg_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

const vg_source *dbg_source(const vg_debug *d, int file) {
    return d->names != NULL ? vg_names_source(d->names, file) : NULL;
}

/* Where a line of the source begins; NULL: it has not so many. */
static const char *line_at(const vg_source *s, int line, size_t *len) {
    const char *at = s->text, *end = s->text + s->len;
    for (int n = 1; at < end; n++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline != NULL ? newline : end;
        *len = (size_t)(stop - at);
        if (n == line)
            return at;
        at = stop + 1;
    }
    return NULL;
}

void dbg_write_line(vg_debug *d, const vg_source *s, int line) {
    size_t len = 0;
    const char *at = line_at(s, line, &len);
    if (at != NULL)
        fprintf(d->out, "%d\t%.*s\n", line, (int)len, at);
}

static const vg_source *first_source(const vg_debug *d) {
    for (int m = 0; m < d->num_modules; m++)
        if (d->module[m]->num_sources > 0)
            return &d->module[m]->sources[0];
    return NULL;
}

static int line_of_function(const vg_debug *d, const char *name) {
    for (int m = 0; m < d->num_modules; m++)
        for (int i = 1; i < d->module[m]->num_funcs; i++)
            if (vg_name_fits(d->module[m]->funcs[i].name, name, "") != 0)
                return d->module[m]->funcs[i].line;
    return 0;
}

void dbg_do_list(vg_debug *d, const char *args) {
    const vg_frame *f = d->num_frames > 0 ? &d->frame[d->selected] : NULL;
    const vg_source *s = f != NULL ? dbg_source(d, f->file) : first_source(d);
    size_t len;
    int from = d->list_line > 0 ? d->list_line : f != NULL && f->line > 5 ? f->line - 5 : 1;
    const int asked =
        isdigit((unsigned char)args[0]) ? dbg_number(args) : line_of_function(d, args);
    if (args[0] != '\0' && asked <= 0) {
        dbg_wrong(d, "expected a line's number or a function, found \"%s\"", args);
        return;
    }
    if (asked > 0)
        from = asked > 5 ? asked - 5 : 1;
    if (s == NULL || line_at(s, from, &len) == NULL) {
        dbg_wrong(d, "there are no more lines");
        return;
    }
    for (int i = from; i < from + 10; i++)
        dbg_write_line(d, s, i);
    d->list_line = from + 10;
}

/* ---- frames ---- */

static void write_arguments(vg_debug *d, int number) {
    const vg_frame *f = &d->frame[number];
    const int selected = d->selected;
    const char *parting = "";
    d->selected = number;
    const dbg_env env = dbg_here(d);
    fputc('(', d->out);
    for (int i = 0; f->func != NULL && i < f->func->num_vars; i++) {
        const vg_named_var *v = &f->func->vars[i];
        dbg_value value;
        char why[DBG_ERROR];
        if (!v->parameter)
            continue;
        fprintf(d->out, "%s%s=", parting, v->name);
        if (dbg_eval(&env, v->name, &value, why))
            dbg_write(&env.memory, &value, 0, d->out);
        else
            fputs("?", d->out);
        parting = ", ";
    }
    fputc(')', d->out);
    d->selected = selected;
}

static void write_frame(vg_debug *d, int number) {
    const vg_frame *f = &d->frame[number];
    const vg_source *s = dbg_source(d, f->file);
    fprintf(d->out, "#%d  %s ", number, f->func != NULL ? f->func->name : f->code->func->name);
    write_arguments(d, number);
    if (s != NULL)
        fprintf(d->out, " at %s:%d", dbg_base(s->path), number == 0 ? d->at.line : f->line);
    fputc('\n', d->out);
}

void dbg_do_backtrace(vg_debug *d) {
    for (int i = 0; dbg_is_held(d) && i < d->num_frames; i++)
        write_frame(d, i);
    if (d->depth > d->num_frames)
        fprintf(d->out, "    and %d more, of which the kernel is the last\n",
                d->depth - d->num_frames);
    else if (d->num_frames > 0 && d->frame[d->num_frames - 1].code->return_row != 0)
        fputs("    who called it is not known: the kernel has written over its stack\n", d->out);
}

void dbg_do_frame(vg_debug *d, const char *args, int by) {
    const int to = by != 0 ? d->selected + by : args[0] != '\0' ? dbg_number(args) : d->selected;
    if (!dbg_is_held(d))
        return;
    if (to < 0 || to >= d->num_frames) {
        dbg_wrong(d, "there are the frames 0 to %d: backtrace lists them", d->num_frames - 1);
        return;
    }
    d->selected = to;
    d->list_line = 0;
    write_frame(d, to);
    const vg_frame *f = &d->frame[to];
    const vg_source *s = dbg_source(d, f->file);
    if (s != NULL)
        dbg_write_line(d, s, to == 0 ? d->at.line : f->line);
}
