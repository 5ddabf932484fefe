/*
 * race_random_test.c: the race checker against an oracle that keeps every access and every thread's
 * full clock. Random kernels of a few accesses to a few bytes: the checker must report a race just
 * when there is one, each pair it reports must be one, and blocks interleaved on several workers
 * must give the same report as blocks one after the other.
 */
#include "common/tests/suite.h"
#include "vgpu/tests/check/fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 70, EVENTS = 24, BYTES = 256 };

enum event_kind { ACCESS, BARRIER, WARP_SYNC, PART_BARRIER, ARRIVE, SIGNAL, ACQUIRE };

typedef struct event {
    enum event_kind kind;
    int warp, op, id;
    bool first; /* of a phase's signals */
    enum vg_access_kind access;
    uint32_t lanes[FAKE_WARPS], size;
    uint64_t at[VG_LANES];
} event;

typedef struct script {
    bool shared, partial;
    bool phased; /* all warps signal, then all acquire, with accesses between, one phase after the
                    other */
    bool calm;   /* mostly reads, of words */
    bool rows;   /* mostly whole rows of 64 bytes */
    bool small;  /* bytes and halves, too */
    bool words;  /* stores of words store what is in `value`; else nobody knows what */
    uint32_t span;
    uint32_t blocks;
    int steps; /* of the phases of a block, so far */
    int count[FAKE_BLOCKS];
    event events[FAKE_BLOCKS][EVENTS];
    uint32_t value[FAKE_BLOCKS][FAKE_WARPS][VG_LANES];
} script;

static uint64_t seed = 1;

