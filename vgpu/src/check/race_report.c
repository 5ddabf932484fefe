/*
 * race_report.c: from pairs of accesses to findings. A worker keeps one example for each pair of
 * instructions and array, the lowest in the order of blocks, addresses and threads, and a count; at
 * the launch's end those of all workers, and those between blocks, become one finding for each pair
 * of lines and array. What is shown therefore doesn't depend on which worker ran which block.
 */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/race.h"
#include "vgpu/src/core/opcodes.h"
#include "vgpu/src/core/optable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- collecting ---- */

/* Where the two threads stand to each other. */
enum reach { IN_ONE_INSTRUCTION, IN_BLOCK, IN_WARP, BETWEEN_BLOCKS }; /* in the order of telling */

static enum reach reach_of(const race_found *f) {
    if (f->block1 != f->block2)
        return BETWEEN_BLOCKS;
    if (who_warp(f->who1) != who_warp(f->who2))
        return IN_BLOCK;
    return who_op(f->who1) == who_op(f->who2) && who_class(f->who1) == RACE_WRITE
               ? IN_ONE_INSTRUCTION
               : IN_WARP;
}

static uint32_t hash_of(const race_found *f) {
    uint64_t h =
        (uint64_t)(f->who1 & ~(uint32_t)WHO_THREAD) << 32 | (f->who2 & ~(uint32_t)WHO_THREAD);
    h = (h ^ f->object ^ (uint64_t)f->same_value << 63) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(h >> 40) % FOUND_SLOTS;
}

static bool same_instructions(const race_found *a, const race_found *b) {
    return ((a->who1 ^ b->who1) & ~(uint32_t)WHO_THREAD) == 0 &&
           ((a->who2 ^ b->who2) & ~(uint32_t)WHO_THREAD) == 0 && a->object == b->object &&
           a->same_value == b->same_value && reach_of(a) == reach_of(b);
}

#define BY(field)                                                                                  \
    if (a->field != b->field) {                                                                    \
        return a->field < b->field ? -1 : 1;                                                       \
    }

static int compare_examples(const race_found *a, const race_found *b) {
    BY(block1)
    BY(block2)
    BY(at)
    BY(who1)
    BY(who2)
    return 0;
}

bool race_found_add(race_found *table, const race_found *f) {
    uint32_t h = hash_of(f);
    for (uint32_t tries = 0; tries < FOUND_SLOTS; tries++, h = (h + 1) % FOUND_SLOTS) {
        race_found *at = &table[h];
        if (at->count == 0) {
            *at = *f;
            return true;
        }
        if (same_instructions(at, f)) {
            const uint64_t count = at->count + f->count;
            const uint8_t orders = at->orders | f->orders;
            if (compare_examples(f, at) < 0)
                *at = *f;
            at->count = count;
            at->orders = orders;
            return false;
        }
    }
    return false; /* thousands of racing pairs of instructions: those known are enough to read */
}

/* What the warp whose access comes later has done since the last barrier. */
static uint8_t order_of(const race_scene *s, uint32_t earlier, uint32_t later) {
    const race_worker *rw = s->rw;
    const enum race_class before = who_class(earlier), now = who_class(later);
    if (s->region != NULL || rw->checker->exact || who_warp(earlier) == who_warp(later))
        return 0;
    const uint32_t other = before == RACE_WRITE && now == RACE_READ   ? rw->stored_shared[s->warp]
                           : before == RACE_READ && now == RACE_WRITE ? rw->read_shared[s->warp]
                                                                      : 0;
    if (other < rw->begin)
        return 0;
    return (other >= rw->floor) == (now == RACE_READ) ? RACE_STORE_FIRST : RACE_READ_FIRST;
}

void race_note(race_scene *s, uint32_t earlier, uint32_t later, uint32_t unit, bool same_value) {
    const race_checker *c = s->rw->checker;
    if (c->weak && s->region != NULL && race_is_strong(c, who_op(earlier)) &&
        race_is_strong(c, who_op(later)))
        return;
    const race_found f = {.who1 = earlier,
                          .who2 = later,
                          .block1 = s->rw->block,
                          .block2 = s->rw->block,
                          .at = s->at,
                          .unit = unit,
                          .object = s->object,
                          .orders = order_of(s, earlier, later),
                          .same_value = same_value,
                          .count = unit};
    (void)race_found_add(s->rw->found, &f);
    s->rw->any_found = true;
    race_tell_now(s->rw->checker, s->rw->launch, &f);
}

