/* vgpu-debug-line.c: see vgpu-debug-line.h. */
#include "vgpu/tools/vgpu-debug-line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_EDIT

#include <editline/readline.h>

/* libedit's callbacks have no argument of their own. */
static line_words *ask;
static void *asked;
static char *words, *next;

/* A minus parts words of an expression, and not those of a command: what stands before it in the
 * text that is completed is said again. */
static char *whole_word(const char *text, const char *word) {
    const char *minus = strrchr(text, '-');
    char *whole = NULL;
    if (minus == NULL || strncmp(word, text, strlen(text)) == 0)
        return strdup(word);
    return asprintf(&whole, "%.*s%s", (int)(minus + 1 - text), text, word) < 0 ? NULL : whole;
}

/* The first call for a word has state 0; NULL ends them. */
static char *one_word(const char *text, int state) {
    if (state == 0) {
        free(words);
        char *line = strndup(rl_line_buffer, (size_t)rl_point);
        next = words = line != NULL ? ask(asked, line) : NULL;
        free(line);
    }
    char *end = next != NULL ? strchr(next, '\n') : NULL;
    if (end == NULL)
        return NULL;
    *end = '\0';
    char *word = whole_word(text, next);
    next = end + 1;
    return word;
}

static char **complete(const char *text, int start, int end) {
    (void)end;
    rl_attempted_completion_over = 1; /* no names of files instead */
    /* A command's name may hold what else parts words: reverse-step. */
    const int blanks = (int)strspn(rl_line_buffer, " \t");
    if (start > blanks && strpbrk(rl_line_buffer + blanks, " \t(/") == NULL)
        return NULL;
    rl_completion_append_character = start > blanks ? '\0' : ' ';
    return rl_completion_matches(text, one_word);
}

char *line_read(const char *prompt, line_words *how, void *self) {
    static char last[1024];
    static char breaks[] = " \t()[]{},;+*/%&|!<>=?:.~^";
    ask = how;
    asked = self;
    rl_readline_name = "vgpu-debug";
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = breaks;
    rl_completer_word_break_characters = breaks;
    char *line = readline(prompt);
    if (line != NULL && line[0] != '\0' && strcmp(line, last) != 0) {
        add_history(line);
        snprintf(last, sizeof last, "%s", line);
    }
    return line;
}

#else

char *line_read(const char *prompt, line_words *how, void *self) {
    char *line = NULL;
    size_t room = 0;
    (void)how, (void)self;
    fputs(prompt, stdout);
    fflush(stdout);
    const ssize_t n = getline(&line, &room, stdin);
    if (n < 0) {
        free(line);
        return NULL;
    }
    if (n > 0 && line[n - 1] == '\n')
        line[n - 1] = '\0';
    return line;
}

#endif
