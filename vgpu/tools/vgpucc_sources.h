/*
 * vgpucc_sources.h: a program's own source files, as text: the one that is compiled, and those that
 * it includes by #include "…", found beside the includer or in the folders of -I.
 */
#pragma once

#include "vgpu/tools/vgpucc_args.h"

#include <stdbool.h>

/* Hands each file's text to `look`, which may change it; it is freed after. `command` has the -I
 * options. */
typedef void source_fn(void *arg, const char *path, char *text);
void sources_each(const args *command, const char *input, source_fn *look, void *arg);

/* Behind a comment or literal that begins at `at`, in `text`; `at` itself where none does. */
char *source_skip_dead(const char *text, char *at);
/* Of a name? */
bool source_in_word(char c);
/* Does this whole word stand at `at`? */
bool source_is_word(const char *text, const char *at, const char *word);
