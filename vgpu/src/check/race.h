/*
 * race.h: what the parts of the race checker share. Two threads race when both access a byte, at
 * least one writes, not both are atomic, and nothing orders the two accesses: no barrier, no
 * __syncwarp. See README.md for the whole picture.
 *
 *     race.c          the observer: takes an access apart into runs, finds the shadow, launches
 *     race_unit.c     one byte or word: is the new access ordered after those remembered?
 *     race_runs.c     the same for up to 16 words at once, for what nearly all accesses are
 *     race_atomic.c   atomics: those that add nothing, and what they order
 *     race_later.c    reads of shared memory, until somebody writes there
 *     race_noted.c    accesses to shared memory that the executor tells together
 *     race_exact.c    bytes with a complicated history: a full list of accesses; vector clocks
 *     race_blocks.c   between blocks: what each block did to each word, compared after the fact
 *     race_states.c   the same, a word at a time; race_merge.c: sixteen at once
 *     race_told.c     what is told of races between blocks
 *     race_streams.c  between streams: kernels and copies that nothing orders
 *     race_cached.c   loads through the read-only cache of what the kernel has written
 *     race_last.c     what to say of the last block, and a fence that is missing
 *     race_host.c     between a kernel that reads and the host that writes
 *     race_report.c   from two accesses to a finding
 *
 * Who. An access is packed in 32 bits. `op` is the instruction's index in the program, plus 1, so
 * that 0 is nobody:
 *
 *      31            12 11 10 9     5 4     0
 *     |      op        |class| warp  | lane  |
 *
 * Time. A worker counts what its block does to order accesses (the block's start, each barrier,
 * each __syncwarp): `now`. An access is stamped with it. What was stamped before `floor`, the last
 * barrier of all threads, is ordered before everything to come; what another lane of one's own warp
 * did before warp_floor[warp] is, too.
 */
#pragma once

#include "vgpu/src/check/check.h"
#include "vgpu/src/check/findings.h"
#include "vgpu/src/check/gate.h"
#include "vgpu/src/check/lane_runs.h"
#include "vgpu/src/check/regions.h"
#include "vgpu/src/core/observe.h"

#include <pthread.h>

enum race_class { RACE_READ = 1, RACE_WRITE = 2, RACE_ATOMIC = 3 };

enum { WHO_CLASS_SHIFT = 10, WHO_OP_SHIFT = 12, WHO_THREAD = 1023, MAX_OPS = (1 << 20) - 2 };
/* In granule.w: the unit's history is an exact list, number r1, last touched at r2. */
#define WHO_LISTED 0xFFFFFFFFu

static inline uint32_t who_thread(uint32_t who) {
    return who & WHO_THREAD;
}
static inline uint32_t who_warp(uint32_t who) {
    return who >> 5 & 31;
}
static inline enum race_class who_class(uint32_t who) {
    return (enum race_class)(who >> WHO_CLASS_SHIFT & 3);
}
static inline uint32_t who_op(uint32_t who) {
    return (who >> WHO_OP_SHIFT) - 1;
}

/*
 * What is remembered of 64 bytes: 16 words, or, once an access smaller than a word came along, 64
 * bytes (bytes_granule). For each unit, the last write, and the accesses since that must not meet
 * a write: reads, or else atomics (never both: then the unit is listed). Two of those suffice: any
 * thread that comes later differs from one of them; they are of two warps if any two were.
 *
 *     w, ws      last plain write and its stamp; w is 0 for none
 *     r1, r2, rs one or two reads (atomics), and the stamp of the last that changed the set
 *
 * Accesses older than the last barrier (ws, rs < floor) can race with nothing any more inside the
 * block; they stay for race_blocks.c, which wants to know what the block did.
 */
