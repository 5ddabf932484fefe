/*
 * vgpu-debug-dap.h: what the files of the editor's adapter share (vgpu-debug --dap). It speaks the
 * Debug Adapter Protocol with an editor over stdin and stdout, and asks the program, over the
 * socket of wire.h, what asked.c answers.
 *
 *     vgpu-debug-dap.c          the loop, and how a session begins, goes on and ends
 *     vgpu-debug-dap-reader.c   messages out of bytes
 *     vgpu-debug-dap-program.c  the program: its start, its output, its end, questions
 *     vgpu-debug-dap-breaks.c   breakpoints of all kinds
 *     vgpu-debug-dap-look.c     threads, frames, variables, expressions
 *
 * Contract: every request is answered once. What a request lacks, and what cannot be done, is told
 * in a sentence. Any bytes from the client are read without harm.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- messages out of bytes ---- */

enum { DAP_MESSAGE_MAX = 1 << 24, DAP_HEADER_MAX = 4096 };

typedef struct dap_reader {
    char *bytes;
    size_t len, room;
} dap_reader;

/* False: out of memory. */
bool dap_reader_add(dap_reader *r, const char *bytes, size_t len);
enum dap_read { DAP_NONE, DAP_MESSAGE, DAP_BAD_JSON, DAP_BAD_HEADER };
/* Takes the next message out, the caller's to free; DAP_NONE: it is not whole yet; DAP_BAD_HEADER:
 * nothing that follows can be read. */
enum dap_read dap_reader_next(dap_reader *r, json_t **to);
void dap_reader_free(dap_reader *r);

/* ---- the session ---- */

enum dap_state { DAP_NO_PROGRAM, DAP_STARTING, DAP_HELD, DAP_GOING };

/* A breakpoint as the client has it, and as the program has. */
typedef struct dap_break {
    char kind;      /* 's' source, 'f' function, 'd' data */
    int id, number; /* number 0: the program has it not */
    char *source;   /* of kind 's', as the client names it */
    json_t *spec;
} dap_break;

/* What a variablesReference stands for. */
typedef struct dap_reference {
    char kind; /* 's' a scope, 'l' all lanes, 't' one lane, 'p' parts of a value */
    int warp, lane, frame;
    char *text; /* the scope's name; the expression */
} dap_reference;

enum { DAP_HALF = 8 };

/* Output of the program, cut where a character ends. */
typedef struct dap_stream {
    int fd; /* -1: closed */
    const char *category;
    char half[DAP_HALF];
    size_t num_half;
} dap_stream;

typedef struct dap {
    int in, out; /* of the client */
    dap_reader reader;
    bool closed; /* the client is gone */
    int64_t seq;
    json_t *starting; /* the launch or restart that is to be answered */
    json_t *launched; /* its arguments */
    json_t *waiting;  /* requests that wait until the program is held */
    bool line_from_0, can_invalidate;
    bool configured, done;

    enum dap_state state;
    pid_t child;
    int socket;
    dap_stream stream[2];
    bool asked_to_pause; /* by the client, not only for what waits */
    json_t *sources;     /* "own": as the program names it, "path": in full */
    json_t *held;        /* why it is held */
    json_t *found;       /* what the checkers found, while the program is held for that */

    dap_break *breaks;
    int num_breaks, last_id;
    uint32_t ignored;
    dap_reference *references;
    int num_references, room_references;
} dap;

/* ---- vgpu-debug-dap.c ---- */

int dap_main(void);
void dap_event(dap *d, const char *name, json_t *body);
/* The body is taken over; NULL: none. */
void dap_respond(dap *d, const json_t *request, json_t *body);
__attribute__((format(printf, 3, 4))) void dap_refuse(dap *d, const json_t *request,
                                                      const char *form, ...);
void dap_print(dap *d, const char *category, const char *text, size_t len);
/* "" and a default where there is none. */
const char *dap_text(const json_t *of, const char *name);
int64_t dap_number(const json_t *of, const char *name, int64_t otherwise);
const json_t *dap_arguments(const json_t *request);
/* The program is held, for a reason or for what waits. */
void dap_is_held(dap *d);
void dap_has_ended(dap *d, int status);
void dap_carry_out(dap *d, json_t *request);

/* ---- vgpu-debug-dap-program.c ---- */

/* Starts what the arguments of launch name. False: refused, and said. */
bool dap_start(dap *d, const json_t *request);
/* Ends it without a word. */
void dap_end(dap *d);
void dap_interrupt(dap *d);
/* What the program says next; call it when its socket can be read. */
void dap_hear_program(dap *d);
/* Passes on what the program has printed; wait_ms: until then, or its end. */
void dap_pump(dap *d, int wait_ms);
/* One question, its fields parted by newlines. The answer is the caller's; NULL: the program has
 * ended. */
__attribute__((format(printf, 2, 3))) json_t *dap_ask(dap *d, const char *form, ...);
/* NULL: it has answered well; else what is wrong. */
const char *dap_wrong(const json_t *answer);
/* A command as a person says it. The text that came of it is the caller's; the state says whether
 * the program goes on. NULL: it has ended. */
char *dap_say(dap *d, const char *command, bool *failed);
/* The Source of a path as the program names it. */
json_t *dap_source(dap *d, const char *own);
/* What the program calls this path. NULL: nothing. */
const char *dap_own_path(const dap *d, const char *path);

/* ---- vgpu-debug-dap-breaks.c ---- */

void dap_set_breaks(dap *d, const json_t *request, char kind);
void dap_set_exceptions(dap *d, const json_t *request);
void dap_data_info(dap *d, const json_t *request);
/* Gives a program that was started all of them. */
void dap_add_breaks(dap *d);
void dap_forget_numbers(dap *d);
/* Facts that the program told: "placed", "gone". */
void dap_break_told(dap *d, const json_t *fact);
/* The client's id; 0: not its own. */
int dap_break_id(const dap *d, int64_t number);

/* ---- vgpu-debug-dap-look.c ---- */

enum { DAP_ID_LANES = 32, DAP_ID_FRAMES = 32 };
/* Ids of frames carry whose they are. */
typedef struct dap_who {
    int warp, lane, frame;
} dap_who;
dap_who dap_who_of(int64_t frame_id);
int64_t dap_thread_of_warp(int64_t warp);

void dap_forget_references(dap *d);
void dap_threads(dap *d, const json_t *request);
void dap_stack(dap *d, const json_t *request);
void dap_scopes(dap *d, const json_t *request);
void dap_variables(dap *d, const json_t *request);
void dap_evaluate(dap *d, const json_t *request);
void dap_set_variable(dap *d, const json_t *request);
void dap_set_expression(dap *d, const json_t *request);
const dap_reference *dap_reference_of(const dap *d, int64_t number);
