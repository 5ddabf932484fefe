/* terminal.c: see terminal.h. */
#include "grading/src/base/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST 30 /* narrower than this nothing fits */

int terminal_columns(FILE *out, int most) {
    const char *named = out == stdout || out == stderr ? getenv("COLUMNS") : NULL;
    long columns = named ? strtol(named, NULL, 10) : 0;
    struct winsize size;
    if (columns <= 0 && isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    if (columns <= 0 || columns > most)
        return most;
    return columns < LEAST ? LEAST : (int)columns;
}

void text_fit(struct text *t, FILE *out, size_t indent) {
    const int columns = terminal_columns(out, TEXT_COLUMNS);
    if (columns < TEXT_COLUMNS)
        text_wrap(t, (size_t)columns, indent);
}