typedef struct granule {
    uint32_t owner;   /* global memory: the granule this belongs to                         */
    uint32_t bytes;   /* 0, or 1 + number of the bytes_granule that replaced the units here */
    uint64_t mixed;   /* units that the block wrote different values to; bit per unit       */
    uint64_t varied;  /* the same, since the unit's last floor                              */
    bool atomics;     /* atomic accesses have been here                                     */
    uint32_t settled; /* if at or above the floor: all words have readers in two warps, no writer:
                         another read has nothing to add                                   */
    uint32_t many, many_floor; /* words that atomics of two warps updated since that floor, and
                                  nobody else touched: bit per word; see race_atomic.c        */
    uint8_t *image; /* 64 bytes: the values last written; NULL before the first write     */
    uint32_t w[16], ws[16], r1[16], r2[16], rs[16];
} granule;

typedef struct bytes_granule {
    uint64_t mixed, varied;
    uint32_t w[64], ws[64], r1[64], r2[64], rs[64];
} bytes_granule;

/* The units of a granule, of either kind. */
typedef struct units {
    uint32_t *w, *ws, *r1, *r2, *rs;
    uint64_t *mixed, *varied;
    uint8_t *image;
    uint32_t unit_shift; /* 2: words, 0: bytes */
} units;

/* One access in the history of a listed unit: lanes of one warp at one time. */
typedef struct exact_item {
    uint32_t lanes, stamp;
    uint32_t who; /* of lane 0 */
} exact_item;

typedef struct exact {
    exact_item *items;
    uint32_t count, room;
    uint32_t first[4]; /* by class: the first access of the block, 0 for none */
    uint32_t last[4];  /* by class: the stamp of the last access              */
} exact;

/* Memory in chunks: what is in it stays where it is. */
enum { POOL_CHUNK = 512, POOL_CHUNKS = 1 << 16 };
typedef struct pool {
    void **chunk;
    uint32_t num_chunks, used;
    size_t item;
} pool;

static inline void *pool_at(const pool *p, uint32_t i) {
    return (uint8_t *)p->chunk[i / POOL_CHUNK] + (size_t)(i % POOL_CHUNK) * p->item;
}
/* Number of a new item (zeroed the first time it is given out), UINT32_MAX when out of memory. */
uint32_t pool_take(pool *p);
void pool_free(pool *p);

/* Which of two accesses to shared memory the program means to come first, as far as what each warp
 * has done since the last barrier tells: who has stored his own share before he reads what others
 * store is of a program that stores first. A warp that never does the other thing tells nothing. */
enum race_order { RACE_STORE_FIRST = 1, RACE_READ_FIRST = 2 };

/* Two accesses that race, by what makes them one finding inside a worker. */
typedef struct race_found {
    uint32_t who1, who2; /* the example: the earlier access and the later one */
    uint64_t block1, block2;
    uint64_t at;     /* address, or offset in shared memory, of the unit  */
    uint32_t unit;   /* its bytes                                         */
    uint32_t object; /* shared: 0; global: 1 + number of the region       */
    uint8_t orders;  /* bits of enum race_order, of all times             */
    bool same_value; /* of every time: both wrote the same value          */
    uint64_t count;  /* bytes, each time */
} race_found;

/* What those who arrived at one phase of an mbarrier knew. */
typedef struct race_signal {
    uint64_t key;
    uint32_t *known;              /* a clock: by thread                            */
    uint32_t taken[VG_MAX_WARPS]; /* lanes of each warp that took it as it is now  */
    /* Of each warp's entries, once taken by any. */
    uint32_t least[VG_MAX_WARPS], most[VG_MAX_WARPS];
} race_signal;

typedef struct race_checker race_checker;

/* The first write, in the order of blocks, addresses and threads, to what only is read (stores.h),
 * and how many there were. */
typedef struct race_stray {
    uint64_t count, block, at;
    const op *op;
    const vg_region *region;
    uint32_t thread;
} race_stray;

/* In kernels that have volatile accesses and no fences: when the block first touched memory by such
 * an access or an atomic, and when it last wrote so: there, and in another allocation. */
