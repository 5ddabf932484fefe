/*
 * vgpu_facts.h: all that the virtual GPU can say, as values: which message it is, and its fields.
 *
 * A message is an entry of VGPU_FACT_LIST and a struct vgpu_fact. Whoever has to decide something
 * looks at these; vgpu/src/memory/facts.c alone makes sentences of them, for people. A field that
 * a message has no use for is zero, a text empty.
 */
#ifndef VGPU_FACTS_H
#define VGPU_FACTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels and libraries, whose faults last: every later call fails. */
#define VGPU_FAULT_LIST(X)                                                                         \
    X(ILLEGAL_ACCESS)                                                                              \
    X(HOST_POINTER)                                                                                \
    X(MISALIGNED)                                                                                  \
    X(STACK_OVERFLOW)                                                                              \
    X(STACK_SPOILED)                                                                               \
    X(TRAP)                                                                                        \
    X(ASSERTION)                                                                                   \
    X(ENDLESS)                                                                                     \
    X(WARP_DEADLOCK)                                                                               \
    X(BARRIER_TOO_FEW)                                                                             \
    X(BARRIERS_APART)                                                                              \
    X(BARRIER_MISSED)                                                                              \
    X(GRID_DEADLOCK)                                                                               \
    X(MBARRIER_DEADLOCK)                                                                           \
    X(MBARRIER_NOT_SHARED)                                                                         \
    X(MBARRIER_NONE)                                                                               \
    X(MBARRIER_ARRIVALS)                                                                           \
    X(MBARRIER_COUNT)                                                                              \
    X(MBARRIER_PENDING)                                                                            \
    X(NULL_FUNCTION)                                                                               \
    X(NO_FUNCTION)                                                                                 \
    X(BRANCH_TABLE)                                                                                \
    X(BARRIER_NUMBER)                                                                              \
    X(NOT_COOPERATIVE)                                                                             \
    X(WARP_NOT_WHOLE)                                                                              \
    X(WARP_PARTS)                                                                                  \
    X(DEVICE_FREE)                                                                                 \
    X(TEXTURE_NONE)                                                                                \
    X(TEXTURE_SHAPE)                                                                               \
    X(UNKNOWN_INSTRUCTION)                                                                         \
    X(BLAS_MATRIX_SHORT)                                                                           \
    X(BLAS_MATRIX_AT)                                                                              \
    X(BLAS_VECTOR_SHORT)                                                                           \
    X(BLAS_VECTOR_AT)

