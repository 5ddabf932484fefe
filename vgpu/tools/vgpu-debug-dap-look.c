/*
 * vgpu-debug-dap-look.c: what an editor shows of a program that is held. A thread of the protocol
 * is a warp of the block that runs, so there are 32 at most however large the grid is; the lanes of
 * a warp are a scope of its frames. Ids of frames say whose they are; variablesReferences count
 * until the program goes on.
 */
#include "vgpu/tools/vgpu-debug-dap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frames of what the checkers found stand for no thread. */
enum { FOUND_FRAME = 1 << 20 };

dap_who dap_who_of(int64_t frame_id) {
    if (frame_id <= 0 || frame_id >= FOUND_FRAME)
        return (dap_who){-1, -1, 0};
    const int64_t n = frame_id - 1;
    return (dap_who){(int)(n / DAP_ID_FRAMES / DAP_ID_LANES),
                     (int)(n / DAP_ID_FRAMES % DAP_ID_LANES), (int)(n % DAP_ID_FRAMES)};
}

static int64_t frame_id(int64_t warp, int64_t lane, int64_t frame) {
    return 1 + (warp * DAP_ID_LANES + lane) * DAP_ID_FRAMES + frame;
}

int64_t dap_thread_of_warp(int64_t warp) {
    return warp + 1;
}

/* The lane that a warp is looked at by: the one in focus; -1: any. */
static int64_t lane_of(const dap *d, int64_t warp) {
    return d->held != NULL && dap_number(d->held, "warp", -1) == warp
               ? dap_number(d->held, "lane", -1)
               : -1;
}

/* ---- threads and frames ---- */

static json_t *lone_thread(const char *name) {
    return json_pack("{s:[{s:i, s:s}]}", "threads", "id", 1, "name", name);
}

void dap_threads(dap *d, const json_t *request) {
    json_t *answer = d->held != NULL ? dap_ask(d, "threads") : NULL;
    if (dap_wrong(answer) != NULL) {
        json_decref(answer);
        dap_respond(d, request,
                    lone_thread(d->found != NULL ? "what was found in the kernel" : "the program"));
        return;
    }
    json_t *list = json_array();
    const json_t *warps = json_object_get(answer, "warps");
    for (size_t i = 0; i < json_array_size(warps); i++) {
        const json_t *w = json_array_get(warps, i);
        char name[300];
        snprintf(name, sizeof name, "block %.60s, warp %lld: threads %.60s to %.60s",
                 dap_text(answer, "block"), (long long)dap_number(w, "warp", 0),
                 dap_text(w, "first"), dap_text(w, "last"));
        json_array_append_new(list,
                              json_pack("{s:I, s:s}", "id",
                                        (json_int_t)dap_thread_of_warp(dap_number(w, "warp", 0)),
                                        "name", name));
    }
    json_decref(answer);
    dap_respond(d, request, json_pack("{s:o}", "threads", list));
}

static json_t *frame_of(dap *d, int64_t id, const char *name, const char *own, int64_t line) {
    json_t *f = json_pack("{s:I, s:s, s:I, s:i}", "id", (json_int_t)id, "name", name, "line",
                          (json_int_t)(line > 0 ? line - d->line_from_0 : 0), "column",
                          d->line_from_0 ? 0 : 1);
    json_t *source = dap_source(d, own);
    if (source != NULL)
        json_object_set_new(f, "source", source);
    else
        json_object_set_new(f, "presentationHint", json_string("subtle"));
    return f;
}

/* Takes from a list what a client wants to see of it. */
static void respond_frames(dap *d, const json_t *request, json_t *all) {
    const json_t *a = dap_arguments(request);
    const int64_t start = dap_number(a, "startFrame", 0), levels = dap_number(a, "levels", 0);
    const int64_t total = (int64_t)json_array_size(all);
    json_t *some = json_array();
    for (int64_t i = start > 0 ? start : 0; i < total && (levels <= 0 || i - start < levels); i++)
        json_array_append(some, json_array_get(all, (size_t)i));
    json_decref(all);
    dap_respond(d, request,
                json_pack("{s:o, s:I}", "stackFrames", some, "totalFrames", (json_int_t)total));
}

/* Each place that the checkers named, as if they were one's callers. */
static json_t *frames_of_found(dap *d) {
    const json_t *sites = json_object_get(d->found, "sites");
    json_t *all = json_array();
    for (size_t i = 0; i < json_array_size(sites); i++) {
        const json_t *s = json_array_get(sites, i);
        const char *own = dap_own_path(d, dap_text(s, "path"));
        json_array_append_new(all, frame_of(d, FOUND_FRAME + (int64_t)i, dap_text(s, "name"),
                                            own != NULL ? own : "", dap_number(s, "line", 0)));
    }
    return all;
}