typedef struct race_strong {
    uint32_t stamp; /* 0: never */
    const vg_region *region;
} race_strong;

/* Reads of shared memory that are judged only when somebody writes there: see race_later.c. */
typedef struct race_later_item {
    vg_noted read;
    uint32_t now, mask;
    uint32_t lanes; /* where all lanes' places are, if halves do not tell */
} race_later_item;

typedef struct race_later {
    race_later_item *items;
    uint32_t (*lanes)[VG_LANES];
    uint32_t count, lanes_count;
    /* The floor at which a read was put down that touched a granule, or somebody wrote there. */
    uint32_t *read, *written;
    uint32_t room_for_granules;
    /* The floor at which too many reads were put down, or it was not known what was written. */
    uint32_t full, any_written;
    uint32_t last_written; /* the floor at which anything was */
    uint32_t judged;       /* the floor at which a read was judged at once */
    /* Words of each granule that noted stores write: a bit each, below the round in which they were
     * compared. */
    uint64_t *stored;
    uint64_t round;
} race_later;

typedef struct race_worker {
    race_checker *checker;
    const launch *launch;
    const host_thread *running; /* while noted accesses are told: whose they are       */
    const uint32_t *told;       /* and the words of the store that is told, else NULL  */
    uint64_t block;
    uint32_t now, floor;
    /* Stamps, 0 for none: see race_states.h. */
    uint32_t first_atomic, last_fence, released;
    race_strong first_strong[2], last_strong[2];
    uint32_t warp_floor[VG_MAX_WARPS];
    uint32_t begin; /* the floor at the block's start */
    /* Stamps of each warp's last accesses to shared memory. */
    uint32_t read_shared[VG_MAX_WARPS], stored_shared[VG_MAX_WARPS];
    /* Of all clocks of the first warp's threads for the second's: none is earlier, none later. */
    uint32_t clocks_least[VG_MAX_WARPS][VG_MAX_WARPS], clocks_most[VG_MAX_WARPS][VG_MAX_WARPS];
    bool images_of_shared; /* shared[i].image are set */
    granule *shared;       /* dense: granule number = offset / 64, dynamic array moved down */
    uint8_t *shared_images;
    uint32_t shared_granules;
    uint32_t static_bytes, dynamic_bytes, dynamic_first; /* of this launch; a granule's number */
    race_later later;
    pool granules, bytes, images, lists;
    uint32_t *clocks;              /* NULL, or threads x threads: see race_exact.c */
    uint32_t *arrived;             /* barriers x threads: what those that only arrived knew */
    bool pending[VG_MAX_BARRIERS]; /* arrived[id] holds something */
    race_signal *signals;          /* of mbarriers, this block */
    uint32_t num_signals, room_for_signals;
    uint32_t threads;
    race_found *found; /* a hash table, FOUND_SLOTS */
    race_stray stray;
    bool any_found;
    bool out_of_memory;
    char apart[64]; /* no cache line shared with the next worker */
} race_worker;

enum {
    FOUND_SLOTS = 4096,
    ORDER_KINDS = 4,    /* see race_states.h, RELEASED */
    MAX_SITES = 255,    /* lines that access memory; those past it share the last number */
    VG_MAX_ACCESS = 256 /* bytes: op.bytes is 8 bits wide */
};

/* One warp's access to one space, and what all of its units have in common. */
typedef struct race_scene {
    race_worker *rw;
    const vg_access *access;
    const vg_region *region; /* NULL: shared memory */
    uint32_t object;
    uint32_t who; /* of lane 0 */
    uint32_t warp;
    uint64_t at; /* of the unit at hand, for the report */
} race_scene;

/* ---- race.c ---- */

/* The units of a granule: words, or bytes if it has been split. */
units race_units_of(const race_worker *rw, granule *g);

/* ---- race_unit.c ---- */

/* The access of one lane, or (reads and atomics) of several lanes at once, to unit i.
 * value: the bytes that a write stores in the unit, or NULL. */