/* Calls that are refused, or that are noticed. */
#define VGPU_REFUSAL_LIST(X)                                                                       \
    X(NOT_LOADED)                                                                                  \
    X(NO_KERNEL)                                                                                   \
    X(NO_VARIABLE)                                                                                 \
    X(VARIABLE_QUOTED)                                                                             \
    X(VARIABLE_LEFT_OUT)                                                                           \
    X(SYMBOL_RANGE)                                                                                \
    X(LAUNCH_UNCONFIGURED)                                                                         \
    X(LAUNCH_EMPTY)                                                                                \
    X(LAUNCH_SIDE)                                                                                 \
    X(LAUNCH_THREADS)                                                                              \
    X(LAUNCH_BOUNDS)                                                                               \
    X(LAUNCH_SHARED)                                                                               \
    X(COOPERATIVE_TOO_LARGE)                                                                       \
    X(SHARED_ATTRIBUTE)                                                                            \
    X(UNSUPPORTED)                                                                                 \
    X(DEAD_STREAM)                                                                                 \
    X(EVENT_NONE)                                                                                  \
    X(EVENT_UNRECORDED)                                                                            \
    X(EVENT_UNTIMED)                                                                               \
    X(EVENT_EARLY)                                                                                 \
    X(COPY_TOO_LARGE)                                                                              \
    X(COPY_PAST_MALLOC)                                                                            \
    X(COPY_PAST_FRAME)                                                                             \
    X(COPY_NULL)                                                                                   \
    X(COPY_ELSEWHERE)                                                                              \
    X(COPY_FROM_HOST)                                                                              \
    X(COPY_SHADOW)                                                                                 \
    X(SHADOW_WRITTEN)                                                                              \
    X(SHADOW_READ)                                                                                 \
    X(COPY_FROM_DEVICE)                                                                            \
    X(COPY_CHANGED)                                                                                \
    X(COPY_UNWRITTEN)                                                                              \
    X(PITCH)                                                                                       \
    X(CAPTURE_DEFAULT)                                                                             \
    X(CAPTURE_SPOILT)                                                                              \
    X(CAPTURE_UNJOINED)                                                                            \
    X(GRAPH_CYCLE)                                                                                 \
    X(SURFACE_FLAG)                                                                                \
    X(ARRAY_NONE)                                                                                  \
    X(ARRAY_RANGE)                                                                                 \
    X(POOL_NONE)                                                                                   \
    X(POOL_FULL)                                                                                   \
    X(FREED_TWICE)                                                                                 \
    X(FREED_VARIABLE)                                                                              \
    X(FREED_REGISTERED)                                                                            \
    X(FREED_BY_OTHER)                                                                              \
    X(FREED_INSIDE)                                                                                \
    X(FREED_UNKNOWN)                                                                               \
    X(HOST_ACCESS)                                                                                 \
    X(HOST_EARLY)                                                                                  \
    X(HOST_OVERWRITES)                                                                             \
    X(HOST_FREED)                                                                                  \
    X(HOST_BESIDE)                                                                                 \
    X(DEAD_HANDLE)                                                                                 \
    X(NULL_HANDLE)                                                                                 \
    X(HANDLE_DESTROYED)                                                                            \
    X(NULL_HANDLE_DESTROYED)                                                                       \
    X(BLAS_STRIDE)                                                                                 \
    X(BLAS_STRIDE_ROWS)                                                                            \
    X(BLAS_STRIDES)                                                                                \
    X(BLAS_STEP)                                                                                   \
    X(BLAS_OPERATION)                                                                              \
    X(BLAS_OPERATIONS)                                                                             \
    X(BLAS_CHOICE)                                                                                 \
    X(BLAS_LEADING)                                                                                \
    X(BLAS_NEGATIVE)                                                                               \
    X(BLAS_NEGATIVE_SIDE)                                                                          \
    X(BLAS_IN_PLACE)                                                                               \
    X(BLAS_UNWRITTEN)                                                                              \
    X(BLAS_NULL_MATRIX)                                                                            \
    X(BLAS_NULL_SCALAR)                                                                            \
    X(BLAS_DEVICE_SCALAR)                                                                          \
    X(BLAS_MODE)                                                                                   \
    X(BLAS_TYPES)                                                                                  \
    X(MADE_TO_FAIL)                                                                                \
    X(OUT_OF_HOST_MEMORY)                                                                          \
    X(NO_PLACE_FOR_POINTER)                                                                        \
    X(OUT_OF_DEVICE_MEMORY)                                                                        \
    X(NO_DEVICE_MEMORY)                                                                            \
    X(NO_ADDRESS_SPACE)                                                                            \
    X(HOST_TOO_SMALL)                                                                              \
    X(BUDGET)                                                                                      \
    X(BAD_SETTING)                                                                                 \
    X(NO_DEVICE)                                                                                   \
    X(NO_SUCH_DEVICE)                                                                              \
    X(NO_CHECKER)                                                                                  \
    X(PRINT_UNWAITED)                                                                              \
    X(PRINT_STAR) /* a warning: a GPU prints something else */                                     \
    X(FILMED)                                                                                      \
    X(NOT_FILMED)                                                                                  \
    X(MORE_FINDINGS)

/* What checkers find, beside these. From COPY_UNDER_WAY to COPY_INTO_USE: reads of what a copy in
 * the background has not brought yet. */
#define VGPU_CHECKER_LIST(X)                                                                       \
    X(RACE)                                                                                        \
    X(RACES_LOST)                                                                                  \
    X(STREAM_RACE)                                                                                 \
    X(OTHERS_LOCAL)   /* a thread loads a pointer to another one's local variable */               \
    X(CACHED_WRITTEN) /* __ldg of what the kernel has written */                                   \
    X(STRAY_WRITE)                                                                                 \
    X(NEVER_WRITTEN)                                                                               \
    X(BYTES_SET)         /* a warning: cudaMemset's value is in each byte, not in each element */  \
    X(CONSTANT_UNFILLED) /* a warning: such memory holds zeros */                                  \
    X(COPY_UNDER_WAY)                                                                              \
    X(COPY_LEFT_OPEN) /* by the last wait; count: its group, from the newest; limit: as many */    \
    X(COPY_GROUP_MISSING) /* the same, and no group was committed since the wait before */         \
    X(COPY_IN_NO_GROUP)                                                                            \
    X(COPY_INTO_USE)                                                                               \
    X(LANE_GONE)    /* a warning: a shuffle from a lane that has ended, */                         \
    X(LANE_BESIDE)  /* a warning: from one that its mask does not name */                          \
    X(LANE_UNNAMED) /* a lane's own mask does not name it */                                       \
    X(DIVIDED_BY_ZERO)                                                                             \
    X(BARRIERS_DIFFER)                                                                             \
    X(THREADS_GONE)                                                                                \
    X(LEAK)

