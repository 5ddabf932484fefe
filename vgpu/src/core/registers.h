/*
 * registers.h: rows of the register file for a function's PTX registers.
 *
 * PTX names a new register for nearly every value, thousands in an unrolled kernel. Registers whose
 * values are never needed at the same time share a row, so that a warp's registers stay in the
 * cache. What is true of a lane's own path through the code is enough: handlers write active lanes
 * only, so lanes on other paths keep what they have in the same row.
 */
#pragma once

#include "vgpu/src/core/lower.h"

/* Fills lf->row_of for every 32- and 64-bit register that the function mentions. Predicates get
 * theirs when they are first met. Returns the largest number of 32-bit registers that live at once
 * (64-bit ones count twice): an estimate of what an assembler would need. */
int lower_allocate_registers(lowerer *lw, lowered_func *lf);

/* Calls visit for every register of an instruction, sources before destinations; one that is under
 * a guard keeps its old value in some lanes, and counts as a source. */
typedef void lower_visit_fn(const ptx_var *v, bool is_def, void *arg);
void lower_visit_registers(const ptx_instr *in, lower_visit_fn *visit, void *arg);