void race_unit(race_scene *s, const units *u, uint32_t i, uint32_t lanes, const uint8_t *value);

/* ---- race_atomic.c ---- */

/* The update at that place has nothing to add, in a kernel without fences and lists. */
bool race_one_of_many(const race_scene *s, uint64_t at);
/* The same, as far as is marked, of a whole warp's updates. r: NULL: shared memory. */
bool race_all_of_many(const race_worker *rw, const vg_access *a, const vg_region *r);
/* In kernels with fences: a fence that other blocks may count on, and an atomic on global memory,
 * by which the block may meet them. */
void race_at_fence(race_worker *rw);
void race_begin_atomic(race_worker *rw, const vg_access *a);
/* The same of an atomic or volatile access in kernels that have volatile ones and no fences. */
void race_begin_strong(race_worker *rw, const vg_region *r, bool writes);
/* The latest of two that is not of this region: its stamp, or 0. */
static inline uint32_t race_other_strong(const race_strong of[2], const vg_region *r) {
    return of[0].region == r ? of[1].stamp : of[0].stamp;
}
/*
 * Locks. In kernels that have a fence and what a lock or a flag is made of (compare-and-swap,
 * exchange, loads and stores that name an order), an atomic access to an address passes on what was
 * known: whoever comes to that address later knows what was done before those who were there.
 * Addresses share a few dozen keys: that two locks are taken for one can hide a race and makes
 * none.
 */
void race_pass_on(race_worker *rw, const vg_access *a);

/* ---- race_runs.c, for each instruction set ---- */

/* Words i … i + n - 1 of a granule, read (written) by lanes who, who + step, …; false, and nothing
 * done, when a look at each unit is needed. */
typedef struct race_runs {
    bool (*read)(granule *g, uint32_t i, uint32_t n, uint32_t who, uint32_t step,
                 const race_worker *rw);
    bool (*write)(granule *g, uint32_t i, uint32_t n, uint32_t who, uint32_t step,
                  const race_worker *rw, bool history);
    void (*shape)(const uint64_t *at, uint64_t size, vg_shape *shape);
    /* The same but for low and high, which shared memory does not need. */
    void (*chains)(const uint64_t *at, uint64_t size, vg_shape *shape);
    /* All of 32 addresses lie from begin to begin + reach. */
    bool (*within)(const uint64_t *at, uint64_t begin, uint64_t reach);
} race_runs;
const race_runs *race_runs_best(void);

/* An access to shared memory. */
void race_on_shared(race_checker *c, const vg_passed *p);

/* ---- race_noted.c ---- */

/* Reads of shared memory, which are put off, and stores of words into it, which are judged: a
 * glance (gate.h) that permits to note the next ones. */
bool race_on_glance(void *self, const vg_access *a, vg_permit *permit);
/* The observer's. */
void race_on_noted(void *self, host_thread *wk, bool before_barrier);

/* ---- race_later.c ---- */

bool race_later_begin(race_worker *rw); /* a launch; false: out of memory */
void race_later_free(race_worker *rw);
/* A plain read of shared memory. True: it is put down. */
bool race_later_read(race_worker *rw, const vg_access *a);
/* The same of one whose halves have a shape; false: race_later_read must be asked. */
bool race_later_halves(race_worker *rw, const vg_noted *read);
/* Hands such a read, or a store of words, to judge, as an access of the block. */
void race_later_tell(race_worker *rw, const block *b, const vg_noted *read,
                     void (*judge)(race_checker *c, const vg_passed *p));
/* Any other access to shared memory: true when what is put down must be judged before it. */
bool race_later_is_due(race_worker *rw, const vg_access *a, bool writes);
void race_later_judge(race_worker *rw, const block *b,
                      void (*judge)(race_checker *c, const vg_passed *p));

/* ---- race_exact.c ---- */