#define VGPU_FACT_LIST(X)                                                                          \
    VGPU_FAULT_LIST(X)                                                                             \
    VGPU_REFUSAL_LIST(X)                                                                           \
    VGPU_CHECKER_LIST(X)

enum vgpu_says {
    VGPU_SAYS_NOTHING,
#define VGPU_ENTRY(name) VGPU_##name,
    VGPU_FACT_LIST(VGPU_ENTRY)
#undef VGPU_ENTRY
        VGPU_SAYS_COUNT
};

/* What a finding of the checkers is: its name in result formats and rubrics, which programs read
 * and which never changes, and what people read. By the alphabet. */
#define VGPU_FOUND_LIST(X)                                                                         \
    X(BARRIER, "barrier", "barrier")                                                               \
    X(DIVISION, "division", "division by zero")                                                    \
    X(ENDLESS, "endless", "endless")                                                               \
    X(FAULT, "fault", "fault")                                                                     \
    X(LEAK, "leak", "leak")                                                                        \
    X(MEMORY, "memory", "memory")                                                                  \
    X(RACE, "race", "race")                                                                        \
    X(UNINITIALIZED, "uninitialized", "uninitialised read")

enum vgpu_found {
#define VGPU_ENTRY(name, text, words) VGPU_FOUND_##name,
    VGPU_FOUND_LIST(VGPU_ENTRY)
#undef VGPU_ENTRY
        VGPU_FOUND_COUNT
};

/* Of races: what was done first, and what then, without waiting. */
enum vgpu_hazard { VGPU_NO_HAZARD, VGPU_RAW, VGPU_WAR, VGPU_WAW, VGPU_HAZARD_COUNT };

enum vgpu_space {
    VGPU_SPACE_GLOBAL,
    VGPU_SPACE_SHARED,
    VGPU_SPACE_LOCAL,
    VGPU_SPACE_CONSTANT,
    VGPU_SPACE_PARAMETER,
    VGPU_SPACE_COUNT
};

enum vgpu_access { VGPU_READS, VGPU_WRITES, VGPU_UPDATES, VGPU_USES, VGPU_ACCESS_COUNT };

/* What lies at `address`, seen from the memory that it most likely meant. */
enum vgpu_place {
    VGPU_AT_UNKNOWN,
    VGPU_AT_START,
    VGPU_AT_INSIDE,   /* `distance` bytes into it */
    VGPU_AT_OVER_END, /* the access begins at `distance` bytes, and ends `excess` bytes past it */
    VGPU_AT_PAST,     /* `distance` bytes behind its end; 0: just behind */
    VGPU_AT_BEFORE,   /* `distance` bytes before its start */
    VGPU_AT_NULL,
    VGPU_AT_NEAR_NULL, /* `distance` bytes past a null pointer */
    VGPU_AT_NOTHING,   /* a device address that was never allocated */
    VGPU_AT_HOST,
    VGPU_AT_NO_ARRAY, /* shared or local memory between the kernel's arrays */
    VGPU_AT_GONE, /* of a local variable whose function has returned, or whose block has ended */
    VGPU_AT_READ_ONLY, /* `distance` bytes into it; it may not be written (vgpu_lend) */
    VGPU_AT_COUNT
};

/* The memory itself: `serial` is an allocation's number, `name` a variable's or an array's name,
 * `room` its bytes. */
enum vgpu_memory {
    VGPU_MEMORY_UNKNOWN,
    VGPU_MEMORY_ALLOCATION,
    VGPU_MEMORY_VARIABLE,
    VGPU_MEMORY_TEXT, /* a string constant; `name` is how it begins */
    VGPU_MEMORY_MADE, /* something else that the compiler made, without a name of the program's */
    VGPU_MEMORY_PINNED,
    VGPU_MEMORY_MANAGED,
    VGPU_MEMORY_SHARED, /* an array; without a name, all of shared memory */
    VGPU_MEMORY_LOCAL,
    VGPU_MEMORY_HEAP, /* a piece from malloc in device code */
    VGPU_MEMORY_COUNT
};