/* ---- in words ---- */

/* cp.async: written at some time until the copy has been waited for. */
static bool is_copy(const op *o) {
    return o->ptx != NULL && o->ptx->code->memory == MEM_COPY;
}

static const char *action_of(const op *o, enum race_class class) {
    return is_copy(o) && class == RACE_WRITE ? "written by an asynchronous copy"
           : class == RACE_READ              ? "read"
           : class == RACE_WRITE             ? "written"
                                             : "updated atomically";
}

static enum vgpu_hazard hazard_of(const race_found *f) {
    const bool w1 = who_class(f->who1) != RACE_READ, w2 = who_class(f->who2) != RACE_READ;
    return w1 && w2 ? VGPU_WAW : w1 ? VGPU_RAW : VGPU_WAR;
}

/* A __syncthreads() stands in the source between two lines. */
static bool barrier_between(const launch *l, const op *a, const op *b) {
    const op_fn sync = vg_find_op("bar.sync")->fn, vote = vg_find_op("bar.red")->fn;
    const int low = a->line < b->line ? a->line : b->line,
              high = a->line < b->line ? b->line : a->line;
    for (int i = 0; i < l->program->num_ops; i++) {
        const op *o = &l->program->ops[i];
        if ((o->fn == sync || o->fn == vote) && o->file == a->file && o->line > low &&
            o->line < high)
            return true;
    }
    return false;
}

/*
 * The line that both accesses are of belongs to a loop, and no barrier stands in it: the two may be
 * of different rounds. A loop is what a branch leads back over; or what was one until the compiler
 * unrolled it, so that the line stores several times.
 */
static bool loop_without_barrier(const launch *l, const op *access) {
    const op_fn sync = vg_find_op("bar.sync")->fn, vote = vg_find_op("bar.red")->fn,
                go = vg_find_op("bra")->fn, go_if = vg_find_op("bra.if")->fn;
    const op *ops = l->program->ops;
    const int count = l->program->num_ops;
    int first = count, last = 0, stores = 0;
    for (int i = 0; i < count; i++) {
        if (ops[i].file != access->file || ops[i].line != access->line || ops[i].plain == NULL)
            continue;
        first = i < first ? i : first;
        last = i;
        stores += ops[i].access == VG_WRITE && ops[i].space == access->space;
    }
    int begin = 0, end = count;
    for (int i = last; i < count; i++) {
        const op *o = &ops[i];
        if ((o->fn == go || o->fn == go_if) && o->target <= &ops[first] &&
            i - (o->target - ops) < end - begin) {
            begin = (int)(o->target - ops);
            end = i;
        }
    }
    if (end == count && stores < 2)
        return false;
    if (end == count) {
        begin = first;
        end = last;
    }
    for (int i = begin; i <= end; i++)
        if (ops[i].fn == sync || ops[i].fn == vote)
            return false;
    return true;
}

static void exchange(race_found *f) {
    const uint32_t who = f->who1;
    f->who1 = f->who2;
    f->who2 = who;
}

bool race_leads_to(const launch *l, const op *a, const op *b) {
    const op_fn go = vg_find_op("bra")->fn, go_if = vg_find_op("bra.if")->fn;
    const op *ops = l->program->ops;
    const uint32_t count = l->program->num_ops;
    uint32_t *to_do = calloc((size_t)count + 1, sizeof *to_do), left = 0;
    uint8_t *seen = calloc((size_t)count + 1, 1);
    bool reached = to_do == NULL || seen == NULL;
    if (!reached)
        to_do[left++] = (uint32_t)(a - ops);
    while (left > 0 && !reached) {
        const op *o = &ops[to_do[--left]];
        const enum ptx_flow flow = o->ptx != NULL ? o->ptx->code->flow : GOES_ON;
        const op *next[2] = {o->fn == go ? NULL : o + 1,
                             o->fn == go || o->fn == go_if ? o->target : NULL};
        reached = flow == GOES_BY_TABLE;
        for (int i = 0; i < 2 && flow != GOES_NOWHERE && flow != GOES_TO_CALLER; i++) {
            if (next[i] == NULL || next[i] < ops || next[i] >= ops + count ||
                seen[next[i] - ops] != 0)
                continue;
            seen[next[i] - ops] = 1;
            to_do[left++] = (uint32_t)(next[i] - ops);
            reached = reached || next[i] == b;
        }
    }
    free(to_do);
    free(seen);
    return reached;
}

