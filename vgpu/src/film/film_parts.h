/*
 * film_parts.h: what the files of a film share: what is recorded (record.c), of which memories
 * (memories.c), what an access costs (cost.c), the order of its steps (order.c), its sentences
 * (words.c), where mistakes are (mistakes.c), matrix instructions (matrices.c), and the writing
 * (film.c).
 */
#pragma once

#include "vgpu/src/count/json_out.h"
#include "vgpu/src/film/film.h"

/* A warp begins a line, or a barrier lets the block go on (warp == -1). */
typedef struct film_step {
    int warp, line, file;
    uint32_t mask;
    int frame;
    int phase; /* barriers that the block has passed */
    int first_access, num_accesses;
    int previous, next; /* step of the same warp; -1: none */
    int say;            /* its sentence; of film.texts */
} film_step;

typedef struct film_access {
    int step, memory;
    enum vg_access_kind kind;
    uint32_t mask, size;
    int64_t at[VG_LANES]; /* from the memory's begin */
    uint32_t value[4][VG_LANES];
    bool has_values; /* writes: what is there now */
    uint32_t units;  /* global: sectors; shared: passes */
    uint32_t conflicts;
} film_access;

/* Lanes that stopped for a while, behind a step. */
typedef struct film_pause {
    int step, warp;
    uint32_t mask;
    enum vg_pause why;
} film_pause;

/* From step on a word of a warp's local memory holds these. */
typedef struct film_delta {
    int step, warp, word;
    uint32_t value[VG_LANES];
} film_delta;

/* A matrix instruction, the first of its step: what the lanes' registers held. */
typedef struct film_matrices {
    int step, shape, times; /* times: matrix instructions of the step */
    uint32_t value[TENSOR_OPERANDS][MMA_MAX_REGS][VG_LANES];
} film_matrices;

/* A number of a struct. */
typedef struct film_part {
    char path[48]; /* ".x" */
    enum vg_encoding encoding;
    uint32_t size, offset; /* bytes */
} film_part;

/* What is known of the type of a memory's elements. */
enum film_known {
    FILM_TYPED,  /* by its declaration */
    FILM_USED,   /* by what the kernel uses it as; and not yet, if element is 0 */
    FILM_UNKNOWN /* used as several types, or too many parts: bits */
};

/* A shared array, or an allocation. */
typedef struct film_memory {
    char name[64];
    char also[128]; /* what else points into it: ", b, c" */
    bool shared;
    uint64_t begin, size; /* offset of the segment, or address */
    enum film_known known;
    bool declared; /* FILM_USED: so far it is used as it is declared, a launch's shared memory */
    enum vg_encoding encoding; /* of an element */
    uint32_t element;          /* bytes */
    uint32_t record;           /* bytes of a struct, whose parts are the elements; 0: none */
    film_part *parts;
    int num_parts;
    uint32_t rows, columns; /* 0: not a matrix that we know of */
    uint32_t pitch;         /* bytes of a row */
    uint32_t sides[VG_LEAF_DIMS];
    int num_sides; /* more than two: all but the last, whose product is rows; else 0 */
    uint32_t serial;
    bool hosts;      /* pinned: not put back for the film */
    uint8_t *before; /* contents when the launch began; NULL: left out */
} film_memory;

typedef struct film_frame {
    int func;       /* of names.funcs */
    int up, upline; /* the caller's frame, and the line of the call; -1 */
    int *vars;      /* of film.vars */
    int num_vars;
} film_frame;

typedef struct film_var {
    const vg_named_func *func;
    const vg_named_var *named;
    vg_place place;
    const uint8_t *given; /* a parameter that the thread's memory does not hold; else NULL */
    int memory;           /* shared: of film.memories; else -1 */
    bool too_large;       /* local: the film has no room for its values */
} film_var;

typedef struct film_list {
    void *at;
    int count, room;
} film_list;

