/* progress.c: see progress.h. */
#include "vgpu/src/runtime/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const uint64_t second = UINT64_C(1000000000);

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * second + (uint64_t)t.tv_nsec;
}

static void look(void *self, uint64_t begun) {
    vg_progress *p = self;
    const uint64_t spent = p->spent + (now() - p->began);
    if (spent < p->next)
        return;
    while (p->next <= spent)
        p->next *= 2;
    fprintf(stderr,
            "vgpu: after %" PRIu64 " s: kernel %s, launch %" PRIu64 ", block %" PRIu64
            " of %" PRIu64 "\n",
            spent / second, p->kernel, p->launch, begun < p->blocks ? begun : p->blocks, p->blocks);
}

void vg_progress_begin(vg_progress *p, const char *kernel, uint64_t launch, uint64_t seconds,
                       vg_launch_params *params) {
    if (!p->asked)
        *p = (vg_progress){
            .asked = true, .terminal = isatty(STDERR_FILENO) == 1, .next = seconds * second};
    p->began = now();
    p->kernel = kernel;
    p->launch = launch;
    p->blocks = (uint64_t)params->grid.x * params->grid.y * params->grid.z;
    params->progress = p->terminal && seconds > 0 ? look : NULL;
    params->progress_self = p;
}

void vg_progress_end(vg_progress *p) {
    p->spent += now() - p->began;
}
