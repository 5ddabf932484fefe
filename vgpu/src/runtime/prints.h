/*
 * prints.h: what kernels printed, until the host waits for them. A GPU keeps it in a buffer, and
 * shows it when the host waits: so what the host prints after a launch comes first.
 *
 *     hello<<<1, 1>>>();            the kernel's lines are put down
 *     printf("launched\n");         shown first
 *     cudaDeviceSynchronize();      vg_prints_seen: the kernel's lines are shown
 *
 * Refuses to lose anything, as a GPU may: a kernel's fault shows at once what it printed until
 * then, and the program's end what nobody waited for.
 *
 * Contract: with the context's lock held. Texts that find no memory, or that are more than
 * VG_PRINTS_MOST bytes together, are shown at once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct vg_context vg_context;

#define VG_PRINTS_MOST ((size_t)16 << 20)

/* Takes what the launch at hand prints; of vg_launch_params.print. `self` is the context. */
void vg_prints_take(void *self, const char *text, size_t len);
/* The launch has ended. `at_once`: whatever it printed is shown now. */
void vg_prints_launched(vg_context *ctx, bool at_once);
/* The host has waited: for what, order.h knows. */
void vg_prints_seen(vg_context *ctx);
/* The program ends: shows the rest. The kernel that printed last of these; NULL: none was left. */
const char *vg_prints_end(vg_context *ctx);
