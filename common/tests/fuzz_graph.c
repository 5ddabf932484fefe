/* fuzz_graph.c: the parsers of graph files and of CSV files, under libFuzzer. */
#include "common/explore_plot.h"
#include "common/graph.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    struct graph g;
    struct graph_error e;
    if (graph_parse(&g, (const char *)data, bytes, &e)) {
        if (g.vertices < 1 || g.length < 1)
            abort();
        graph_free(&g);
    } else if (e.what[0] == '\0' || g.ways || g.name) {
        abort();
    }
    struct series s;
    char error[SERIES_ERROR];
    if (series_parse(&s, (const char *)data, bytes, error) && s.count < 1)
        abort();
    return 0;
}