bool race_exact_begin(race_worker *rw, const launch *l);
/* True when the kernel orders some of a block's threads but not all: everything is listed then. */
bool race_exact_needed(const launch *l);
void race_exact_touch(race_scene *s, const units *u, uint32_t i, uint32_t lanes,
                      const uint8_t *value);
/* Makes unit i a listed one, from what is remembered of it. history: to be kept until the block's
 * end; otherwise it may be forgotten at a barrier. */
void race_exact_list(race_worker *rw, const units *u, uint32_t i, bool history);
/* Number of a copy of list `from`. */
uint32_t race_exact_copy(race_worker *rw, uint32_t from);
/* Threads (bits by warp) have met, at barrier id (-1: at none). */
void race_exact_meet(race_worker *rw, const uint32_t lanes[VG_MAX_WARPS], int id);
/* Threads have let barrier id know that they were here. */
void race_exact_arrive(race_worker *rw, const uint32_t lanes[VG_MAX_WARPS], int id);
/* Threads (bits by warp) arrive at a phase of an mbarrier; first: of that phase. */
void race_exact_signal(race_worker *rw, const uint32_t lanes[VG_MAX_WARPS], uint64_t key,
                       bool first);
/* Threads have found that phase complete. */
void race_exact_acquire(race_worker *rw, const uint32_t lanes[VG_MAX_WARPS], uint64_t key);
void race_exact_free(race_worker *rw);
void race_lists_free(race_worker *rw);

/* ---- race_blocks.c ---- */

typedef struct race_blocks race_blocks;
race_blocks *race_blocks_create(void);
void race_blocks_destroy(race_blocks *b);
/* False: out of memory. */
bool race_blocks_begin(race_blocks *b, const race_checker *c);
/* What the worker's block did to global memory; called at its end. */
void race_blocks_merge(race_blocks *b, const race_worker *rw);
/* Hands all races between blocks up to last_block to add. */
void race_blocks_report(race_blocks *b, const race_checker *c, uint64_t last_block,
                        void (*add)(void *arg, const race_found *f), void *arg);

/* True when memory ran out in the launch. */
bool race_blocks_lost(const race_blocks *b);
/* The access of a lane to global memory that is at hand, against what ended blocks did there: tells
 * at once of those that race with it. value: the bytes that it stores, or NULL. */
void race_blocks_meet(race_blocks *b, const race_scene *s, uint32_t lane, const uint8_t *value);

/* ---- race_report.c ---- */

/* Notes a race within the worker's block. */
void race_note(race_scene *s, uint32_t earlier, uint32_t later, uint32_t unit, bool same_value);
/* Enters one in a table, or counts it. True: it is the first of its instructions and array. */
bool race_found_add(race_found *table, const race_found *f);
/* Tells whoever wants to know at once; who2 is about to do it. */
void race_tell_now(const race_checker *c, const launch *l, const race_found *f);
/* Turns what the workers (and race_blocks) found into findings. */
void race_publish(race_checker *c, const launch *l, const vg_fault *fault);
/* All blocks have come to a grid.sync(): what they did so far is judged. */
void race_end_phase(race_checker *c);

/* Can a thread come to b after a? Where it cannot be told, it can. */
bool race_leads_to(const launch *l, const op *a, const op *b);

/* ---- race_last.c ---- */

/* Advice where the last block to count itself reads what others have stored; false: it is another
 * race. */
bool race_last_words(const launch *l, const race_found *f, const vg_finding *out, char *words,
                     size_t len);

/* ---- race_locals.c: pointers to a thread's local variables that another thread loads ---- */

typedef struct race_locals race_locals;
bool race_locals_begin(race_checker *c, const launch *l); /* false: out of memory */
void race_locals_destroy(race_checker *c);
/* Is the access to be passed on? Most kernels have none. */
bool race_locals_wants(const race_checker *c, const vg_access *a);
void race_locals_pass(race_worker *rw, const vg_access *a);
/* Of the blocks up to `last`. */
void race_locals_publish(race_checker *c, const launch *l, uint64_t last, bool complete);

/* ---- race_cached.c ---- */

