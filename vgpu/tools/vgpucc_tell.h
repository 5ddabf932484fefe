/*
 * vgpucc_tell.h: -v and --dryrun: the commands, on standard error, as nvcc writes them. CMake takes
 * from this where headers are and what links.
 */
#pragma once

#include "vgpu/tools/vgpucc_commands.h"

void tell_commands(const options *o, const setup *s);
