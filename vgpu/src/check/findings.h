/*
 * findings.h: the one list of what the checkers found, for the whole run of a program.
 *
 * A finding is one mistake, not one event: what hits the same lines and the same array again, in
 * another thread, block or launch, is counted and keeps the example it has. A checker collects
 * during a launch wherever it likes, and adds here afterwards, when one thread is left. The list is
 * then the same in every run, however the blocks were spread over the workers.
 *
 * A finding is a message (vgpu_facts.h) with the lines and threads that it is about; its words are
 * made by words.c.
 */
#pragma once

#include "vgpu/src/core/core.h"

enum vg_severity { VG_WARNING, VG_ERROR };

/* One end of a finding: a line of source, and who was there. */
typedef struct vg_site {
    char file[256];  /* empty: unknown; relative to the working folder when it lies there */
    int line;        /* 0: unknown                                                        */
    bool has_thread; /* block and thread mean something                                   */
    vg_dim3 block, thread;
    const char *action; /* "written", "read", "updated atomically", …; static text           */
} vg_site;

typedef struct vg_finding {
    enum vgpu_found kind;
    enum vg_severity severity;
    char kernel[160]; /* empty: found in the host's part                                   */
    char object[160]; /* the array or allocation: "shared array 'As'", "allocation #2 …"   */
    bool has_element;
    uint64_t element; /* index in the array, in elements of what was accessed              */
    vg_site site[2];  /* site[0] is where the finding is shown                             */
    int num_sites;    /* 0 to 2                                                            */
    enum vgpu_hazard hazard;
    struct vgpu_fact fact; /* which message it is, and the array or allocation              */
    bool between_blocks;   /* races: some of them are between different blocks                  */
    uint64_t count;        /* times seen: bytes, words or events, as the kind has it; 0: unknown  */
    bool said;             /* the user has been told already: for the report only              */
    char message[2048];    /* complete, of one or more lines, no newline at its end             */
} vg_finding;

typedef struct vg_findings vg_findings;
/* Told of each new finding, and its words. */
typedef void vg_say_finding(void *arg, const struct vgpu_fact *fact, const char *words);

vg_findings *vg_findings_create(void); /* NULL: out of memory */
void vg_findings_destroy(vg_findings *list);

/* Adds a finding, or its count to the one it repeats (same kind, kernel, object, hazard and lines).
 * A repetition that is an error makes a warning an error. Out of memory: it is dropped, counted. */
void vg_findings_add(vg_findings *list, const vg_finding *finding);

/* The list has a race between blocks on this finding's line and object, in its kernel. */
bool vg_findings_race_between_blocks(const vg_findings *list, const vg_finding *finding);

/* The list has a race of this finding's two lines, on its object and in its kernel. */
bool vg_findings_race_at(const vg_findings *list, const vg_finding *finding);

/* Sorts what was added since the last call (errors first, then by kernel, line, object), and hands
 * the message of each new finding to say, at most `limit` in the list's whole life; then one line
 * says that there are more. */
void vg_findings_publish(vg_findings *list, int limit, vg_say_finding *say, void *arg);

/* For reports: findings 0 … count - 1, in the order of publication. */
int vg_findings_count(const vg_findings *list);
const vg_finding *vg_findings_get(const vg_findings *list, int i);