static uint32_t pick(uint32_t n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

static uint32_t alive(int warp) {
    return warp < 2 ? VG_ALL_LANES : (1u << (THREADS - 64)) - 1;
}

static uint32_t some_lanes(int warp) {
    static const uint32_t shapes[] = {VG_ALL_LANES, 1, 2, 0x80000000u, 0xFFFF, 0xFFFF0000u, 3,
                                      0x0F0F0F0F,   6};
    const uint32_t lanes = shapes[pick(sizeof shapes / sizeof *shapes)] & alive(warp);
    return lanes != 0 ? lanes : 1;
}

static void random_access(event *e, const script *s, int op) {
    static const uint32_t sizes[] = {4, 4, 4, 8, 16, 2, 1};
    const bool row = s->rows && pick(4) != 0;
    e->kind = ACCESS;
    e->op = op;
    e->warp = (int)pick(FAKE_WARPS);
    e->lanes[0] = row ? alive(e->warp) : some_lanes(e->warp);
    e->access = pick(4) == 0 ? VG_ATOMIC : pick(2) == 0 ? VG_WRITE : VG_READ;
    if (s->calm && pick(3) != 0)
        e->access = VG_READ;
    e->size = e->access == VG_ATOMIC ? 4 + 4 * pick(2) : s->small ? sizes[pick(7)] : sizes[pick(5)];
    if (s->calm || row)
        e->size = 4;
    const uint32_t slots = s->span / e->size, shape = row ? 1 + pick(2) : pick(4);
    const uint32_t base = row ? pick(slots) / 16 * 16 : pick(slots);
    for (uint32_t i = 0; i < VG_LANES; i++) {
        const uint32_t slot = shape == 0   ? base
                              : shape == 1 ? base + i
                              : shape == 2 ? base + i % 16
                                           : base + i * 3;
        e->at[i] = (uint64_t)(slot % slots) * e->size;
    }
}

/* The same places as another access, by another warp or in another way. */
static void similar_access(event *e, const event *model, int op) {
    *e = *model;
    e->op = op;
    if (pick(2) == 0) {
        e->warp = (int)pick(FAKE_WARPS);
        e->lanes[0] = (e->lanes[0] & alive(e->warp)) != 0 ? e->lanes[0] & alive(e->warp) : 1;
    }
    if (pick(2) == 0 && e->size >= 4 && e->size <= 8)
        e->access = pick(4) == 0 ? VG_ATOMIC : pick(2) == 0 ? VG_WRITE : VG_READ;
}

/* The next step of a phase. Rarely only some lanes take it. */
static void next_step(event *e, script *s) {
    const int step = s->steps++ % (2 * FAKE_WARPS), phase = (s->steps - 1) / (2 * FAKE_WARPS);
    e->kind = step < FAKE_WARPS ? SIGNAL : ACQUIRE;
    e->id = 2 + phase % 2;
    e->warp = (step + phase) % FAKE_WARPS;
    e->first = step == 0;
    e->lanes[0] = pick(e->kind == SIGNAL ? 4 : 16) == 0 ? some_lanes(e->warp) : alive(e->warp);
}

static void random_event(event *e, script *s, int op, const event *before) {
    const uint32_t what = s->phased ? 4 + pick(6) : pick(10);
    memset(e, 0, sizeof *e);
    if (what < 6 && before != NULL && pick(2) == 0) {
        similar_access(e, before, op);
    } else if (what < 6) {
        random_access(e, s, op);
    } else if (s->phased && (what < 9 || pick(4) != 0)) {
        next_step(e, s);
    } else if (what == 6) {
        e->kind = BARRIER;
    } else if (what == 7 || !s->partial || s->phased) {
        e->kind = WARP_SYNC;
        e->warp = (int)pick(FAKE_WARPS);
        e->lanes[0] = s->partial && pick(2) == 0 ? some_lanes(e->warp) : alive(e->warp);
    } else {
        e->kind = what == 8 ? PART_BARRIER : ARRIVE;
        e->id = 1 + (int)pick(2);
        e->warp = (int)pick(FAKE_WARPS);
        for (int i = 0; i < FAKE_WARPS; i++)
            e->lanes[i] = pick(2) == 0 ? alive(i) : 0;
        e->lanes[e->warp] = alive(e->warp);
    }
}

/* As in a loop: an instruction comes again, elsewhere. */
static void repeat_instructions(script *s) {
    for (int i = 1; i < s->count[0]; i++) {
        event *e = &s->events[0][i];
        for (int k = 0; k < i && e->kind == ACCESS && e->op == i; k++) {
            const event *before = &s->events[0][k];
            if (before->kind == ACCESS && before->access == e->access && before->size == e->size &&
                pick(3) != 0)
                e->op = before->op;
        }
    }
}

/* Short scripts have a race for one reason only, or none:
 * they show what a long one would cover up. */
static void random_script(script *s) {
    const int most = pick(2) == 0 ? EVENTS : 7;
    s->shared = pick(2) == 0;
    s->partial = pick(3) == 0;
    s->phased = s->partial && pick(2) == 0;
    s->blocks = s->shared ? 1 : 1 + pick(FAKE_BLOCKS);
    s->span = pick(2) == 0 ? 16 : pick(2) == 0 ? 64 : BYTES;
    s->calm = pick(2) == 0;
    s->rows = s->span >= 64 && pick(2) == 0;
    s->small = pick(4) == 0;
    s->words = pick(2) == 0;
    const uint32_t values = pick(2) == 0 ? 1 : 3;
    for (size_t i = 0; i < sizeof s->value / sizeof s->value[0][0][0]; i++)
        (&s->value[0][0][0])[i] = 1 + pick(values);
    if (s->shared && !s->partial && pick(3) == 0) { /* as tiles are read */
        s->span = BYTES;
        s->calm = s->rows = true;
    }
    for (uint32_t b = 0; b < s->blocks; b++) {
        s->steps = 0;
        s->count[b] = 2 + (int)pick((uint32_t)most - 2);
        for (int i = 0; i < s->count[b]; i++) {
            const event *before = NULL;
            for (int k = 0; k < i; k++)
                before = s->events[b][k].kind == ACCESS ? &s->events[b][k] : before;
            random_event(&s->events[b][i], s, i, before);
        }
    }
    if (s->blocks == 1)
        repeat_instructions(s);
    /* an instruction is of one kind and size */
    for (uint32_t b = 1; b < s->blocks; b++) {
        for (int i = 0; i < s->count[b]; i++) {
            for (uint32_t a = 0; a < b && s->events[b][i].kind == ACCESS; a++) {
                if (i < s->count[a] && s->events[a][i].kind == ACCESS) {
                    s->events[b][i] = s->events[a][i];
                    break;
                }
            }
        }
    }
    /* but not every block comes by it */
    for (uint32_t b = 0; b < s->blocks && s->blocks > 1; b++) {
        for (int i = 0; i < s->count[b]; i++) {
            event *e = &s->events[b][i];
            if (e->kind == ACCESS && pick(e->access == VG_READ ? 5 : 2) == 0) {
                e->kind = WARP_SYNC;
                e->lanes[0] = alive(e->warp);
            }
        }
    }
}

/* ---- the oracle ---- */

typedef struct past {
    uint32_t block, thread, stamp;
    int op;
    enum vg_access_kind kind;
} past;

typedef struct oracle {
    past *at[BYTES];
    int count[BYTES];
    uint32_t clock[FAKE_BLOCKS][THREADS][THREADS];
    uint32_t pending[FAKE_BLOCKS][4][THREADS];
    bool races;
    bool pair[FAKE_OPS][FAKE_OPS]; /* of instructions that race */
} oracle;

static bool takes_part(const event *e, uint32_t thread) {
    switch (e->kind) {
    case BARRIER: return true;
    case WARP_SYNC: return (int)(thread / 32) == e->warp && (e->lanes[0] >> thread % 32 & 1) != 0;
    case ARRIVE: return (int)(thread / 32) == e->warp;
    case SIGNAL:
    case ACQUIRE: return (int)(thread / 32) == e->warp && (e->lanes[0] >> thread % 32 & 1) != 0;
    default: return (e->lanes[thread / 32] >> thread % 32 & 1) != 0;
    }
}

/* At an mbarrier: what those who signal know waits with the phase for those who acquire it. */
static void oracle_phase(oracle *o, uint32_t b, const event *e) {
    uint32_t *phase = o->pending[b][e->id];
    if (e->first)
        memset(phase, 0, THREADS * sizeof *phase);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t *clock = o->clock[b][t];
        for (uint32_t u = 0; takes_part(e, t) && u < THREADS; u++) {
            uint32_t *to = e->kind == SIGNAL ? &phase[u] : &clock[u];
            const uint32_t from = e->kind == SIGNAL ? clock[u] : phase[u];
            *to = from > *to ? from : *to;
        }
        clock[t] += e->kind == SIGNAL && takes_part(e, t) ? 1 : 0;
    }
}

