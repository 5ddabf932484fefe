/*
 * vgpucc_hostonly.h: a kernel that uses what is for the host only, std::vector or a function that
 * is not marked: one sentence that names it and says what to do, behind a compiler's page about it.
 */
#pragma once

/* Reads what clang or nvcc said of a file that it refused. */
void host_only_names(const char *errors);
