/*
 * host_memory.h: how much memory can this process still take without being killed for it?
 *
 * malloc promises more than there is, and the kernel ends the process when the promise is called
 * in. Asking first turns that into a message.
 */
#pragma once

#include <stdint.h>

/* Bytes that are free for use: the machine's available memory, or what is left of the container's
 * limit where that is less. UINT64_MAX when the system doesn't tell. */
uint64_t host_memory_available(void);
