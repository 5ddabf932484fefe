/*
 * shadow_section.h: the name that vgpucc and the runtime have agreed on: the section of objects and
 * programs where the host's copies of device variables lie, each at the begin of a page.
 */
#pragma once

#define VG_SHADOW_SECTION "vgpu_shadow"

/* The largest page that a machine of this kind may have, in bytes; the assembler reads it, too. */
#if defined(__x86_64__)
#define VG_SHADOW_PAGE 4096
#else
#define VG_SHADOW_PAGE 65536
#endif
