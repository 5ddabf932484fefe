/* commands.c: what a person can say while the program is held, and help for it. */
#include "vgpu/src/debug/back.h"
#include "vgpu/src/debug/parts.h"
#include "vgpu/src/debug/wire.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* ---- answers ---- */

static char *text_of(vg_debug *d, size_t *len) {
    const long n = ftell(d->out);
    char *text = n > 0 ? malloc((size_t)n + 1) : NULL;
    *len = 0;
    if (text != NULL) {
        rewind(d->out);
        *len = fread(text, 1, (size_t)n, d->out);
    }
    rewind(d->out);
    return text;
}

/* The program ends with its front end. */
static void say(vg_debug *d, char kind, const char *text, size_t len) {
    if (!dbg_say(d->socket, kind, text, len))
        _exit(125);
}

/* What the program prints before and after comes before and after it: the program goes on when the
 * text has been shown. */
void dbg_flush(vg_debug *d) {
    size_t len = 0;
    char kind = 0;
    char *text = text_of(d, &len);
    if (len > 0 && !dbg_back_is_away(d)) {
        (void)fflush(stdout);
        say(d, d->failed ? 'e' : 'o', text, len);
        char *shown = dbg_hear(d->socket, &kind, &len);
        if (shown == NULL)
            _exit(125);
        free(shown);
    }
    free(text);
}

void dbg_wrong(vg_debug *d, const char *form, ...) {
    va_list args;
    va_start(args, form);
    vfprintf(d->out, form, args);
    va_end(args);
    fputs(".\n", d->out);
    d->failed = true;
}

bool dbg_is_held(vg_debug *d) {
    if (d->warp == NULL)
        dbg_wrong(d, "no kernel is held: \"run\" and a breakpoint lead into one");
    return d->warp != NULL;
}

void dbg_tell_kept(vg_debug *d) {
    char *text = NULL;
    size_t len = 0;
    FILE *to = dbg_back_is_away(d) ? NULL : open_memstream(&text, &len);
    if (to == NULL)
        return;
    dbg_write_kept(d, to);
    if (fclose(to) == 0)
        say(d, 'k', text, len);
    free(text);
}

/* ---- commands ---- */

typedef struct command command;
struct command {
    const char *name, *short_name; /* "" : none */
    void (*run)(vg_debug *d, const char *format, const char *args);
    const char *usage, *does;
};

static void go(vg_debug *d, enum dbg_going how, const char *args) {
    const uint64_t times = strtoull(args, NULL, 10);
    if (!d->started)
        dbg_wrong(d, "the program does not run yet: run starts it");
    else if (how != DBG_FREE && d->warp == NULL)
        dbg_wrong(d, "no kernel is held: there is nothing to step through");
    else
        dbg_go(d, how, times);
}

#define RUNS(name) static void name(vg_debug *d, const char *format, const char *args)

RUNS(do_break) {
    (void)format, dbg_do_break(d, args, false);
}
RUNS(do_tbreak) {
    (void)format, dbg_do_break(d, args, true);
}
RUNS(do_watch) {
    (void)format, dbg_do_watch(d, args);
}
RUNS(do_delete) {
    (void)format, dbg_do_delete(d, args);
}
RUNS(do_enable) {
    (void)format, dbg_do_enable(d, args, true);
}
RUNS(do_disable) {
    (void)format, dbg_do_enable(d, args, false);
}
RUNS(do_condition) {
    (void)format, dbg_do_condition(d, args);
}
RUNS(do_catch) {
    (void)format, dbg_do_catch(d, args);
}
RUNS(do_continue) {
    (void)format, go(d, DBG_FREE, args);
}
RUNS(do_step) {
    (void)format, go(d, DBG_STEP, args);
}
RUNS(do_next) {
    (void)format, go(d, DBG_NEXT, args);
}
RUNS(do_finish) {
    (void)format, (void)args, go(d, DBG_FINISH, "");
}
RUNS(do_back_continue) {
    (void)format, dbg_do_back(d, DBG_FREE, args);
}
RUNS(do_back_step) {
    (void)format, dbg_do_back(d, DBG_STEP, args);
}
RUNS(do_back_next) {
    (void)format, dbg_do_back(d, DBG_NEXT, args);
}
RUNS(do_back_finish) {
    (void)format, (void)args, dbg_do_back(d, DBG_FINISH, "");
}
RUNS(do_info) {
    (void)format, dbg_do_info(d, args);
}
RUNS(do_thread) {
    (void)format, dbg_do_thread(d, args);
}
RUNS(do_block) {
    (void)format, dbg_do_block(d, args);
}
RUNS(do_warp) {
    (void)format, dbg_do_warp(d, args);
}
RUNS(do_lane) {
    (void)format, dbg_do_lane(d, args);
}
RUNS(do_backtrace) {
    (void)format, (void)args, dbg_do_backtrace(d);
}
RUNS(do_frame) {
    (void)format, dbg_do_frame(d, args, 0);
}
RUNS(do_up) {
    (void)format, (void)args, dbg_do_frame(d, "", 1);
}
RUNS(do_down) {
    (void)format, (void)args, dbg_do_frame(d, "", -1);
}
RUNS(do_list) {
    (void)format, dbg_do_list(d, args);
}
RUNS(do_display) {
    (void)format, dbg_do_display(d, args);
}
RUNS(do_undisplay) {
    (void)format, dbg_do_undisplay(d, args);
}
RUNS(do_set) {
    (void)format, dbg_do_set(d, args);
}
RUNS(do_help);