/* What a host address belongs to. */
enum vgpu_host {
    VGPU_HOST_UNKNOWN,
    VGPU_HOST_STACK,
    VGPU_HOST_STATIC,
    VGPU_HOST_HEAP,
    VGPU_HOST_SHADOW /* the host's copy of the device's variable `name` */
};
enum { VGPU_HOST_COUNT = VGPU_HOST_SHADOW + 1 };

/* One end of a copy. */
enum vgpu_end { VGPU_NO_END, VGPU_DESTINATION, VGPU_SOURCE, VGPU_RANGE, VGPU_END_COUNT };

/* Of a copy: the numbers are enum cudaMemcpyKind's. */
enum vgpu_direction {
    VGPU_HOST_TO_HOST,
    VGPU_HOST_TO_DEVICE,
    VGPU_DEVICE_TO_HOST,
    VGPU_DEVICE_TO_DEVICE,
    VGPU_ANY_DIRECTION,
    VGPU_DIRECTION_COUNT
};

struct vgpu_fact {
    uint32_t says;   /* enum vgpu_says */
    uint32_t status; /* the cudaError_t that the call or the fault leads to; 0: none, or cuBLAS's */
    uint32_t space, access, place, memory, host, end; /* the enums above */
    uint32_t freed;                                   /* 1: the memory was freed before */
    uint32_t dynamic; /* 1: a shared array whose size each launch gives */
    uint32_t serial;
    uint32_t argument;   /* of the kernel, from 1, that leads to the memory; 0: none */
    uint32_t direction;  /* enum vgpu_direction */
    uint32_t has_thread; /* 1: `kernel`, `file`, `line`, `block` and `thread` tell who did it */
    uint32_t one_warp;   /* 1: a race between two threads of a warp, which nothing orders */
    uint32_t copied;     /* 1 or 2: this one of a race's two is a copy in the background; 0: none */
    uint32_t read_first; /* 1: a race between threads that read first and store then, as far as what
                          * each did since the last barrier tells */
    uint32_t
        next_round;   /* 1: a race in one line of a loop without a barrier, whose rounds may meet */
    uint32_t matrix;  /* 1: a warp loads or stores a matrix here (wmma): by its address, its layout
                      * and the length of its rows */
    uint32_t product; /* of cuBLAS, 1: the call multiplies matrices */
    uint32_t block[3], thread[3];
    int32_t line; /* 0: unknown */
    uint64_t address, size, room, distance, excess, limit, count;
    int64_t number[6]; /* of cuBLAS: as its calls name them, rows and columns first */
    char call[256];    /* the function that was called */
    char name[256], other[256];
    char kernel[160], file[256];
};

/* Is this a fault, after which every later call fails? */
static inline int vgpu_fact_is_fault(const struct vgpu_fact *f) {
    return f->says >= VGPU_ILLEGAL_ACCESS && f->says <= VGPU_BLAS_VECTOR_AT;
}

/* For programs. */
static inline const char *vgpu_found_name(uint32_t kind) {
    static const char *const names[] = {
#define VGPU_ENTRY(name, text, words) text,
        VGPU_FOUND_LIST(VGPU_ENTRY)
#undef VGPU_ENTRY
    };
    return kind < VGPU_FOUND_COUNT ? names[kind] : "?";
}

/* For people. */
static inline const char *vgpu_found_words(uint32_t kind) {
    static const char *const names[] = {
#define VGPU_ENTRY(name, text, words) words,
        VGPU_FOUND_LIST(VGPU_ENTRY)
#undef VGPU_ENTRY
    };
    return kind < VGPU_FOUND_COUNT ? names[kind] : "?";
}

/* "RAW", "WAR", "WAW"; empty for none. */
static inline const char *vgpu_hazard_name(uint32_t hazard) {
    static const char *const names[] = {"", "RAW", "WAR", "WAW"};
    return hazard < VGPU_HAZARD_COUNT ? names[hazard] : "?";
}

/* Hands each message to `hear` when it is said, with its words, which may have several lines. It
 * is called with the virtual GPU's lock held, by any thread, and in a signal's handler: it must not
 * call back, nor anything that is not async-signal-safe. NULL: nobody listens. */
void vgpu_listen(void (*hear)(const struct vgpu_fact *fact, const char *words));

#ifdef __cplusplus
}
#endif

#endif
