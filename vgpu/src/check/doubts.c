/* doubts.c: the words of warnings about values that kernels read: legal, and hardly ever meant. */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/written_bits.h"

#include <inttypes.h>
#include <stdio.h>

/* It holds zeros for want of a value. */
static void describe_constant(const vg_region *r, vg_finding *out) {
    char line[300], thread[96];
    const uint64_t room = r->end - r->begin, first = r->begin - (r->granule0 << VG_GRANULE_SHIFT);
    const bool some = count_missing(r->written, first, room, 1) < room;
    out->fact.says = VGPU_CONSTANT_UNFILLED;
    snprintf(out->message, sizeof out->message,
             "warning: kernel %s reads element %" PRIu64 " of __constant__ %s, which nobody has "
             "filled\n"
             "  %s: read by %s\n"
             "  %s, so it holds 0",
             out->kernel, out->element, out->object, vg_site_line(&out->site[0], line, sizeof line),
             vg_site_thread(&out->site[0], thread, sizeof thread),
             some ? "it has no initialiser, and what cudaMemcpyToSymbol copied ends before this "
                    "element or begins after it (its size is in bytes)"
                  : "it has no initialiser, and no cudaMemcpyToSymbol came before this launch");
}

static void describe_set(const vg_region *r, vg_finding *out) {
    char line[300], thread[96];
    const uint32_t word = r->set_value * 0x01010101u;
    out->fact.says = VGPU_BYTES_SET;
    out->fact.count = r->set_value;
    snprintf(out->message, sizeof out->message,
             "warning: kernel %s reads element %" PRIu64
             " of %s as cudaMemset left it: 0x%08" PRIx32 ", which is %" PRIu32 " as an int\n"
             "  %s: read by %s\n"
             "  cudaMemset puts %d into each byte, not into each element: have a kernel store the "
             "value, or copy it there",
             out->kernel, out->element, out->object, word, word,
             vg_site_line(&out->site[0], line, sizeof line),
             vg_site_thread(&out->site[0], thread, sizeof thread), r->set_value);
}

void vg_describe_doubt(const vg_region *r, bool bytes_set, vg_finding *out) {
    out->severity = VG_WARNING;
    if (bytes_set)
        describe_set(r, out);
    else
        describe_constant(r, out);
}
