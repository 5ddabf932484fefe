/*
 * processes.h: the program is several processes once somebody goes back (back.h): how one begins,
 * waits and ends; what it says to whom; and what outside of its memory goes back with it.
 *
 * Contract: a process dies with the one that began it. Nothing that two processes agree on needs
 * one of them to be quicker than the other.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A child that dies with this process, and is not held. 0: this is the child; < 0: there is
 * none. */
pid_t dbg_new_process(void);
/* The status of a child that has ended or is about to, as waitpid tells it. */
int dbg_reap(pid_t pid);
/* The same of one to which interrupts are passed on meanwhile. */
int dbg_wait_for(pid_t pid);
/* What a child says, on a socket, while it works on something. False: it says nothing. */
bool dbg_hear_while(pid_t pid, int line, void *to, size_t size);
/* Ends as another process has. */
_Noreturn void dbg_end_as(int status);

/* Nothing is printed by this process from now on. */
void dbg_be_quiet(void);
/* Until it is loud again. */
void dbg_set_quiet(int out[2]);
void dbg_set_loud(const int out[2]);

/* How many threads does the program have? 1 where nobody says. */
int dbg_threads(void);
/* Of how many copies of this process is it sure that they do not take more than a quarter of the
 * memory that is free? At most `most`. */
int dbg_copies_that_fit(int most);
/* What a process has of its own memory, in bytes: a page counts in part where others share it, or
 * whole. 0: nobody says. */
typedef struct dbg_pages {
    uint64_t part, whole;
} dbg_pages;
dbg_pages dbg_memory_of(pid_t pid);

/* Where the program is in the files that it has opened: they are shared by all its processes. */
enum { DBG_FILES = 64 };
typedef struct dbg_files {
    bool foreign[DBG_FILES]; /* open before the program began */
    off_t at[DBG_FILES];     /* -1: none */
} dbg_files;

void dbg_files_begin(dbg_files *f);
void dbg_files_note(dbg_files *f);
void dbg_files_go_back(const dbg_files *f);