/*
 * Which access came first is an accident of the schedule. Inside a block the finding is told in the
 * order that the program means: the only one in which a thread can come by both; or as the warps'
 * own accesses tell; where they do not, down the source, or, when a barrier stands between the
 * lines, round a loop: the lower line, and then the upper one in the next round. True when the
 * second access is of a loop's next round.
 */
static bool put_in_order(const launch *l, race_found *f) {
    const op *o1 = &l->program->ops[who_op(f->who1)], *o2 = &l->program->ops[who_op(f->who2)];
    if (is_copy(o1) || is_copy(o2) || f->block1 != f->block2 || o1->file != o2->file ||
        o1->line == o2->line || o1->line == 0 || o2->line == 0)
        return false;
    const bool forth = race_leads_to(l, o1, o2), back = race_leads_to(l, o2, o1);
    if (forth != back) {
        if (back)
            exchange(f);
        return l->program->ops[who_op(f->who2)].line < l->program->ops[who_op(f->who1)].line;
    }
    if (f->orders != 0) {
        const bool store_first = (f->orders & RACE_STORE_FIRST) != 0;
        if ((who_class(f->who1) == RACE_WRITE) != store_first)
            exchange(f);
        return l->program->ops[who_op(f->who2)].line < l->program->ops[who_op(f->who1)].line;
    }
    const bool round = barrier_between(l, o1, o2);
    if ((o1->line > o2->line) != round)
        exchange(f);
    return round;
}

/* Both in one line of a loop in which no thread waits for another. */
static bool in_rounds(const launch *l, const race_found *f, const vg_site *site) {
    return site[0].line == site[1].line &&
           loop_without_barrier(l, &l->program->ops[who_op(f->who2)]);
}

/* Blocks may wait for each other in this kernel, or count on the last one: by fences, by volatile
 * accesses to global memory, or by atomics whose result it uses. */
static bool has_flags(const program *p) {
    bool counts = false;
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        counts = counts ||
                 (o->ptx != NULL && o->ptx->code->memory == MEM_ATOMIC && o->space != PS_SHARED);
    }
    return counts || race_has_fences(p) || race_is_weak(p);
}

/* Does a loop wait for a value that another block stores, by accesses that see it? */
static bool waits_for_flags(const program *p) {
    for (int i = 0; i < p->num_ops; i++)
        if (vg_is_polled(p, (uint32_t)i))
            return true;
    return false;
}

