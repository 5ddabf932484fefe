/*
 * facts.h: making messages (vgpu/include/vgpu_facts.h), and their words.
 *
 * Who has something to say fills in a vg_note: the fields, and texts where they lie. facts.c turns
 * it into words; nothing else in the virtual GPU writes sentences for people, but for the checkers'
 * findings (check/words.c) and the loader's remarks on PTX text, which are a compiler's.
 */
#pragma once

#include "vgpu/include/vgpu_facts.h"

#include <stdbool.h>
#include <stddef.h>

/* A message in the making: vg_note_close copies the texts into `is`; NULL leaves what is there. */
typedef struct vg_note {
    struct vgpu_fact is;
    const char *call, *name, *other, *kernel;
} vg_note;

/* &(vg_note){…}: `says`, and fields such as .call = call, .is.size = size. */
#define VG_NOTE(what, ...) (&(vg_note){.is.says = VGPU_##what, ##__VA_ARGS__})

const struct vgpu_fact *vg_note_close(vg_note *note);

/* The message in words: one or more lines, without the "vgpu: " prefix. Returns buf. */
const char *vg_fact_words(const struct vgpu_fact *fact, char *buf, size_t len);
/* Is it about the call, of the runtime or of a library, that the program is in? Its line helps
 * then. */
bool vg_fact_is_of_call(const struct vgpu_fact *fact);
/* What lies at its address: "just past the end of allocation #3 (4096 bytes)". */
const char *vg_fact_place(const struct vgpu_fact *fact, char *buf, size_t len);
/* The memory: "allocation #3 (4096 bytes)", "shared array 'As'". */
const char *vg_fact_memory(const struct vgpu_fact *fact, char *buf, size_t len);

/* A phrase of a message of these kinds; for the tool that prints limits without a launch. */
const char *vg_fact_reason(const struct vgpu_fact *fact, char *buf, size_t len);