RUNS(do_run) {
    (void)format, (void)args;
    if (d->started) /* the front end starts another process for that */
        dbg_wrong(d, "the program runs");
    d->resume = !d->started;
    d->started = true;
}

RUNS(do_until) {
    (void)format;
    const int line = dbg_number(args);
    if (args[0] != '\0' && line < 1) {
        dbg_wrong(d, "expected a line's number, found \"%s\"", args);
        return;
    }
    go(d, DBG_UNTIL, "");
    if (d->resume && args[0] != '\0')
        d->going_line = line - 1;
}

RUNS(do_barrier) {
    (void)format, (void)args;
    if (d->warp == NULL)
        dbg_wrong(d, "no kernel is held: nobody waits");
    else
        dbg_say_waiting(d);
}

/* clang-format off */
static const command commands[] = {
    {"break", "b", do_break, "break [FILE:]LINE|FUNCTION [if EXPR]",
     "Stops where a thread begins the line and the expression is not 0."},
    {"tbreak", "", do_tbreak, "tbreak [FILE:]LINE|FUNCTION [if EXPR]", "The same, once."},
    {"watch", "", do_watch, "watch EXPR",
     "Stops when the number changes: As[3][4], sum, *p. Others' stores to shared and global\n"
     "memory stop at once; a thread's own variable stops at that thread's next line."},
    {"catch", "", do_catch, "catch [race|uninitialised|wrong|all|none]...",
     "Chooses which mistakes hold their thread: a race's second access and a read of what\n"
     "nobody has written, before they are made; the store of a product's first wrong element,\n"
     "after it, in programs that know their product. Alone, says which do. At first, all do."},
    {"delete", "d", do_delete, "delete [NUMBER]", "Removes a breakpoint, or all."},
    {"enable", "", do_enable, "enable [NUMBER]", "Lets a breakpoint, or all, stop again."},
    {"disable", "", do_disable, "disable [NUMBER]", "Keeps a breakpoint, or all, from stopping."},
    {"condition", "", do_condition, "condition NUMBER [EXPR]",
     "Gives a breakpoint another condition, or none."},
    {"run", "r", do_run, "run", "Starts the program, or starts it again. Breakpoints stay."},
    {"continue", "c", do_continue, "continue [TIMES]",
     "Goes on to the next breakpoint, once or as often as TIMES says."},
    {"step", "s", do_step, "step [TIMES]", "The thread goes on to its next line, into functions."},
    {"next", "n", do_next, "next [TIMES]", "The thread goes on to its next line, over functions."},
    {"finish", "", do_finish, "finish", "The thread goes on until its function has returned."},
    {"until", "u", do_until, "until [LINE]",
     "The thread goes on to a line further down: after a loop, say."},
    {"reverse-step", "rs", do_back_step, "reverse-step [TIMES]",
     "The thread goes back to the line before, into functions."},
    {"reverse-next", "rn", do_back_next, "reverse-next [TIMES]",
     "The thread goes back to the line before, over functions."},
    {"reverse-finish", "", do_back_finish, "reverse-finish",
     "The thread goes back to where its function was called."},
    {"reverse-continue", "rc", do_back_continue, "reverse-continue [TIMES]",
     "Goes back to the breakpoint, watchpoint or mistake before, also into earlier kernels."},
    {"info", "i", do_info,
     "info breakpoints|kernels|blocks|warps|lanes|threads|locals|shared", "Lists them."},
    {"thread", "", do_thread, "thread [(X,Y,Z)]", "Turns to a thread of the block."},
    {"block", "", do_block, "block [(X,Y,Z)]", "Says which block runs."},
    {"warp", "", do_warp, "warp [NUMBER]", "Turns to a warp of the block."},
    {"lane", "", do_lane, "lane [NUMBER]", "Turns to a lane of the warp."},
    {"backtrace", "bt", do_backtrace, "backtrace", "Lists the functions that the thread is in."},
    {"where", "", do_backtrace, "where", "The same as backtrace."},
    {"frame", "f", do_frame, "frame [NUMBER]", "Turns to one of those functions."},
    {"up", "", do_up, "up", "Turns to the caller."},
    {"down", "", do_down, "down", "Turns to the function that it called."},
    {"list", "l", do_list, "list [LINE|FUNCTION]", "Shows ten lines of the source."},
    {"print", "p", dbg_do_print, "print[/F] EXPR",
     "Shows a value. Formats: x hexadecimal, d signed, u unsigned, o octal, t bits,\n"
     "c character, f floating."},
    {"display", "", do_display, "display [EXPR]", "Shows it at each stop."},
    {"undisplay", "", do_undisplay, "undisplay [NUMBER]", "Stops showing it, or everything."},
    {"x", "", dbg_do_examine, "x[/COUNT[F]] EXPR", "Shows the numbers that a pointer points to."},
    {"set", "", do_set, "set var PLACE = EXPR", "Changes a variable or an element."},
    {"barrier", "", do_barrier, "barrier",
     "Says of each warp of the block where it is, and who waits."},
    {"help", "h", do_help, "help [COMMAND]", "Says what a command does."},
};
/* clang-format on */