void dap_stack(dap *d, const json_t *request) {
    const int64_t warp = dap_number(dap_arguments(request), "threadId", 1) - 1;
    if (d->held == NULL) {
        respond_frames(d, request, d->found != NULL ? frames_of_found(d) : json_array());
        return;
    }
    json_t *answer = dap_ask(d, "frames\n%lld\n%lld", (long long)warp, (long long)lane_of(d, warp));
    const char *wrong = dap_wrong(answer);
    if (wrong != NULL) {
        dap_refuse(d, request, "%s", wrong);
    } else {
        const json_t *frames = json_object_get(answer, "frames");
        json_t *all = json_array();
        for (size_t i = 0; i < json_array_size(frames); i++) {
            const json_t *f = json_array_get(frames, i);
            char name[300];
            snprintf(name, sizeof name, "%.200s, thread %.60s", dap_text(f, "name"),
                     dap_text(answer, "thread"));
            json_array_append_new(
                all, frame_of(d, frame_id(warp, dap_number(answer, "lane", 0), (int64_t)i),
                              i == 0 ? name : dap_text(f, "name"), dap_text(f, "path"),
                              dap_number(f, "line", 0)));
        }
        respond_frames(d, request, all);
    }
    json_decref(answer);
}

/* ---- what variablesReferences stand for ---- */

void dap_forget_references(dap *d) {
    for (int i = 0; i < d->num_references; i++)
        free(d->references[i].text);
    d->num_references = 0;
}

const dap_reference *dap_reference_of(const dap *d, int64_t number) {
    return number > 0 && number <= d->num_references ? &d->references[number - 1] : NULL;
}

static json_int_t refer(dap *d, char kind, dap_who who, const char *text) {
    if (d->num_references == d->room_references) {
        const int room = d->room_references == 0 ? 64 : 2 * d->room_references;
        dap_reference *more = realloc(d->references, (size_t)room * sizeof *more);
        if (more == NULL)
            return 0;
        d->references = more;
        d->room_references = room;
    }
    char *copy = strdup(text);
    if (copy == NULL)
        return 0;
    d->references[d->num_references++] = (dap_reference){kind, who.warp, who.lane, who.frame, copy};
    return d->num_references;
}

void dap_scopes(dap *d, const json_t *request) {
    static const struct {
        const char *name, *text, *hint;
        char kind;
    } all[] = {
        {"Locals", "locals", "locals", 's'},         {"Parameters", "parameters", "arguments", 's'},
        {"Shared memory", "shared", NULL, 's'},      {"Global variables", "globals", NULL, 's'},
        {"Thread and block", "builtins", NULL, 's'}, {"Lanes of the warp", "", NULL, 'l'}};
    const int64_t id = dap_number(dap_arguments(request), "frameId", 0);
    const dap_who who = dap_who_of(id);
    json_t *scopes = json_array();
    for (size_t i = 0; i < sizeof all / sizeof *all && who.warp >= 0; i++) {
        json_t *s =
            json_pack("{s:s, s:I, s:b}", "name", all[i].name, "variablesReference",
                      refer(d, all[i].kind, who, all[i].text), "expensive", all[i].kind == 'l');
        if (all[i].hint != NULL)
            json_object_set_new(s, "presentationHint", json_string(all[i].hint));
        json_array_append_new(scopes, s);
    }
    if (who.warp < 0 && id < FOUND_FRAME) {
        json_decref(scopes);
        dap_refuse(d, request, "there is no frame %lld", (long long)id);
    } else {
        dap_respond(d, request, json_pack("{s:o}", "scopes", scopes));
    }
}

/* ---- variables ---- */

/* Fills in what a Variable and an answer to evaluate have in common. */
static void describe(dap *d, json_t *to, const json_t *v, dap_who who, const char *value_name) {
    const int64_t indexed = dap_number(v, "indexed", 0), named = dap_number(v, "named", 0);
    json_object_set_new(to, value_name, json_string(dap_text(v, "value")));
    if (dap_text(v, "type")[0] != '\0')
        json_object_set_new(to, "type", json_string(dap_text(v, "type")));
    json_object_set_new(
        to, "variablesReference",
        json_integer(indexed > 0 || named > 0 ? refer(d, 'p', who, dap_text(v, "expr")) : 0));
    if (indexed > 0)
        json_object_set_new(to, "indexedVariables", json_integer(indexed));
    if (named > 0)
        json_object_set_new(to, "namedVariables", json_integer(named));
}

