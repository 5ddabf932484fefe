/*
 * scratch.h: the one folder a grading run writes to, and its removal whatever happens.
 *
 * The folder is private (mode 700) under $TMPDIR or /tmp. SIGINT, SIGTERM, SIGHUP and SIGPIPE do
 * not end the grader at once: they are noted, every wait ends early, the folder is removed on the
 * ordinary way out, and the grader then dies of that signal as its caller expects. What a killed
 * one leaves, the next one removes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Makes the folder and returns its path (the caller frees it), or NULL with the reason in `why`. */
char *scratch_create(char *why, size_t room);

/* Is there room in it for what a build makes? False: `why` gets a sentence that says so, and what
 * to do. Asked when something has failed, by taking the room and giving it back: only so quotas are
 * seen, too. */
struct text;
bool scratch_has_room(const char *path, struct text *why);

/* Removes scratch folders in `parent` that graders of this user left because they were killed
 * (SIGKILL leaves nobody to clean up): those whose lock nobody holds. scratch_create does so after
 * making its own. A folder without a lock file is not touched. */
void scratch_sweep(const char *parent);

/* The folder is to stay (--keep): no sweep will take it for a dead grader's. */
void scratch_keep(const char *path);

/* Removes a folder and everything in it. Follows no symbolic link out of it. */
bool scratch_remove(const char *path);

/* Copies a file to a place in such a folder, with these rights whatever the umask. False, with
 * errno, when that fails. */
bool scratch_copy(const char *from, const char *to, mode_t mode);

/* Starts noting signals; the one noted, or 0. */
void interrupt_watch(void);
int interrupt_noted(void);

/* Ends the program by the noted signal. Returns when there is none. */
void interrupt_obey(void);