static const char *cause_of(const launch *l, const race_found *f, bool round, bool copies,
                            const vg_site *site) {
    const bool shared = f->object == 0;
    const bool atomic = who_class(f->who1) == RACE_ATOMIC || who_class(f->who2) == RACE_ATOMIC;
    const bool both_write = who_class(f->who1) == RACE_WRITE && who_class(f->who2) == RACE_WRITE;
    const enum reach reach = reach_of(f);
    if (f->same_value) {
        return "both write the same value here: harmless if you mean it, as with a flag; otherwise "
               "check the index";
    }
    if (copies) {
        return "an asynchronous copy may write until a wait for it ends: first wait for it "
               "(__pipeline_wait_prior, cp.async.wait_group …), then __syncthreads(), then read; "
               "and __syncthreads() again before the next copy to the same place";
    }
    if (reach == BETWEEN_BLOCKS && l->params->cooperative && !both_write) {
        return "blocks of a cooperative launch wait for each other at grid.sync() alone: put one "
               "between the two, also behind a loop's last line if its next round comes to the "
               "other";
    }
    if (reach == BETWEEN_BLOCKS && !atomic && !both_write && race_has_fences(l->program) &&
        !waits_for_flags(l->program)) {
        return "blocks wait for each other by flags alone, and no loop here waits for one: a flag "
               "is volatile, or read and set by atomics, since a plain one may be read once and "
               "never again";
    }
    if (reach == BETWEEN_BLOCKS && !atomic && !both_write && has_flags(l->program)) {
        return "blocks wait for each other by flags alone, and a flag says that the data is there "
               "only where a __threadfence() stands between the store of the data and that of the "
               "flag: put one there, or split the work into two kernels";
    }
    if (reach == BETWEEN_BLOCKS) {
        return atomic       ? "a plain access does not wait for another block's atomics: make all "
                              "accesses atomic, or use a second kernel"
               : both_write ? "two blocks write the same element: check the index, or combine the "
                              "values with atomicAdd() or another atomic"
                            : "blocks run in any order and do not wait for each other: give each "
                              "its own elements, use atomics, or split the work into two kernels";
    }
    if (atomic) {
        return shared ? "one access is atomic, the other is not: put a __syncthreads() between "
                        "them, or make both atomic"
                      : "one access is atomic, the other is not: make both atomic, or put a "
                        "__syncthreads() between them";
    }
    if (reach == IN_ONE_INSTRUCTION) {
        return "threads write the same element at the same time: check the index, let one thread "
               "write, or use atomics";
    }
    if (both_write) {
        return "two threads write the same element: check the index, or put a __syncthreads() "
               "between the writes";
    }
    if (reach == IN_WARP && !round) {
        return "threads of a warp do not run in step: put a __syncwarp() or __syncthreads() "
               "between the two";
    }
    if (in_rounds(l, f, site)) {
        return "a __syncthreads() is missing at the end of the loop: a thread already in the next "
               "round meets one that is still in this round";
    }
    if (site[0].line == site[1].line) {
        return "one thread reads the element that another writes in the same line: read, "
               "__syncthreads(), then write";
    }
    if (who_class(f->who1) == RACE_WRITE) {
        return round ? "a __syncthreads() is missing after the write: the read in the loop's next "
                       "round may not see it yet"
                     : "a __syncthreads() is missing between the write and the read: the value may "
                       "not be there yet";
    }
    return round ? "a __syncthreads() is missing at the end of the loop: a thread already in the "
                   "next round overwrites what others still read"
                 : "a __syncthreads() is missing between the read and the write: the value may be "
                   "overwritten before it is read";
}

static uint64_t element_size(const op *o, uint32_t unit) {
    const uint64_t bytes = o->bytes;
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ? bytes : unit;
}

/* "lab3.cu:24: read by thread (3,0,0) of block (0,0,0)" */
static void describe_site(const vg_site *s, const char *before, char *buf, size_t len) {
    char line[300], thread[96];
    snprintf(buf, len, "%s: %s%s by %s", vg_site_line(s, line, sizeof line), before, s->action,
             vg_site_thread(s, thread, sizeof thread));
}

static const vg_region *region_by_object(const race_checker *c, uint32_t object) {
    for (size_t i = 0; i < c->regions->count; i++)
        if (c->regions->at[i]->first + 1 == object)
            return c->regions->at[i];
    return NULL;
}

static void fill_finding(const race_checker *c, const launch *l, const race_found *f,
                         vg_finding *out) {
    const op *ops = l->program->ops;
    const op *o1 = &ops[who_op(f->who1)], *o2 = &ops[who_op(f->who2)];
    uint64_t begin = 0;
    memset(out, 0, sizeof *out);
    out->kind = VGPU_FOUND_RACE;
    out->fact.says = VGPU_RACE;
    out->fact.one_warp = reach_of(f) == IN_WARP;
    out->fact.read_first = f->orders == RACE_READ_FIRST;
    out->fact.copied = is_copy(o2) ? 2 : is_copy(o1) ? 1 : 0;
    out->severity = f->same_value ? VG_WARNING : VG_ERROR;
    out->hazard = hazard_of(f);
    out->num_sites = 2;
    snprintf(out->kernel, sizeof out->kernel, "%s", l->kernel->info.pretty);
    vg_site_fill(&out->site[0], l, o1, f->block1, who_thread(f->who1),
                 action_of(o1, who_class(f->who1)));
    vg_site_fill(&out->site[1], l, o2, f->block2, who_thread(f->who2),
                 action_of(o2, who_class(f->who2)));
    out->fact.next_round = f->object == 0 && reach_of(f) == IN_BLOCK && in_rounds(l, f, out->site);
    const vg_region *r = f->object != 0 ? region_by_object(c, f->object) : NULL;
    if (r != NULL) {
        begin = r->begin;
        vg_name_global(l, r, out);
    } else {
        vg_name_shared(l, f->at, &begin, out);
    }
    const uint64_t size = element_size(o2, f->unit);
    out->element = (f->at - begin) / size;
    out->count = (f->count + size - 1) / size;
    out->has_element = true;
}

