/*
 * vgpucc_diag.h: what the compiler said, passed on once.
 *
 * A .cu file is compiled twice, for the device and for the host, so most warnings are found twice.
 * A diagnostic here is a line with "error:" or "warning:" and everything that belongs to it (the
 * "In file included from" before it, the source line, caret and notes behind it); one that both
 * passes gave is shown once. The closing counts ("1 warning generated when compiling for sm_70.")
 * speak of passes that the user needn't know of, and are left out.
 */
#pragma once

/* Writes the diagnostics of file `first` to stderr, then those of `second` (may be NULL) that are
 * not among them. A file that can't be read counts as empty. */
void show_diagnostics(const char *first, const char *second);