typedef struct race_cached race_cached;
bool race_cached_begin(race_checker *c, const launch *l); /* false: out of memory */
void race_cached_destroy(race_checker *c);
/* An access to global memory. */
void race_cached_pass(race_checker *c, const vg_passed *p);
/* Behind the races: those are not told again. */
void race_cached_publish(race_checker *c, const launch *l, const vg_fault *fault);

struct race_checker {
    vg_observer observer;
    vg_findings *findings;
    vg_notice_fn *notice; /* NULL: nobody wants to know at once */
    void *notice_self;
    race_found *told;    /* what was told at once in this launch, FOUND_SLOTS */
    vg_regions *regions; /* shared with other checkers */
    race_blocks *blocks;
    const race_runs *runs;
    struct vg_gate *gate;
    race_worker *workers;
    int num_workers;
    const program *program;      /* this launch */
    bool exact;                  /* this launch */
    bool many_blocks;            /* this launch */
    uint64_t at_grid_barrier;    /* cooperative launches: blocks that the next phase began for */
    race_found *phases;          /* what was found before the last grid.sync(); NULL: nothing */
    op_fn store_word, store_any; /* st.b32 and st.any */
    bool fences;                 /* this launch: the kernel has __threadfence() or the like, */
    bool weak;         /* or none, and volatile accesses to global memory: race_states.h */
    bool locks;        /* and atomics that a lock is made of: see race_pass_on    */
    uint8_t *class_of; /* by op: enum race_class */
    uint32_t *site;    /* by op: number of its line, from 1; see race_states.h */
    uint32_t *op_of_site;
    uint32_t num_ops, num_sites;
    struct race_streams *streams; /* NULL: there was one stream only */
    struct race_locals *locals;   /* NULL: no kernel made a pointer that it wants to know of */
    struct race_cached *cached;   /* NULL: no kernel loads so what it may write */
};

/* ---- race_streams.c ---- */

/* A launch; and an access to global memory of it. */
void race_streams_begin(race_checker *c, const launch *l);
void race_streams_touch(const race_checker *c, const vg_passed *p);
/* whole: the kernel ran to its end. */
void race_streams_end(race_checker *c, const launch *l, bool whole);
void race_streams_destroy(race_checker *c);

/* ---- race_host.c ---- */

/* A launch in a program with one stream: marks the regions that the host shares. False: there is
 * nothing to look at. */
bool race_host_begin(race_checker *c, const launch *l);
/* Does the kernel, or this line of it, look at what the host may change at any time? */
bool race_host_watches(const launch *l, const op *o);

/* ---- race.c ---- */

/* The bytes that a lane stores by st.any; false: it is another instruction, which alone knows. */
bool race_stored_bytes(const race_worker *rw, const vg_access *a, uint32_t lane, uint8_t *bytes);

/* ---- race_stray.c ---- */

void race_stray_note(race_worker *rw, const vg_access *a, const vg_region *r, uint32_t lanes);
/* Of the blocks up to `last`. */
void race_stray_publish(race_checker *c, const launch *l, uint64_t last, bool complete);

/* ---- race_class.c ---- */

/* __threadfence() or more: blocks may be ordering what they do; see race_states.h. */
bool race_has_fences(const program *p);
/* No fences, and volatile accesses that may be to global memory. */
bool race_is_weak(const program *p);
/* Never in a race with another such access to global memory: an atomic, or volatile. */
bool race_is_strong(const race_checker *c, uint32_t op);
/* A fence of any width, or accesses that order what is around them, and atomics by which threads of
 * a block may take turns; see race_pass_on. */
bool race_has_locks(const program *p);
/* Makes all ready for a launch on so many host threads (race_launch.c). False: memory is out, or
 * the kernel is too long. */
bool race_launch_begin(race_checker *c, const launch *l, int workers);
/* Fills c->class_of for the kernel. False: out of memory. */
bool race_classify(race_checker *c, const program *p);