static void write_message(const launch *l, const race_found *f, bool round, vg_finding *out) {
    const op *ops = l->program->ops;
    const bool copies =
        f->object == 0 && (is_copy(&ops[who_op(f->who1)]) || is_copy(&ops[who_op(f->who2)]));
    char first[512], second[512], times[64] = "", last[400];
    const char *cause = race_last_words(l, f, out, last, sizeof last)
                            ? last
                            : cause_of(l, f, round, copies, out->site);
    static const char *const between[] = {[IN_ONE_INSTRUCTION] = "in the same instruction",
                                          [IN_WARP] =
                                              "of the same warp, with no __syncwarp() in between",
                                          [IN_BLOCK] = "with no __syncthreads() in between",
                                          [BETWEEN_BLOCKS] = "in another block"};
    const enum reach reach = reach_of(f);
    const char *apart = copies && reach == IN_BLOCK
                            ? "with no wait for the copy and then __syncthreads() in between"
                            : between[reach];
    describe_site(&out->site[0], "", first, sizeof first);
    describe_site(&out->site[1], "", second, sizeof second);
    if (out->count > 1)
        snprintf(times, sizeof times, "\n  seen %" PRIu64 " times in this launch", out->count);
    snprintf(out->message, sizeof out->message,
             "%srace in kernel %s on element %" PRIu64 " of %s (%s)\n  %s\n  %s%s, %s\n  %s%s",
             out->severity == VG_WARNING ? "warning: " : "", out->kernel, out->element, out->object,
             vgpu_hazard_name(out->hazard), first, second, round ? " in the next round" : "", apart,
             cause, times);
}

/* Harmless ones, and what the kernel's fences may order, are no reason to stop anybody. */
void race_tell_now(const race_checker *c, const launch *l, const race_found *f) {
    if (c->notice == NULL || c->told == NULL || f->same_value || !race_found_add(c->told, f))
        return;
    race_found ordered = *f;
    vg_finding out;
    const bool round = put_in_order(l, &ordered);
    fill_finding(c, l, &ordered, &out);
    out.count = 0;
    out.between_blocks = reach_of(&ordered) == BETWEEN_BLOCKS;
    write_message(l, &ordered, round, &out);
    c->notice(c->notice_self, &out, ordered.who1 == f->who1 ? 1 : 0);
}

/* ---- publishing ---- */

typedef struct candidate {
    race_found found;
    bool round;
    vg_finding finding;
} candidate;

/* Candidates for one finding: the same two lines, whichever came first, and the same array. */
static int compare_subjects(const vg_finding *a, const vg_finding *b) {
    const bool turn_a = a->site[1].line < a->site[0].line,
               turn_b = b->site[1].line < b->site[0].line;
    for (int i = 0; i < 2; i++) {
        const vg_site *x = &a->site[i ^ (int)turn_a], *y = &b->site[i ^ (int)turn_b];
        if (x->line != y->line)
            return x->line < y->line ? -1 : 1;
        const int c = strcmp(x->file, y->file);
        if (c != 0)
            return c;
    }
    return strcmp(a->object, b->object);
}

/* By subject; among those of one subject, the one to show comes first. */
static int compare_candidates(const void *pa, const void *pb) {
    const candidate *a = pa, *b = pb;
    const int c = compare_subjects(&a->finding, &b->finding);
    if (c != 0)
        return c;
    if (a->found.same_value != b->found.same_value)
        return a->found.same_value ? 1 : -1;
    const enum reach ra = reach_of(&a->found), rb = reach_of(&b->found);
    return ra != rb ? (ra < rb ? -1 : 1) : compare_examples(&a->found, &b->found);
}

