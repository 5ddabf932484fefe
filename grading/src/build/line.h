/*
 * line.h: which line of the submission stands at an address of the program that was built.
 *
 * The host's part of a submission is compiled with line tables; addr2line (binutils, which the
 * linker comes with) reads them, behind the walls of a compiler, for a stranger's file is read.
 * Where there is no such program, or no table, the line is unknown, and nothing else changes.
 */
#pragma once

#include "grading/src/build/build.h"

/* From 1; 0: unknown. `file`: the submission's name. */
int build_line(const struct build *b, const struct backend *backend, const struct paths *paths,
               const struct sandbox *sandbox, const char *file, uint32_t address);

/* Of what addr2line -i printed, the first line that lies in `file`, however its folder is written;
 * 0: none. */
int build_line_read(const char *printed, const char *file);
