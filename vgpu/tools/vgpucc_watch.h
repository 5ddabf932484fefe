/*
 * vgpucc_watch.h: -g, the build of device code that can be watched (vgpu/src/inspect/watched.h).
 */
#pragma once

#include "vgpu/tools/vgpucc_commands.h"

/* Compiles input once more, for watching, and puts it and its names behind the PTX that is in
 * file `ptx`. Where that cannot be done, one sentence says why, and the file stays as it is: the
 * program runs all the same. */
void watch_append(const options *o, const setup *s, const char *input, const char *ptx);
