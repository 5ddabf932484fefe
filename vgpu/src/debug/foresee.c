/* foresee.c: see foresee.h. */
#include "vgpu/src/debug/foresee.h"

#include "vgpu/src/debug/back.h"
#include "vgpu/src/debug/processes.h"
#include "vgpu/src/debug/wire.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A store: which launch's, and which op of it. */
typedef struct store {
    uint64_t launch, op; /* launch 0: none */
} store;

enum { PAGE_WORDS = 1024, PAGE_BYTES = 4 * PAGE_WORDS };

typedef struct page {
    uint64_t number; /* address / PAGE_BYTES, plus 1; 0: a free slot */
    store *word;
} page;

/* The child's. */
struct dbg_foresight {
    page *pages; /* a hash table */
    size_t slots, used;
    struct vgpu_product product;
    /* For a C in the host's memory: of each element, what was copied there. */
    store *copied;
    uint64_t *from;
};

/* What the child tells. */
typedef struct outcome {
    uint64_t wrong; /* elements; 0: none */
    uint64_t element, at;
    store store;
    float got;
    double want;
} outcome;

/* ---- the child ---- */

static page *slot_of(page *pages, size_t slots, uint64_t number) {
    size_t i = (size_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> 20) % slots;
    while (pages[i].number != 0 && pages[i].number != number)
        i = (i + 1) % slots;
    return &pages[i];
}

static bool make_room(dbg_foresight *f) {
    if (2 * f->used < f->slots)
        return true;
    const size_t slots = f->slots == 0 ? 1024 : 2 * f->slots;
    page *more = calloc(slots, sizeof *more);
    for (size_t i = 0; more != NULL && i < f->slots; i++)
        if (f->pages[i].number != 0)
            *slot_of(more, slots, f->pages[i].number) = f->pages[i];
    if (more == NULL)
        return false;
    free(f->pages);
    f->pages = more;
    f->slots = slots;
    return true;
}

static store *word_at(dbg_foresight *f, uint64_t at) {
    if (!make_room(f))
        return NULL;
    page *p = slot_of(f->pages, f->slots, at / PAGE_BYTES + 1);
    if (p->number == 0) {
        p->word = calloc(PAGE_WORDS, sizeof *p->word);
        if (p->word == NULL)
            return NULL;
        p->number = at / PAGE_BYTES + 1;
        f->used++;
    }
    return &p->word[at % PAGE_BYTES / 4];
}

void dbg_foresee_stored(vg_debug *d, const vg_access *a) {
    if (a->space != PS_GLOBAL || a->kind == VG_READ || a->kind == VG_ASYNC_BEGIN)
        return;
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const uint64_t begin = a->at[__builtin_ctz(m)];
        for (uint64_t at = begin & ~UINT64_C(3); at < begin + a->size; at += 4) {
            store *s = word_at(d->foresight, at);
            if (s != NULL)
                *s = (store){d->launches, vg_inspect_ops(d->in)};
        }
    }
}

void vg_debug_copied(vg_debug *d, const void *host, uint64_t device, uint64_t bytes) {
    dbg_foresight *f = d->foresight;
    if (f == NULL)
        return;
    const uint64_t c = (uint64_t)(uintptr_t)f->product.c, to = (uint64_t)(uintptr_t)host;
    for (uint64_t i = 0; i + 4 <= bytes; i += 4) {
        const uint64_t element = (to + i - c) / 4;
        const store *s = element < f->product.count ? word_at(f, device + i) : NULL;
        if (s != NULL) {
            f->copied[element] = *s;
            f->from[element] = device + i;
        }
    }
}

static bool is_earlier(store a, store b) {
    return a.launch != b.launch ? a.launch < b.launch : a.op < b.op;
}

static outcome first_wrong(dbg_foresight *f, const float *got, bool on_device) {
    const struct vgpu_product *p = &f->product;
    outcome o = {.wrong = 0};
    for (uint64_t i = 0; i < p->count; i++) {
        if (fabs((double)got[i] - p->want[i]) <= (p->bound != NULL ? p->bound[i] : 0))
            continue;
        const uint64_t at = on_device ? (uint64_t)(uintptr_t)p->c + 4 * i : f->from[i];
        const store *word = on_device ? word_at(f, at) : &f->copied[i];
        const store s = word != NULL ? *word : (store){0, 0};
        const bool better = s.launch != 0 && (o.store.launch == 0 || is_earlier(s, o.store));
        if (o.wrong++ == 0 || better) {
            o.element = i;
            o.at = at;
            o.store = s;
            o.got = got[i];
            o.want = p->want[i];
        }
    }
    return o;
}

_Noreturn void vg_debug_foreseen(vg_debug *d, const float *got, bool on_device) {
    if (got != NULL) {
        const outcome o = first_wrong(d->foresight, got, on_device);
        (void)dbg_send_all(d->foresight_line, &o, sizeof o);
    }
    _exit(0);
}