static void oracle_sync(oracle *o, uint32_t b, const event *e) {
    if (e->kind == SIGNAL || e->kind == ACQUIRE) {
        oracle_phase(o, b, e);
        return;
    }
    uint32_t joined[THREADS] = {0};
    uint32_t *pending = o->pending[b][e->id];
    if (e->kind == PART_BARRIER) {
        memcpy(joined, pending, sizeof joined);
        memset(pending, 0, sizeof joined);
    }
    for (uint32_t t = 0; t < THREADS; t++) {
        for (uint32_t u = 0; takes_part(e, t) && u < THREADS; u++) {
            const uint32_t known = o->clock[b][t][u];
            joined[u] = known > joined[u] ? known : joined[u];
        }
    }
    for (uint32_t t = 0; t < THREADS; t++) {
        if (!takes_part(e, t))
            continue;
        const uint32_t own = o->clock[b][t][t];
        if (e->kind == ARRIVE)
            for (uint32_t u = 0; u < THREADS; u++)
                pending[u] = joined[u] > pending[u] ? joined[u] : pending[u];
        else
            memcpy(o->clock[b][t], joined, sizeof joined);
        o->clock[b][t][t] = own + 1;
    }
}

static void oracle_byte(oracle *o, uint32_t b, uint32_t thread, const event *e, uint64_t byte) {
    for (int k = 0; k < o->count[byte]; k++) {
        const past *p = &o->at[byte][k];
        const bool ordered =
            p->block == b && (p->thread == thread || o->clock[b][thread][p->thread] >= p->stamp);
        const bool harmless = (p->kind == VG_READ && e->access == VG_READ) ||
                              (p->kind == VG_ATOMIC && e->access == VG_ATOMIC);
        if (!ordered && !harmless) {
            o->races = true;
            o->pair[p->op][e->op] = o->pair[e->op][p->op] = true;
        }
    }
    o->at[byte] = realloc(o->at[byte], (size_t)(o->count[byte] + 1) * sizeof(past));
    o->at[byte][o->count[byte]++] =
        (past){b, thread, o->clock[b][thread][thread], e->op, e->access};
}

