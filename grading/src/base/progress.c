/* progress.c: see progress.h. */
#include "grading/src/base/progress.h"

#include "grading/src/base/clock.h"
#include "grading/src/base/terminal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 10, MOST_NAME = 40 };

static struct {
    bool running, shown;
    int done, total;
    int64_t from; /* when the line may appear */
    const char *name;
} line;

static bool wanted(void) {
    const char *no = getenv("NO_PROGRESS");
    return !(no && *no) && terminal_obeys(stderr);
}

void progress_start(int total, int patience) {
    progress_end();
    line.running = wanted() && total > 0;
    line.done = 0;
    line.total = total;
    line.name = "";
    line.from = line.running ? clock_now() + patience : 0;
}

static void draw(void) {
    static const char full[] = "##########", empty[] = "..........";
    const int part = line.done * WIDTH / line.total;
    fprintf(stderr, "\r\033[K[%.*s%.*s] %d/%d %.*s", part, full, WIDTH - part, empty, line.done,
            line.total, MOST_NAME, line.name);
    fflush(stderr);
    line.shown = true;
}

void progress_at(int done, const char *name) {
    line.done = done < 0 ? 0 : done > line.total ? line.total : done;
    line.name = name;
    if (line.running && clock_now() >= line.from)
        draw();
}

void progress_tick(void) {
    if (line.running && !line.shown && clock_now() >= line.from)
        draw();
}

void progress_hide(void) {
    if (line.shown)
        fputs("\r\033[K", stderr);
    line.shown = false;
}

void progress_end(void) {
    progress_hide();
    line.running = false;
}