static bool begin(vg_debug *d, const struct vgpu_product *p) {
    dbg_foresight *f = calloc(1, sizeof *f);
    if (f == NULL)
        return false;
    f->product = *p;
    f->copied = calloc((size_t)p->count + 1, sizeof *f->copied);
    f->from = calloc((size_t)p->count + 1, sizeof *f->from);
    d->foresight = f;
    return f->copied != NULL && f->from != NULL;
}

/* ---- the program ---- */

static void name_element(const vg_debug *d, char *buf, size_t len) {
    const uint64_t i = d->wrong.element, cols = d->wrong.columns;
    if (d->wrong.one_row)
        snprintf(buf, len, "C[%llu]", (unsigned long long)i);
    else
        snprintf(buf, len, "C[%llu] (row %llu, column %llu)", (unsigned long long)i,
                 (unsigned long long)(i / cols), (unsigned long long)(i % cols));
}

static void tell(vg_debug *d, const outcome *o, uint64_t count) {
    char name[128];
    name_element(d, name, sizeof name);
    if (o->wrong == 0)
        fputs("The product will be right: no store of a wrong element holds.\n", d->out);
    else if (o->store.launch == 0)
        fprintf(d->out,
                "%llu of the product's %llu elements will be wrong. No kernel stores the first, "
                "%s.\n",
                (unsigned long long)o->wrong, (unsigned long long)count, name);
    else
        fprintf(d->out,
                "%llu of the product's %llu elements will be wrong. The first to be stored is "
                "%s%s.\n",
                (unsigned long long)o->wrong, (unsigned long long)count, name,
                (d->catches & DBG_CATCH_WRONG) != 0 ? ": its store holds" : "");
    dbg_flush(d);
}

bool vg_debug_foresee(vg_debug *d, const struct vgpu_product *p) {
    int pair[2];
    d->wrong = (dbg_wrong_store){.launch = 0};
    if (!dbg_is_owner(d) || p->count == 0 || p->columns == 0 ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return false;
    const pid_t pid = dbg_new_process();
    if (pid == 0) { /* it is not the debugger's: nothing holds it */
        close(pair[0]);
        d->foresight_line = pair[1];
        signal(SIGINT, SIG_DFL); /* who interrupts wants no more to be foreseen */
        dbg_be_quiet();
        if (!begin(d, p))
            _exit(125);
        return true;
    }
    close(pair[1]);
    outcome o;
    const bool known = pid > 0 && dbg_hear_while(pid, pair[0], &o, sizeof o);
    const int status = pid > 0 ? dbg_reap(pid) : 0;
    close(pair[0]);
    if (!known && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) {
        fputs("Interrupted: which element will be wrong first is not known.\n", d->out);
        dbg_flush(d);
        (void)raise(SIGINT); /* the program is held where it is next */
    }
    if (!known)
        return false;
    d->wrong = (dbg_wrong_store){.launch = o.store.launch != 0 ? o.store.launch : d->launches + 1,
                                 .op = o.store.op,
                                 .at = o.at,
                                 .element = o.element,
                                 .columns = p->columns,
                                 .one_row = p->columns == p->count,
                                 .got = o.got,
                                 .want = o.want};
    tell(d, &o, p->count);
    if (o.wrong == 0)
        d->wrong.launch = 0;
    return false;
}

static int lane_that_stored(const vg_access *a, uint64_t at) {
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        if (a->at[lane] <= at && at < a->at[lane] + a->size)
            return lane;
    }
    return -1;
}

bool dbg_hold_wrong(vg_debug *d, warp *w, const vg_access *a) {
    const dbg_wrong_store *x = &d->wrong;
    char name[128], why[512];
    if (dbg_back_follows(d) || x->launch != d->launches || (d->catches & DBG_CATCH_WRONG) == 0 ||
        (x->op != 0 ? a == NULL || x->op != vg_inspect_ops(d->in) : a != NULL))
        return false;
    const int lane = a == NULL               ? __builtin_ctz(w->mask)
                     : a->space == PS_GLOBAL ? lane_that_stored(a, x->at)
                                             : -1;
    if (lane < 0 || !dbg_focus(d, w, lane))
        return false;
    const double got = isnan(x->got) ? fabs((double)NAN) : (double)x->got; /* no "-nan" */
    name_element(d, name, sizeof name);
    if (a == NULL)
        snprintf(why, sizeof why,
                 "The kernel begins. No kernel stores %s, which should be %.9g, and is %.9g.", name,
                 x->want, got);
    else
        snprintf(why, sizeof why,
                 "%s has got %.9g, and should be %.9g: the store of the first wrong element.", name,
                 got, x->want);
    d->wrong.launch = 0; /* once */
    dbg_hold(d, why);
    return true;
}
