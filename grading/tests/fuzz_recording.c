/* fuzz_recording.c: libFuzzer on the reader of recordings and on what is made of them: whatever a
 * submission left in its folder, the grader reads it or doesn't. */
#include "grading/src/report/film_pictures.h"
#include "grading/src/report/trace.h"

#include <jansson.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n) {
    struct recording r;
    json_t *film = json_loadb((const char *)data, n, JSON_REJECT_DUPLICATES, NULL);
    if (film && recording_read(&r, film)) {
        struct wrong_cell wrong[2] = {{.element = 0, .want = 1}, {.element = 3, .want = 1}};
        for (int i = 0; i < 9; i++) {
            const struct traced_product p = {.m = 2,
                                             .n = 2,
                                             .k = 2,
                                             .a = i % 3 < r.memories ? i % 3 : -1,
                                             .b = i / 3 < r.memories ? i / 3 : -1,
                                             .wrong = wrong,
                                             .count = 2,
                                             .total = 2};
            struct trace t;
            trace_product(&t, &r, &p);
        }
        recording_free(&r);
    }
    if (film) {
        char **pictures = film_pictures(film);
        for (size_t i = 0; i < json_array_size(json_object_get(film, "moments")); i++)
            free(pictures[i]);
        free(pictures);
    }
    json_decref(film);
    return 0;
}