static void append_vars(dap *d, json_t *list, const json_t *answer, dap_who who, bool lane) {
    const json_t *vars = json_object_get(answer, "vars");
    for (size_t i = 0; i < json_array_size(vars); i++) {
        const json_t *v = json_array_get(vars, i);
        json_t *one = json_pack("{s:s}", "name", dap_text(v, "name"));
        describe(d, one, v, who, "value");
        if (!lane) /* a watched expression is computed in the selected frame */
            json_object_set_new(one, "evaluateName", json_string(dap_text(v, "expr")));
        json_array_append_new(list, one);
    }
}

static void append_lanes(dap *d, json_t *list, const json_t *answer, int warp) {
    const json_t *lanes = json_object_get(answer, "lanes");
    for (size_t i = 0; i < json_array_size(lanes); i++) {
        const json_t *l = json_array_get(lanes, i);
        const int lane = (int)dap_number(l, "lane", 0);
        char name[100], value[200];
        snprintf(name, sizeof name, "lane %d", lane);
        snprintf(value, sizeof value, "thread %.60s, line %lld, %.80s", dap_text(l, "thread"),
                 (long long)dap_number(l, "line", 0), dap_text(l, "does"));
        json_array_append_new(list, json_pack("{s:s, s:s, s:I}", "name", name, "value", value,
                                              "variablesReference",
                                              refer(d, 't', (dap_who){warp, lane, 0}, "")));
    }
}

/* The answers that make up a container, one after another. */
static const char *ask_container(dap *d, const dap_reference *r, const json_t *a, json_t *list) {
    static const char *const of_lane[] = {"locals", "parameters", "builtins"};
    const dap_who who = {r->warp, r->lane, r->frame};
    const char *wrong = NULL, *filter = dap_text(a, "filter");
    const int64_t start = dap_number(a, "start", 0), count = dap_number(a, "count", 0);
    json_t *answer = NULL;
    const char kind = r->kind;
    static char why[512];
    for (int i = 0; wrong == NULL && i < (kind == 't' ? 3 : 1); i++) {
        if (kind == 'p')
            answer = dap_ask(d, "parts\n%d\n%d\n%d\n%lld\n%lld\n%s", who.warp, who.lane, who.frame,
                             (long long)(start > 0 ? start : 0),
                             (long long)(count > 0 && strcmp(filter, "named") != 0 ? count : 0),
                             r->text);
        else if (kind == 'l')
            answer = dap_ask(d, "lanes\n%d\n-1", who.warp);
        else
            answer = dap_ask(d, "vars\n%d\n%d\n%d\n%s", who.warp, who.lane, who.frame,
                             kind == 't' ? of_lane[i] : r->text);
        wrong = dap_wrong(answer);
        if (wrong != NULL) {
            snprintf(why, sizeof why, "%s", wrong);
            wrong = why;
        } else if (kind == 'l') {
            append_lanes(d, list, answer, who.warp);
        } else {
            append_vars(d, list, answer, who, kind == 't');
        }
        json_decref(answer);
        r = NULL; /* more references may have moved it */
    }
    return wrong;
}

void dap_variables(dap *d, const json_t *request) {
    const json_t *a = dap_arguments(request);
    const int64_t number = dap_number(a, "variablesReference", 0);
    const dap_reference *found = dap_reference_of(d, number);
    if (found == NULL) {
        dap_refuse(d, request, "there is no container of variables %lld now", (long long)number);
        return;
    }
    dap_reference r = *found;
    r.text = strdup(found->text);
    json_t *list = json_array();
    const char *wrong = r.text != NULL ? ask_container(d, &r, a, list) : "out of memory";
    free(r.text);
    if (wrong == NULL) {
        dap_respond(d, request, json_pack("{s:o}", "variables", list));
    } else {
        json_decref(list);
        dap_refuse(d, request, "%s", wrong);
    }
}

/* ---- expressions ---- */

enum { EXPR = 2048 };

