/* address.c: see address.h. */
#include "grading/src/report/address.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void address_add(struct text *t, const char *path) {
    for (const char *c = path; *c; c++) {
        const bool plain = isalnum((unsigned char)*c) || strchr("/._-~", *c);
        if (plain)
            text_add_bytes(t, c, 1);
        else
            text_addf(t, "%%%02X", (unsigned)(unsigned char)*c);
    }
}

void address_section(struct text *t, const struct grade_context *g, const char *section) {
    const size_t name = strcspn(section, ".#");
    const char *anchor = strchr(section, '#');
    const struct {
        const char *folder, *below, *ending;
    } places[] = {{g->paths.root, "pages/handouts", "html"},
                  {g->paths.build, "site/handouts", "html"},
                  {g->paths.root, "handouts", "md"}};
    for (size_t i = 0; g->own_file && i < sizeof places / sizeof *places; i++) {
        char *path = xasprintf("%s/%s/%.*s.%s", places[i].folder, places[i].below, (int)name,
                               section, places[i].ending);
        char *whole = realpath(path, NULL);
        free(path);
        if (!whole)
            continue;
        text_add(t, "file://");
        address_add(t, whole);
        text_add(t, anchor ? anchor : "");
        free(whole);
        return;
    }
}
