/* journal_read.c: see journal_read.h. */
#include "grading/witness/journal_read.h"

#include <string.h>

/* The fixed part of a body; what else may follow is `open`. */
static const struct {
    size_t fixed;
    bool open;
} bodies[VJ_KINDS] = {
    [VJ_CALL] = {0, false},
    [VJ_ALLOC] = {sizeof(struct vj_alloc), false},
    [VJ_FREE] = {sizeof(struct vj_alloc), false},
    [VJ_MODULE] = {sizeof(struct vj_module), true},
    [VJ_REGION] = {sizeof(struct vj_region), false},
    [VJ_COPY] = {sizeof(struct vj_copy), true},
    [VJ_SET] = {sizeof(struct vj_set), false},
    [VJ_HOST_WROTE] = {sizeof(struct vj_bytes), true},
    [VJ_LAUNCH] = {sizeof(struct vj_launch), true},
    [VJ_GEMM] = {sizeof(struct vj_gemm), false},
    [VJ_BLAS] = {sizeof(struct vj_blas), false},
    [VJ_RESET] = {0, false},
};

static bool wrong(struct journal_reader *r, const char *what) {
    r->wrong = what;
    return false;
}

bool journal_open(struct journal_reader *r, const void *bytes, size_t n) {
    *r = (struct journal_reader){.bytes = bytes, .n = n, .at = sizeof r->head};
    if (n < sizeof r->head || n > VJ_MOST)
        return wrong(r, "it has no head");
    memcpy(&r->head, bytes, sizeof r->head);
    if (r->head.magic != VJ_MAGIC || r->head.version != VJ_VERSION || r->head.lost > 1)
        return wrong(r, "it has no head");
    return true;
}

/* Do the parts that a body names fill it exactly? */
static bool fits(const struct journal_record *j) {
    uint64_t cells = 0;
    switch (j->kind) {
    case VJ_COPY:
        if (j->u.copy.way != VJ_TO_DEVICE)
            return j->rest_bytes == 0;
        return !__builtin_mul_overflow(j->u.copy.width, j->u.copy.height, &cells) &&
               !__builtin_mul_overflow(cells, j->u.copy.depth, &cells) && cells == j->rest_bytes;
    case VJ_HOST_WROTE: return j->u.bytes.bytes == j->rest_bytes;
    case VJ_LAUNCH:
        return vj_padded(j->u.launch.name_bytes) + j->u.launch.arg_bytes == j->rest_bytes;
    default: return true;
    }
}

bool journal_next(struct journal_reader *r, struct journal_record *out) {
    struct vj_record head;
    if (r->wrong || r->at == r->n)
        return false;
    if (sizeof head > r->n - r->at)
        return wrong(r, "a record is cut off");
    memcpy(&head, r->bytes + r->at, sizeof head);
    r->at += sizeof head;
    if (head.kind == 0 || head.kind >= VJ_KINDS)
        return wrong(r, "a record is of no known kind");
    if (head.bytes > r->n - r->at || vj_padded(head.bytes) > r->n - r->at)
        return wrong(r, "a record is cut off");
    const size_t fixed = bodies[head.kind].fixed;
    if (head.bytes < fixed || (!bodies[head.kind].open && head.bytes != fixed))
        return wrong(r, "a record is of the wrong length");
    *out = (struct journal_record){.kind = (enum vj_kind)head.kind,
                                   .rest = r->bytes + r->at + fixed,
                                   .rest_bytes = (size_t)head.bytes - fixed};
    if (fixed > 0)
        memcpy(&out->u, r->bytes + r->at, fixed);
    r->at += (size_t)vj_padded(head.bytes);
    return fits(out) || wrong(r, "a record's parts do not fill it");
}
