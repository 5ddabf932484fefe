/* install.c: the counters of this process: see install.h and include/vgpu_counters.h. */
#include "vgpu/src/count/install.h"
#include "vgpu/include/vgpu_counters.h"
#include "vgpu/src/count/count.h"
#include "vgpu/src/count/trace.h"
#include "vgpu/src/memory/settings.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* While the program runs, at most one part in twenty of its time goes into writing reports. */
enum { WRITE_SHARE = 20 };

_Static_assert(sizeof(struct vgpu_counters) == sizeof(vg_counts),
               "the public counters are those of enum vg_counter, in order");

static struct {
    pthread_mutex_t lock;
    bool started;
    bool wanted; /* counting is on */
    char *path;  /* of the report, absolute; NULL: none */
    pid_t owner; /* the process that writes it */
    const vg_profile *profile;
    vg_count *count;             /* NULL until first needed */
    vg_trace *trace;             /* NULL: not asked for */
    vg_exec *exec;               /* that the counters are registered with */
    const vg_findings *findings; /* of the checkers; NULL: none */
    double next_write;           /* seconds of the monotonic clock */
    bool complained;
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The name with %p replaced, from the root: the program may change its folder. NULL:
 * out of memory. */
static char *report_path(const char *name) {
    char *expanded = NULL, *path = NULL;
    const char *p = strstr(name, "%p");
    if (p == NULL)
        expanded = strdup(name);
    else if (asprintf(&expanded, "%.*s%ld%s", (int)(p - name), name, (long)getpid(), p + 2) < 0)
        expanded = NULL;
    char *here = expanded != NULL && expanded[0] != '/' ? getcwd(NULL, 0) : NULL;
    if (here == NULL)
        return expanded;
    if (asprintf(&path, "%s/%s", here, expanded) < 0)
        path = NULL;
    free(here);
    free(expanded);
    return path;
}

static void complain_once(void) {
    if (!the.complained) {
        the.complained = true;
        fprintf(stderr, "vgpu: VGPU_REPORT: cannot write %s: %s\n", the.path, strerror(errno));
    }
}

void vg_count_write(bool complete) {
    if (the.path == NULL || getpid() != the.owner)
        return;
    static const vg_log empty;
    vg_log *log = the.count != NULL ? vg_count_lock(the.count) : NULL;
    if (the.count != NULL && log == NULL)
        return; /* the program dies in the middle of counting: the last report stays */
    const vg_report r = {.log = log != NULL ? log : &empty,
                         .profile = the.profile,
                         .complete = complete,
                         .findings = the.findings,
                         .trace = the.trace,
                         .peak_memory = the.count != NULL ? vg_count_peak_memory(the.count) : 0};
    if (!vg_report_write(&r, the.path))
        complain_once();
    if (log != NULL)
        vg_count_unlock(the.count);
}

/* Behind what the runtime has to say at the program's end (runtime/context.c). */
__attribute__((destructor(102))) static void at_end(void) {
    if (the.started)
        vg_count_write(true);
}

/* After each launch, unless the last report is too recent for its cost. After a fault at once: few
 * programs live on for long. */
static void launch_done(void *self, bool faulted) {
    (void)self;
    const double begin = now();
    if (the.path == NULL || (begin < the.next_write && !faulted))
        return;
    vg_count_write(false);
    const double end = now();
    the.next_write = end + (end - begin) * WRITE_SHARE;
}

void vg_count_start(const vg_profile *profile) {
    pthread_mutex_lock(&the.lock);
    the.profile = profile;
    if (!the.started) {
        the.started = true;
        const char *name = vg_setting("VGPU_REPORT"), *film = vg_setting("VGPU_FILM");
        the.wanted = the.wanted || (film != NULL && *film != '\0'); /* it tells counts */
        if (name != NULL && *name != '\0') {
            the.wanted = true;
            the.owner = getpid();
            the.path = report_path(name);
            const char *trace = vg_setting("VGPU_TRACE");
            the.trace = trace != NULL && strcmp(trace, "1") == 0 ? vg_trace_create() : NULL;
        }
    }
    pthread_mutex_unlock(&the.lock);
}

static bool have_count(void) {
    if (the.count == NULL) {
        the.count = vg_count_create();
        if (the.count != NULL)
            vg_count_on_launch(the.count, launch_done, NULL);
    }
    return the.count != NULL;
}

bool vg_count_install(vg_exec *exec) {
    pthread_mutex_lock(&the.lock);
    bool ok = true;
    if (the.wanted && the.exec != exec) {
        ok = have_count() && vg_exec_observe(exec, vg_count_observer(the.count)) &&
             (the.trace == NULL || vg_exec_observe(exec, &the.trace->observer));
        the.exec = ok ? exec : the.exec;
    }
    pthread_mutex_unlock(&the.lock);
    return ok;
}

const vg_launch_record *vg_count_last(void) {
    const vg_launch_record *last = NULL;
    const vg_log *log = the.count != NULL ? vg_count_lock(the.count) : NULL;
    if (log == NULL)
        return NULL;
    if (log->num_single > 0 && log->records[log->num_single - 1].first + 1 == log->launches)
        last = &log->records[log->num_single - 1];
    vg_count_unlock(the.count);
    return last;
}

void vg_count_findings(const vg_findings *list) {
    the.findings = list;
}

/* ---- for programs ---- */

bool vgpu_counters_enable(void) {
    pthread_mutex_lock(&the.lock);
    the.wanted = true;
    const bool ok = have_count();
    pthread_mutex_unlock(&the.lock);
    return ok;
}

static bool copy_counts(struct vgpu_counters *to, uint64_t *launches, bool last) {
    memset(to, 0, sizeof *to);
    vg_log *log = the.count != NULL ? vg_count_lock(the.count) : NULL;
    if (log == NULL)
        return false;
    const bool any = log->launches > 0;
    memcpy(to, last ? &log->last : &log->totals, sizeof *to);
    if (launches != NULL)
        *launches = log->launches;
    vg_count_unlock(the.count);
    return any;
}

bool vgpu_last_counters(struct vgpu_counters *counters) {
    return copy_counts(counters, NULL, true);
}

bool vgpu_total_counters(struct vgpu_counters *counters, uint64_t *launches) {
    if (launches != NULL)
        *launches = 0;
    return copy_counts(counters, launches, false);
}

void vgpu_reset_counters(void) {
    vg_log *log = the.count != NULL ? vg_count_lock(the.count) : NULL;
    if (log != NULL) {
        vg_log_clear(log);
        if (the.trace != NULL)
            vg_trace_clear(the.trace);
        vg_count_unlock(the.count);
    }
}

bool vgpu_write_report(void) {
    pthread_mutex_lock(&the.lock);
    const bool any = the.path != NULL && getpid() == the.owner;
    pthread_mutex_unlock(&the.lock);
    if (any)
        vg_count_write(false);
    return any;
}
