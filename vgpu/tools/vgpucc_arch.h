/*
 * vgpucc_arch.h: which architecture the command line asks for, and instructions that it lacks.
 *
 * The virtual GPU runs PTX for sm_80, whatever -arch says. But a GPU of the architecture that is
 * asked for may not have an instruction, and ptxas would refuse it: so vgpucc does, too, with the
 * line. Without -arch, whatever the virtual GPU has is there. Of several architectures the newest
 * counts, since code for the older ones may stand apart by __CUDA_ARCH__.
 */
#pragma once

#include <stdbool.h>

enum {
    ARCH_ANY = 0,      /* all, or one that is not known here: nothing is refused */
    ARCH_DEFAULT = 80, /* where none is given */
    ARCH_OLDEST = 60   /* older ones count as this one */
};

typedef struct arch {
    int number;    /* 90 */
    bool specific; /* 90a, 100f: with what only that one has */
    bool given;    /* it is on the command line */
} arch;

/* What -arch or -gencode asks for: sm_75, compute_90a, arch=compute_75,code=sm_75. The newest of
 * what was asked for before and now stays in *known. */
void arch_ask(arch *known, const char *value);
/* __CUDA_ARCH__ in device code: 800, or less if an older architecture is asked for. */
int arch_macro(const arch *known);
/* False: the PTX has an instruction that the architecture lacks, which was said. True where none
 * was asked for. */
bool arch_has_all(const arch *known, const char *ptx, const char *input);
