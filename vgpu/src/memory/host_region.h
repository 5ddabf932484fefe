/*
 * host_region.h: what part of the host's memory an address belongs to, for messages about host
 * pointers in kernels. Addresses themselves are another in every run; what they are is not.
 */
#ifndef VGPU_HOST_REGION_H
#define VGPU_HOST_REGION_H

#include <stdint.h>

/* "a variable on the host's stack", "host memory from malloc or new", "a global or static variable
 * of the host"; NULL when the system doesn't tell, or nothing is there. */
const char *vg_host_region(uint64_t address);

#endif
