/*
 * copy.h: what copies of all shapes share: rows of bytes from one side to the other.
 */
#pragma once

#include "vgpu/src/runtime/context.h"

/* A rectangle of bytes: rows of `width` bytes, `pitch` apart, in slices `slice` apart. */
typedef struct extent {
    size_t width, height, depth;
} extent;

typedef struct side {
    enum vgpu_end end;
    const void *ptr;
    size_t pitch, slice;
} side;

/* The call that asks for a copy. */
typedef struct request {
    const char *call;
    bool async; /* it may return before the copy is made */
    cudaStream_t stream;
    const void *caller; /* in the program; NULL: unknown */
} request;

/* In an API function. */
#define NOW(name)           ((request){name, false, NULL, __builtin_return_address(0)})
#define ASYNC(name, stream) ((request){name, true, stream, __builtin_return_address(0)})

/* Fills rows with a byte, as cudaMemsetAsync. */
cudaError_t vg_set_call(const side *to, extent e, int value, cudaStream_t stream);
/* Checks what all copies have in common, then copies: an API function's body. */
cudaError_t vg_copy_call(request r, const side *to, const side *from, extent e,
                         enum cudaMemcpyKind kind);