struct vg_film {
    const vg_names *names;
    vg_film_choice choice;
    vg_watcher watcher;
    vg_observer observer;
    vg_inspect *in;
    bool began, out_of_memory, ordered;
    int left_out;   /* steps beyond VG_FILM_STEPS */
    bool recursive; /* a function has its variables on a stack */

    char kernel[160];
    vg_dim3 grid, block, index;
    int num_warps;
    const launch *launch; /* while it runs */
    film_list steps, accesses, pauses, deltas, memories, frames, vars, texts, moments;
    film_list matrices, shapes; /* film_matrices; const tensor_call * */
    int phase;
    bool more_matrices; /* than the film keeps */
    int last_step[VG_MAX_WARPS];
    uint32_t alive[VG_MAX_WARPS];
    int *frame_of_op; /* of the kernel's own ops; -1: not asked yet */
    uint16_t *words;  /* those of local memory that variables lie in */
    int num_words;
    uint32_t given_words; /* of parameters that the launch holds */
    uint32_t *shadow;     /* warp, word, lane */
};

/* A zeroed element more; NULL, and the film is marked: out of memory. */
void *film_add(vg_film *f, film_list *list, size_t size);
#define FILM_AT(list, type, i) (&((type *)(list).at)[i])

/* ---- memories.c ---- */

/* Shared arrays, and what the kernel's pointers point to. */
void film_find_memories(vg_film *f, const launch *l);
/* What the launch gives for a parameter of its kernel, and how many bytes; NULL: it is none. */
const uint8_t *film_parameter(const launch *l, const vg_named_func *names, const vg_named_var *v,
                              uint32_t *bytes);
void film_forget_memory(film_memory *m);
/* At the end: what nothing has used has no type, and what is used may be one of the matrices. */
void film_settle_type(vg_film *f, film_memory *m);
/* An access may tell what a memory holds whose type is not known. */
void film_note_use(film_memory *m, const vg_access *a);
/* The part of a struct that a byte of it lies in; NULL: padding. */
const film_part *film_part_at(const film_memory *m, int64_t at);
/* The shared array that holds an offset; -1: none. */
int film_shared_at(const vg_film *f, uint64_t at);
/* For each lane of the access's mask the memory that it means; -1: none that the film shows. */
void film_memories_of(vg_film *f, const vg_access *a, int memory[VG_LANES]);

/* ---- cost.c ---- */

/* Different 32-byte sectors of an access to global memory. */
uint32_t film_sectors(const uint64_t *at, uint32_t mask, uint32_t size);

/* ---- film.c ---- */

/* A row of the lanes' words, as docs/film-format.md says. */
void film_write_words(FILE *to, const uint32_t *v, uint32_t mask);

/* ---- matrices.c ---- */

/* The watcher's callback: a matrix instruction. */
void film_on_matrices(void *self, const warp *w, const tensor_call *c, bool done);
void film_write_matrices(vg_json *j, const vg_film *f);
/* Are there steps with matrix instructions that the film does not have? Then how many it has. */
int film_matrices_shown(const vg_film *f);

/* ---- words.c ---- */

/* Index of a text of the film; equal texts have one. */
int film_text(vg_film *f, const char *text);
/* Gives every step its sentence. */
void film_say_all(vg_film *f);
/* "row 3 of A, columns 0 to 15" and the like, of one lane. */
void film_place_text(const film_memory *m, int64_t at, char *buf, size_t len);
/* Chooses the moments for paper. */
void film_choose_moments(vg_film *f, const vg_film_story *story);

/* ---- order.c ---- */

/* Puts the steps in the order in which they are shown, once, and all else with them. */
void film_set_order(vg_film *f, bool as_recorded);

/* ---- mistakes.c ---- */

/* May the order of the warps' steps matter? */
bool film_is_racy(const vg_film_story *story);

/* The steps of a finding's sites; -1 where the film does not have it. */
void film_locate(const vg_film *f, const vg_finding *finding, int step[2]);
/* The cell that the finding's first site accesses in its step. False: not known. */
bool film_cell_of(const vg_film *f, const vg_finding *finding, int step, int *memory,
                  int64_t *cell);
