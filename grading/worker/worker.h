/*
 * worker.h: the parts of the worker program, which is linked with the submission and runs it.
 *
 *   worker.c       main: talks to the grader (grading/src/lab/protocol.h), makes the calls
 *   observation.c  what the virtual GPU counted and found during a call
 *   facts.c        what it says, when it says it
 *   timing.c       how long a call takes, on a GPU or the CPU
 *   tally.c        from its counts to the grader's
 *   clock.c        the time of day, which may be set back
 *   lent.c         free and realloc, which must not be given a matrix
 *   heap.c, next.c memory of malloc between guard pages, and the C library's own
 *   buffers.c      the matrices the submission gets: host memory between guard pages, device memory
 *
 * The worker decides nothing. It returns raw bytes and CUDA's own codes; verdicts are the grader's.
 */
#pragma once

#include "grading/src/lab/protocol.h"

#include <cuda_runtime.h>

/* One matrix as the submission sees it. */
struct buffer {
    unsigned char *base; /* the region's first byte: host memory, or a device address */
    uint64_t bytes;
    bool device;
    void *map; /* host memory: the whole mapping, guard pages included */
    size_t map_bytes;
};

/* Allocates a region. In host memory it ends where an inaccessible page begins (regions are
 * multiples of 64 bytes there, so matrices stay aligned), or begins right behind one. Returns
 * cudaSuccess, or CUDA's error; cudaErrorMemoryAllocation also for host memory. */
cudaError_t worker_buffer_make(struct buffer *b, uint64_t bytes, bool device, bool at_start);
/* From now on host memory, and the virtual GPU's, may only be read, or be written again; a GPU's
 * memory may always. */
cudaError_t worker_buffer_protect(const struct buffer *b, bool read_only);
cudaError_t worker_buffer_put(const struct buffer *b, const void *from);
cudaError_t worker_buffer_get(const struct buffer *b, void *to);
void worker_buffer_free(struct buffer *b);

/* From now on the time of day lies so many seconds back; 0: it is what it is. */
void worker_clock_set_back(int64_t seconds);

/* The submission gives this back, by free or realloc. Is it one of the matrices, the grader is told
 * so, and the process ends. */
void worker_given_back(const void *p);

/* ---- heap.c: memory that a function on the CPU asks for ---- */

/* An address beside (or, once freed, in) a block of malloc's. */
struct heap_hit {
    int64_t byte; /* from the block's first one */
    uint64_t bytes;
    const void *asker; /* the caller of malloc, in whatever file */
    bool freed;
};

/* From now on malloc and calloc give out guarded blocks, or no longer: then stores behind the ends
 * of blocks that live are noticed (worker_heap_overrun), and what was freed goes back. */
void worker_heap_guard(bool on);
/* True: the block was one of these, and is freed. */
bool worker_heap_takes_back(void *p);
/* True: it is one of these, of so many bytes. */
bool worker_heap_knows(const void *p, size_t *bytes);
/* Does the address lie in a block's mapping? From a signal's handler. */
bool worker_heap_covers(const void *address, struct heap_hit *hit);
/* Adds the bytes of the blocks that live, and those of all mappings. */
void worker_heap_in_use(uint64_t *bytes, uint64_t *mapped);
/* worker.c: somebody has stored behind the block's end, or freed it twice: tells the grader, and
 * ends the process. */
void worker_heap_overrun(const struct heap_hit *hit);

void *worker_next_malloc(size_t bytes);
void *worker_next_calloc(size_t count, size_t size);
void *worker_next_realloc(void *p, size_t bytes);
void worker_next_free(void *p);

/* Sends a message to the grader, and what follows its body; ends the process when it cannot. By any
 * thread, and from a signal's handler. */
struct worker_part {
    const void *bytes;
    size_t count;
};
void worker_send(enum message_type type, const void *body, size_t body_bytes,
                 const struct worker_part *part, int parts);

/* Between these two, what the virtual GPU says is told to the grader at once. What it said before
 * comes with the call after it. The RESULT is sent with the second. */
void worker_facts_begin(const struct call_body *call);
void worker_facts_end(const struct result_body *result, const struct worker_part *part, int parts);

/* Around a call of the submission's function: starts counting; tells the grader what was seen. */
void worker_observe_begin(const struct call_body *call);
void worker_observe_end(uint32_t id);

/* The nanoseconds one call takes, by the device's clock, when others follow at once: the least of
 * several rounds. 0 when a CUDA call fails. */
typedef void worker_function(int m, int n, int k, const float *A, const float *B, float *C);
uint64_t worker_time_calls(worker_function *function, const struct call_body *call,
                           float *const matrix[MATRIX_COUNT]);
/* The same of a function that computes on the CPU, by the host's clock. */
uint64_t worker_time_on_cpu(worker_function *function, const struct call_body *call,
                            float *const matrix[MATRIX_COUNT]);

/* The journal of what the virtual GPU does (vgpu_journal.h), when the grader asked for one: copies
 * of ours are none of it; matrix `matrix` (enum matrix_name) has been filled; what was recorded
 * since the last time goes to the grader. */
void worker_journal_hold(bool hold);
void worker_journal_matrix(int matrix, const struct buffer *b);
void worker_journal_send(uint32_t id);

/* Does the address lie in host memory of this buffer, or in the inaccessible pages beside it? */
bool worker_buffer_covers(const struct buffer *b, const void *address);
/* Does it lie in the buffer itself, in host memory or the device's? */
bool worker_buffer_holds(const struct buffer *b, const void *address);
