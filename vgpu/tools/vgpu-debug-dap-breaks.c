/*
 * vgpu-debug-dap-breaks.c: breakpoints of an editor's adapter. The client's are kept here, so that
 * a program that is started anew gets them, too.
 */
#include "vgpu/src/debug/asked.h"
#include "vgpu/tools/vgpu-debug-dap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A field of a question: one line. */
static const char *line_of(const char *text, char *to, size_t len) {
    snprintf(to, len, "%s", text);
    for (char *at = to; *at != '\0'; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    return to;
}

enum { FIELD = 2048 };

/* ---- giving them to the program ---- */

static json_t *body_of(const dap_break *b, bool verified, const char *message) {
    json_t *body = json_pack("{s:i, s:b}", "id", b->id, "verified", verified);
    if (message != NULL)
        json_object_set_new(body, "message", json_string(message));
    return body;
}

static json_t *ask_for(dap *d, const dap_break *b) {
    char condition[FIELD], hits[FIELD], message[FIELD], name[FIELD];
    const int64_t line = dap_number(b->spec, "line", 0) + d->line_from_0;
    line_of(dap_text(b->spec, "condition"), condition, sizeof condition);
    line_of(dap_text(b->spec, "hitCondition"), hits, sizeof hits);
    line_of(dap_text(b->spec, "logMessage"), message, sizeof message);
    if (b->kind == 'd')
        return dap_ask(d, "watch\n%s\n%s\n%s\n",
                       line_of(dap_text(b->spec, "dataId"), name, sizeof name), condition, hits);
    if (b->kind == 'f')
        return dap_ask(d, "break\n%s\n%s\n%s\n",
                       line_of(dap_text(b->spec, "name"), name, sizeof name), condition, hits);
    return dap_ask(d, "break\n%s:%lld\n%s\n%s\n%s",
                   line_of(dap_own_path(d, b->source), name, FIELD), (long long)line, condition,
                   hits, message);
}

/* Gives the program one of them; the Breakpoint that the client is told. */
static json_t *give(dap *d, dap_break *b) {
    b->number = 0;
    if (d->state != DAP_HELD)
        return body_of(b, false, "The program does not run yet.");
    if (b->kind == 's' && dap_own_path(d, b->source) == NULL)
        return body_of(b, false, "No kernel of the program comes from this file.");
    json_t *answer = ask_for(d, b);
    const char *wrong = dap_wrong(answer);
    json_t *body = body_of(b, wrong == NULL, wrong);
    if (wrong == NULL) {
        b->number = (int)dap_number(answer, "number", 0);
        if (b->kind == 's')
            json_object_set_new(body, "line",
                                json_integer(dap_number(answer, "line", 1) - d->line_from_0));
    }
    json_decref(answer);
    return body;
}

static bool add(dap *d, char kind, const char *source, json_t *spec, json_t *bodies) {
    dap_break *more = realloc(d->breaks, (size_t)(d->num_breaks + 1) * sizeof *more);
    if (more == NULL)
        return false;
    d->breaks = more;
    dap_break *b = &d->breaks[d->num_breaks];
    *b = (dap_break){.kind = kind, .id = ++d->last_id, .spec = json_incref(spec)};
    b->source = strdup(source);
    d->num_breaks += b->source != NULL;
    if (b->source != NULL)
        json_array_append_new(bodies, give(d, b));
    return b->source != NULL;
}

/* All of a kind; of lines, those of one source. */
static void take_away(dap *d, char kind, const char *source) {
    int kept = 0;
    for (int i = 0; i < d->num_breaks; i++) {
        dap_break *b = &d->breaks[i];
        if (b->kind != kind || strcmp(b->source, source) != 0) {
            d->breaks[kept++] = *b;
            continue;
        }
        if (b->number > 0)
            json_decref(dap_ask(d, "delete\n%d", b->number));
        json_decref(b->spec);
        free(b->source);
    }
    d->num_breaks = kept;
}

void dap_set_breaks(dap *d, const json_t *request, char kind) {
    const json_t *a = dap_arguments(request), *from = json_object_get(a, "source");
    const char *source = kind == 's' ? dap_text(from, "path") : "";
    const int64_t text_of = dap_number(from, "sourceReference", 0);
    if (kind == 's' && source[0] == '\0' && text_of > 0)
        source = dap_text(json_array_get(d->sources, (size_t)text_of - 1), "path");
    if (kind == 's' && source[0] == '\0') {
        dap_refuse(d, request, "setBreakpoints needs the path of a source");
        return;
    }
    json_t *bodies = json_array();
    char *name = strdup(source);
    const json_t *list = json_object_get(a, "breakpoints");
    for (size_t i = 0; name != NULL && i <= json_array_size(list); i++) {
        if (i == 0)
            take_away(d, kind, name);
        if (i < json_array_size(list) && !add(d, kind, name, json_array_get(list, i), bodies))
            break;
    }
    free(name);
    dap_respond(d, request, json_pack("{s:o}", "breakpoints", bodies));
}

void dap_add_breaks(dap *d) {
    json_decref(dap_ask(d, "ignore\n%u", d->ignored));
    for (int i = 0; i < d->num_breaks; i++) {
        json_t *body = give(d, &d->breaks[i]);
        dap_event(d, "breakpoint",
                  json_pack("{s:s, s:o}", "reason", "changed", "breakpoint", body));
    }
}

void dap_forget_numbers(dap *d) {
    for (int i = 0; i < d->num_breaks; i++)
        d->breaks[i].number = 0;
}

int dap_break_id(const dap *d, int64_t number) {
    for (int i = 0; i < d->num_breaks; i++)
        if (number > 0 && d->breaks[i].number == number)
            return d->breaks[i].id;
    return 0;
}

void dap_break_told(dap *d, const json_t *fact) {
    const int64_t number = dap_number(fact, "number", 0);
    const bool gone = strcmp(dap_text(fact, "fact"), "gone") == 0;
    for (int i = 0; i < d->num_breaks; i++) {
        dap_break *b = &d->breaks[i];
        if (number <= 0 || b->number != number)
            continue;
        json_t *body = body_of(b, !gone, gone ? "Its thread or its block has ended." : NULL);
        if (gone)
            b->number = 0;
        else if (b->kind == 's')
            json_object_set_new(body, "line",
                                json_integer(dap_number(fact, "line", 1) - d->line_from_0));
        dap_event(d, "breakpoint",
                  json_pack("{s:s, s:o}", "reason", "changed", "breakpoint", body));
    }
}

/* ---- what holds without one ---- */

static const struct {
    const char *name;
    uint32_t bit;
} filters[] = {{"fault", DBG_FAULTS}, {"race", DBG_RACES}, {"uninitialised", DBG_UNWRITTEN}};

void dap_set_exceptions(dap *d, const json_t *request) {
    const json_t *list = json_object_get(dap_arguments(request), "filters");
    d->ignored = 0;
    for (size_t f = 0; f < sizeof filters / sizeof *filters; f++) {
        bool wanted = false;
        for (size_t i = 0; i < json_array_size(list); i++) {
            const char *name = json_string_value(json_array_get(list, i));
            wanted = wanted || (name != NULL && strcmp(name, filters[f].name) == 0);
        }
        d->ignored |= wanted ? 0 : filters[f].bit;
    }
    if (d->state == DAP_HELD)
        json_decref(dap_ask(d, "ignore\n%u", d->ignored));
    dap_respond(d, request, NULL);
}

/* ---- data ---- */

void dap_data_info(dap *d, const json_t *request) {
    const json_t *a = dap_arguments(request);
    char name[FIELD], of[FIELD] = "";
    dap_who who = dap_who_of(dap_number(a, "frameId", 0));
    const int64_t number = dap_number(a, "variablesReference", 0);
    const dap_reference *r = number > 0 ? dap_reference_of(d, number) : NULL;
    if (number > 0 && r == NULL) {
        dap_refuse(d, request, "there is no container of variables %lld now", (long long)number);
        return;
    }
    if (r != NULL) {
        who = (dap_who){r->warp, r->lane, r->frame};
        line_of(r->kind == 'p' ? r->text : "", of, sizeof of);
    }
    line_of(dap_text(a, "name"), name, sizeof name);
    json_t *answer =
        dap_ask(d, "watchable\n%d\n%d\n%d\n%s\n%s", who.warp, who.lane, who.frame, of, name);
    const char *wrong = dap_wrong(answer);
    if (wrong != NULL)
        dap_respond(d, request, json_pack("{s:n, s:s}", "dataId", "description", wrong));
    else
        dap_respond(d, request,
                    json_pack("{s:s, s:s, s:[s], s:b}", "dataId", dap_text(answer, "id"),
                              "description", name, "accessTypes", "write", "canPersist", false));
    json_decref(answer);
}
