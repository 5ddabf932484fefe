/*
 * budget.h: how much time one submission may take in all.
 *
 * Compiling, cases, checks, and all that is run afterwards to find out why something is wrong draw
 * from one budget, which the rubric sets. It is no clock: what counts is the processor time of all
 * children of the grader, and the time in which a worker could have computed and waited instead
 * (patience.h). So a busy machine takes longer and decides the same.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds. */
struct budget {
    int64_t limit;
    int64_t before; /* processor time of the grader's children when the budget began */
    int64_t waited; /* by workers that have ended */
};

void budget_begin(struct budget *b, int seconds);

/* A worker has ended that waited so long. NULL: nobody asks. */
void budget_add_waited(struct budget *b, int64_t milliseconds);

/* Is it used up? What runs is let finish within its own limit; nothing more is begun. */
bool budget_is_spent(const struct budget *b);

/* The same for a given processor time of all children. */
bool budget_is_spent_at(const struct budget *b, int64_t processor);