typedef struct collection {
    race_found *table;
    uint64_t last_block;
} collection;

static void collect(void *arg, const race_found *f) {
    const collection *to = arg;
    if (f->block1 <= to->last_block && f->block2 <= to->last_block)
        (void)race_found_add(to->table, f);
}

static void add_findings(const race_checker *c, const launch *l, const race_found *table,
                         bool complete) {
    size_t count = 0;
    for (uint32_t i = 0; i < FOUND_SLOTS; i++)
        count += table[i].count != 0;
    candidate *all = count > 0 ? calloc(count, sizeof *all) : NULL;
    if (all == NULL)
        return;
    count = 0;
    for (uint32_t i = 0; i < FOUND_SLOTS; i++) {
        if (table[i].count != 0) {
            all[count].found = table[i];
            all[count].round = put_in_order(l, &all[count].found);
            fill_finding(c, l, &all[count].found, &all[count].finding);
            count++;
        }
    }
    qsort(all, count, sizeof *all, compare_candidates);
    for (size_t i = 0, next; i < count; i = next) {
        bool between_blocks = false;
        uint64_t times = 0; /* one for each element, however the access was cut up */
        for (next = i; next < count && compare_subjects(&all[i].finding, &all[next].finding) == 0;
             next++) {
            times += all[next].finding.count;
            between_blocks = between_blocks || reach_of(&all[next].found) == BETWEEN_BLOCKS;
        }
        all[i].finding.count =
            complete ? times : 0; /* after a fault, how often is a matter of luck */
        all[i].finding.between_blocks = between_blocks;
        write_message(l, &all[i].found, all[i].round, &all[i].finding);
        vg_findings_add(c->findings, &all[i].finding);
    }
    free(all);
}

void race_end_phase(race_checker *c) {
    if (c->phases == NULL)
        c->phases = calloc(FOUND_SLOTS, sizeof *c->phases);
    collection all = {c->phases, UINT64_MAX};
    if (c->phases != NULL)
        race_blocks_report(c->blocks, c, UINT64_MAX, collect, &all);
    else if (c->num_workers > 0)
        c->workers[0].out_of_memory = true;
    race_blocks_begin(c->blocks, c);
}

void race_publish(race_checker *c, const launch *l, const vg_fault *fault) {
    const uint64_t last = vg_last_told(l, fault);
    collection all = {c->phases != NULL ? c->phases : calloc(FOUND_SLOTS, sizeof(race_found)),
                      last};
    c->phases = NULL;
    bool lost = all.table == NULL;
    for (int i = 0; i < c->num_workers; i++) {
        race_worker *rw = &c->workers[i];
        lost = lost || rw->out_of_memory;
        for (uint32_t k = 0; rw->any_found && all.table != NULL && k < FOUND_SLOTS; k++)
            if (rw->found[k].count != 0)
                collect(&all, &rw->found[k]);
        if (rw->any_found)
            memset(rw->found, 0, FOUND_SLOTS * sizeof *rw->found);
        rw->any_found = rw->out_of_memory = false;
    }
    if (all.table != NULL) {
        if (c->many_blocks)
            race_blocks_report(c->blocks, c, last, collect, &all);
        add_findings(c, l, all.table, fault == NULL);
    }
    free(all.table);
    race_stray_publish(c, l, last, fault == NULL);
    race_locals_publish(c, l, last, fault == NULL);
    race_cached_publish(c, l, fault);
    if (lost || race_blocks_lost(c->blocks)) {
        vg_finding f = {
            .kind = VGPU_FOUND_RACE, .fact.says = VGPU_RACES_LOST, .severity = VG_WARNING};
        snprintf(f.kernel, sizeof f.kernel, "%s", l->kernel->info.pretty);
        snprintf(
            f.message, sizeof f.message,
            "warning: kernel %s: memory ran out for the race checker; some races may not be listed",
            f.kernel);
        vg_findings_add(c->findings, &f);
    }
}