static const command *command_named(const char *name, size_t len) {
    const command *found = NULL;
    int count = 0;
    for (size_t i = 0; len > 0 && i < sizeof commands / sizeof *commands; i++) {
        const command *c = &commands[i];
        if ((strlen(c->name) == len && strncmp(c->name, name, len) == 0) ||
            (strlen(c->short_name) == len && strncmp(c->short_name, name, len) == 0))
            return c;
        if (strncmp(c->name, name, len) == 0) {
            found = c;
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

const char *dbg_command_name(size_t number) {
    return number < sizeof commands / sizeof *commands ? commands[number].name : NULL;
}

const char *dbg_command_called(const char *word, size_t len) {
    const command *c = command_named(word, len);
    return c != NULL ? c->name : NULL;
}

RUNS(do_help) {
    (void)format;
    const command *c = command_named(args, strlen(args));
    if (args[0] != '\0' && c == NULL) {
        dbg_wrong(d, "there is no command \"%s\": help lists them", args);
    } else if (c != NULL) {
        fprintf(d->out, "%s\n%s\n", c->usage, c->does);
    } else {
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
            fprintf(d->out, "%s\n", commands[i].usage);
        fputs("quit\nhelp COMMAND says what it does. Ctrl-C holds a kernel that runs.\n", d->out);
    }
}

int dbg_number(const char *digits) {
    const unsigned long n = strtoul(digits, NULL, 10);
    const bool whole = digits[0] != '\0' && strspn(digits, "0123456789") == strlen(digits);
    return !whole ? -1 : n < INT_MAX ? (int)n : INT_MAX;
}

bool dbg_has_command(const char *name) {
    const command *c = command_named(name, strlen(name));
    return c != NULL && strcmp(c->name, name) == 0;
}

static void carry_out(vg_debug *d, char *line) {
    char *at = line + strspn(line, " \t");
    for (size_t n = strlen(at); n > 0 && isspace((unsigned char)at[n - 1]); n--)
        at[n - 1] = '\0';
    const size_t len = strcspn(at, " \t/(");
    if (strncmp(at, "#last ", 6) == 0) /* of what is kept: the next number is one more */
        d->last_number = dbg_number(at + 6) < 0 ? 0 : dbg_number(at + 6) % 1000000;
    if (at[0] == '\0' || at[0] == '#')
        return;
    const command *c = command_named(at, len);
    char format[16] = "";
    char *args = at + len;
    if (*args == '/') {
        const size_t n = strcspn(args + 1, " \t");
        snprintf(format, sizeof format, "%.*s", (int)n, args + 1);
        args += n + 1;
    }
    args += strspn(args, " \t");
    if (c == NULL)
        dbg_wrong(d, "there is no command \"%.*s\", or several begin so: help lists them", (int)len,
                  at);
    else
        c->run(d, format, args);
}

/* The next command; how lines may go on is answered meanwhile. */
static char *next_command(vg_debug *d, char *kind, size_t *len) {
    char *line;
    *kind = 0;
    while ((line = dbg_hear(d->socket, kind, len)) != NULL && *kind == 'q') {
        char *words = NULL;
        size_t size = 0;
        FILE *to = open_memstream(&words, &size);
        if (to != NULL) {
            dbg_complete(d, line, to);
            (void)fclose(to);
        }
        say(d, 'w', words != NULL ? words : "", size);
        free(words);
        free(line);
    }
    return line;
}

void dbg_listen(vg_debug *d) {
    d->resume = false;
    (void)fflush(stdout); /* also where there is nothing to say */
    while (!d->resume) {
        char kind = 0;
        size_t len = 0;
        dbg_flush(d);
        d->failed = false;
        say(d, 'p', "", 0);
        char *line = next_command(d, &kind, &len);
        if (line == NULL)
            _exit(125);
        if (kind == 'j')
            dbg_answer(d, line);
        else if (len < DBG_COMMAND)
            carry_out(d, line);
        else
            dbg_wrong(d, "a command has at most %d characters", DBG_COMMAND - 1);
        free(line);
    }
    dbg_flush(d);
    d->failed = false;
    (void)dbg_take_interrupt(); /* one of a program that is held is none */
    say(d, 'g', "", 0);
}