static void oracle_event(oracle *o, uint32_t b, const event *e) {
    if (e->kind != ACCESS) {
        oracle_sync(o, b, e);
        return;
    }
    for (uint32_t i = 0; i < VG_LANES; i++)
        for (uint64_t k = 0; (e->lanes[0] >> i & 1) != 0 && k < e->size; k++)
            oracle_byte(o, b, (uint32_t)e->warp * 32 + i, e, e->at[i] + k);
}

static void ask_oracle(oracle *o, const script *s) {
    memset(o, 0, sizeof *o);
    for (uint32_t b = 0; b < s->blocks; b++)
        for (uint32_t t = 0; t < THREADS; t++)
            o->clock[b][t][t] = 1;
    for (uint32_t b = 0; b < s->blocks; b++)
        for (int i = 0; i < s->count[b]; i++)
            oracle_event(o, b, &s->events[b][i]);
    for (int k = 0; k < BYTES; k++)
        free(o->at[k]);
}

/* ---- the checker ---- */

static void play(fake *f, const script *s, int id, uint64_t base, const event *e) {
    uint64_t at[VG_LANES];
    switch (e->kind) {
    case ACCESS:
        for (int i = 0; i < VG_LANES; i++)
            at[i] = base + e->at[i];
        fake_access(f, id, e->warp, e->op, e->access, s->shared ? PS_SHARED : PS_GLOBAL,
                    e->lanes[0], e->size, at);
        break;
    case BARRIER: fake_barrier(f, id, 0, NULL, true); break;
    case WARP_SYNC: fake_warp_sync(f, id, e->warp, e->lanes[0]); break;
    case ARRIVE: fake_arrive(f, id, e->warp, e->id, alive(e->warp)); break;
    case PART_BARRIER: fake_barrier(f, id, e->id, e->lanes, false); break;
    case SIGNAL: fake_signal(f, id, e->warp, (uint64_t)e->id, e->lanes[0], e->first); break;
    case ACQUIRE: fake_acquire(f, id, e->warp, (uint64_t)e->id, e->lanes[0]); break;
    }
}

static void begin_block(fake *f, script *s, int id, uint32_t b) {
    fake_block(f, id, b);
    for (int i = 0; i < FAKE_WARPS; i++)
        f->warps[id][i].regs = (uint8_t *)s->value[b][i];
}

/* Blocks one after the other, or each on a worker of its own, interleaved at random. */
static void run_checker(fake *f, script *s, bool interleaved) {
    int next[FAKE_BLOCKS] = {0};
    uint32_t left = s->blocks;
    fake_begin(f, VG_CHECK_RACE, THREADS, s->blocks, s->partial);
    const uint64_t base = s->shared ? 0 : vg_mem_alloc(f->mem, BYTES, 256, VG_MEM_DEVICE, NULL);
    for (uint32_t b = 0; b < s->blocks; b++) {
        for (int i = 0; i < s->count[b]; i++) {
            const event *e = &s->events[b][i];
            if (e->kind == ACCESS && s->words && e->access == VG_WRITE && e->size == 4)
                fake_store_words(f, e->op);
            else if (e->kind == ACCESS)
                fake_declare(f, e->op, e->access, e->size);
        }
    }
    fake_launch(f);
    if (!interleaved) {
        for (uint32_t b = 0; b < s->blocks; b++) {
            begin_block(f, s, 0, b);
            for (int i = 0; i < s->count[b]; i++)
                play(f, s, 0, base, &s->events[b][i]);
            fake_end_block(f, 0);
        }
        left = 0;
    }
    for (uint32_t b = 0; interleaved && b < s->blocks; b++)
        begin_block(f, s, (int)b, b);
    while (left > 0) {
        const uint32_t b = pick(s->blocks);
        if (next[b] < s->count[b]) {
            play(f, s, (int)b, base, &s->events[b][next[b]++]);
        } else if (next[b] == s->count[b]) {
            next[b]++;
            left--;
            fake_end_block(f, (int)b);
        }
    }
    fake_end_launch(f);
}

