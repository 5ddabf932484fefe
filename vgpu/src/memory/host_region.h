/*
 * host_region.h: what part of the host's memory an address belongs to, for messages about host
 * pointers in kernels. Addresses themselves are another in every run; what they are is not.
 */
#pragma once

#include "vgpu/include/vgpu_facts.h"

/* VGPU_HOST_UNKNOWN when the system doesn't tell, or nothing is there. */
enum vgpu_host vg_host_region(uint64_t address);