/* A field of a question is one line. */
static void copy_line(const char *text, char to[EXPR]) {
    snprintf(to, EXPR, "%s", text);
    for (char *at = to; *at != '\0'; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
}

/* As whose an expression is computed: the frame's, or that in focus. */
static dap_who who_of(const dap *d, const json_t *a) {
    dap_who who = dap_who_of(dap_number(a, "frameId", 0));
    if (who.warp < 0)
        who =
            (dap_who){(int)dap_number(d->held, "warp", 0), (int)dap_number(d->held, "lane", -1), 0};
    return who;
}

/* What a command left in focus is what is shown from now on. */
static void follow_focus(dap *d) {
    json_t *answer = dap_ask(d, "threads");
    const int64_t warp = dap_number(answer, "warp", -1), lane = dap_number(answer, "lane", -1);
    const bool other = warp >= 0 && (dap_number(d->held, "warp", -1) != warp ||
                                     dap_number(d->held, "lane", -1) != lane);
    json_decref(answer);
    if (!other)
        return;
    json_object_set_new(d->held, "warp", json_integer(warp));
    json_object_set_new(d->held, "lane", json_integer(lane));
    dap_event(d, "stopped",
              json_pack("{s:s, s:s, s:I, s:b}", "reason", "goto", "description",
                        "Another thread is looked at", "threadId",
                        (json_int_t)dap_thread_of_warp(warp), "allThreadsStopped", true));
}

static bool is_editors(const char *command) {
    static const char *const words[] = {"break",  "b",         "tbreak",  "watch", "delete", "d",
                                        "enable", "condition", "disable", "run",   "r"};
    const size_t n = strcspn(command, " \t(/");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncmp(words[i], command, n) == 0)
            return true;
    return false;
}

/* A command of the terminal's. */
static void obey(dap *d, const json_t *request, const char *command, dap_who who) {
    bool failed = false;
    if (is_editors(command)) {
        dap_refuse(d, request, "breakpoints and starts are the editor's: set them there");
        return;
    }
    json_decref(dap_ask(d, "focus\n%d\n%d\n%d", who.warp, who.lane, who.frame));
    char *text = dap_say(d, command, &failed);
    if (text == NULL) {
        dap_refuse(d, request, "the program has ended");
        return;
    }
    for (size_t n = strlen(text); n > 0 && text[n - 1] == '\n'; n--)
        text[n - 1] = '\0';
    if (failed)
        dap_refuse(d, request, "%s", text);
    else
        dap_respond(d, request, json_pack("{s:s, s:i}", "result", text, "variablesReference", 0));
    free(text);
    if (d->state == DAP_GOING)
        dap_event(d, "continued",
                  json_pack("{s:i, s:b}", "threadId", 1, "allThreadsContinued", true));
    else
        follow_focus(d);
}

static bool is_command(dap *d, const char *text) {
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " \t(/"), text);
    json_t *answer = dap_ask(d, "knows\n%s", word);
    const bool known = json_is_true(json_object_get(answer, "known"));
    json_decref(answer);
    return known;
}

void dap_evaluate(dap *d, const json_t *request) {
    const json_t *a = dap_arguments(request);
    const bool repl = strcmp(dap_text(a, "context"), "repl") == 0;
    const bool hex = json_is_true(json_object_get(json_object_get(a, "format"), "hex"));
    char expr[EXPR];
    copy_line(dap_text(a, "expression"), expr);
    const dap_who who = who_of(d, a);
    json_t *answer =
        dap_ask(d, "eval\n%d\n%d\n%d\n%s\n%s", who.warp, who.lane, who.frame, hex ? "x" : "", expr);
    const char *wrong = dap_wrong(answer);
    if (wrong == NULL) {
        json_t *body = json_object();
        describe(d, body, answer, who, "result");
        dap_respond(d, request, body);
    } else if (repl && is_command(d, expr)) {
        obey(d, request, expr, who);
    } else {
        dap_refuse(d, request, "%s", wrong);
    }
    json_decref(answer);
}

/* Changes the part `name` of `of`; "" of nothing. */
static void change(dap *d, const json_t *request, dap_who who, const char *of, const char *name) {
    char value[EXPR], whole[EXPR], part[EXPR];
    copy_line(dap_text(dap_arguments(request), "value"), value);
    copy_line(of, whole);
    copy_line(name, part);
    json_t *answer = dap_ask(d, "set\n%d\n%d\n%d\n%s\n%s\n%s", who.warp, who.lane, who.frame, value,
                             whole, part);
    const char *wrong = dap_wrong(answer);
    if (wrong != NULL) {
        dap_refuse(d, request, "%s", wrong);
    } else {
        json_t *body = json_object();
        describe(d, body, answer, who, "value");
        dap_respond(d, request, body);
    }
    json_decref(answer);
}

void dap_set_variable(dap *d, const json_t *request) {
    const json_t *a = dap_arguments(request);
    const int64_t number = dap_number(a, "variablesReference", 0);
    const dap_reference *r = dap_reference_of(d, number);
    if (r == NULL || r->kind == 'l') {
        dap_refuse(d, request, "there is no container of variables %lld now", (long long)number);
        return;
    }
    change(d, request, (dap_who){r->warp, r->lane, r->frame}, r->kind == 'p' ? r->text : "",
           dap_text(a, "name"));
}

void dap_set_expression(dap *d, const json_t *request) {
    const json_t *a = dap_arguments(request);
    change(d, request, who_of(d, a), "", dap_text(a, "expression"));
}