static void print_script(const script *s) {
    static const char *const kinds[] = {"read", "write", "atomic"}, *const syncs[] = {
                                                                        "",          "barrier",
                                                                        "warp_sync", "part_barrier",
                                                                        "arrive",    "signal",
                                                                        "acquire"};
    for (uint32_t b = 0; b < s->blocks; b++) {
        for (int i = 0; i < s->count[b]; i++) {
            const event *e = &s->events[b][i];
            if (e->kind == ACCESS) {
                printf("block %u op %d warp %d lanes %08x %s %u at", b, e->op, e->warp, e->lanes[0],
                       kinds[e->access], e->size);
                for (int k = 0; k < VG_LANES; k++)
                    printf(" %d", (e->lanes[0] >> k & 1) != 0 ? (int)e->at[k] : -1);
                printf("\n");
            } else {
                printf("block %u %s id %d warp %d lanes %08x %08x %08x\n", b, syncs[e->kind], e->id,
                       e->warp, e->lanes[0], e->lanes[1], e->lanes[2]);
            }
        }
    }
}

static void compare(const script *s, const oracle *o, const fake *f, int round) {
    const vg_findings *list = vg_check_findings(f->check);
    const int count = vg_findings_count(list);
    if ((count > 0) != o->races) {
        printf("round %d: the oracle says %s, the checker found %d\n%s", round,
               o->races ? "race" : "no race", count, f->said != NULL ? f->said : "");
        print_script(s);
        ck_abort_msg("the checker and the oracle disagree");
    }
    for (int i = 0; i < count; i++) {
        const vg_finding *x = vg_findings_get(list, i);
        if (!o->pair[x->site[0].line - 100][x->site[1].line - 100]) {
            printf("round %d: no such race: %s\n", round, x->message);
            print_script(s);
            ck_abort_msg("a race that is none");
        }
    }
}

static int rounds(void) {
    const char *text = getenv("RACE_ROUNDS"); /* more, for a long night */
    return text != NULL ? atoi(text) : 3000;
}

TEST(agrees_with_oracle) {
    static script s;
    static oracle o;
    static fake f, g;
    int racy = 0;
    uint64_t noted = 0;
    for (int round = 0; round < rounds(); round++) {
        seed = (uint64_t)round * 2 + 1;
        random_script(&s);
        ask_oracle(&o, &s);
        run_checker(&f, &s, false);
        compare(&s, &o, &f, round);
        run_checker(&g, &s, true);
        compare(&s, &o, &g, round);
        if (f.said_len != g.said_len || (f.said_len > 0 && strcmp(f.said, g.said) != 0)) {
            printf("round %d: in order:\n%sinterleaved:\n%s", round, f.said, g.said);
            print_script(&s);
            ck_abort_msg("what is reported depends on the schedule");
        }
        racy += o.races;
        noted += f.noted;
        fake_end(&f);
        fake_end(&g);
    }
    ck_assert_int_gt(racy, rounds() / 10); /* both answers are tried */
    ck_assert_int_lt(racy, rounds() * 19 / 20);
    ck_assert_uint_gt(noted, (unsigned)rounds() / 20); /* reads that permits put off */
}

int main(void) {
    return run_tests((struct suite){.name = "races, against an oracle", .seconds = -1});
}
