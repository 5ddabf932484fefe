/* fuzz_roster.c: libFuzzer on the reader of rosters: whatever the bytes, a table or a sentence; and
 * what was read and written is read again as the same. */
#include "grading/src/batch/roster.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n) {
    static const struct lab_spec lab = {.name = "lab3"};
    struct roster r, again;
    struct text why = {0}, out = {0};
    bool several;
    char *bytes = xmalloc(n);
    if (n > 0)
        memcpy(bytes, data, n);
    if (roster_parse(&r, bytes, n, "fuzz", NULL, &lab, &why)) {
        for (size_t i = 0; i < r.students && i < 50; i++) {
            char *name = roster_name(&r, i);
            roster_by_id(&r, roster_id(&r, i), &several);
            roster_by_name(&r, name, &several);
            roster_set_points(&r, i, "100");
            free(name);
        }
        table_write(&out, &r.table);
        if (!roster_parse(&again, text_get(&out), out.length, "again",
                          table_cell(&r.table, r.head, r.points), &lab, &why) ||
            again.students != r.students)
            abort();
        roster_free(&again);
    } else if (why.length == 0) {
        abort();
    }
    roster_free(&r);
    text_free(&why);
    text_free(&out);
    free(bytes);
    return 0;
}
