# flags.mk: the vector files of the executor, the counters and the checkers, compiled once for each
# instruction set worth having. vgpu/module.mk includes this and adds VGPU_CORE_VECTOR_OBJS to the
# library.
#
# No contraction: a multiplication and an addition fuse only where the PTX says fma. No traps and no
# errno, so that loops over lanes vectorise; NaNs, infinities and subnormals stay exact.

VGPU_CORE_VECTOR := ops_int ops_float ops_move ops_mem ops_half ops_tensor ops_train
VGPU_CORE_FLAGS  := -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-pass-failed
# These files are a third of the first build. Where -O1 makes loops over lanes vectors, it compiles
# in two thirds of the time that -O3 takes, and the code is as fast or faster; but not for avx512.
# At -O1 GCC clears the upper halves of wide registers (vzeroupper) only with the third option,
# which clang does not know and need not. Where they are left full, SSE instructions of the code
# around wait for them: products took twice as long with all checks (vgpu/tests/run-vectors). The
# fourth unrolls loops over lanes, which have four or eight steps.
VGPU_CORE_ISAS   := base
VGPU_OPT_base    := -O1 -ftree-vectorize
VGPU_OPT_avx2    := -O1 -ftree-vectorize -fexpensive-optimizations -fpeel-loops \
                    -Wno-ignored-optimization-argument
VGPU_OPT_avx512  := -O3

ifeq ($(shell $(CC) -dumpmachine 2>/dev/null | cut -d- -f1),x86_64)
VGPU_CORE_ISAS += avx2 avx512
VGPU_ISA_avx2   := -mavx2 -mfma -mbmi -mbmi2 -mlzcnt
VGPU_ISA_avx512 := $(VGPU_ISA_avx2) -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd \
                   -mprefer-vector-width=512
endif

# What reads and lowers a kernel, once, before it runs; what the host calls; what is said in the
# end.
VGPU_COLD := $(addprefix core/,cfg.c fault.c fuse.c loops.c lower*.c module.c names.c opcodes.c \
                 ptx_*.c registers.c resolve.c optable.c ops_rare.c) \
             $(addprefix check/,findings.c line_table.c race_report.c) \
             $(addprefix count/,install.c json_out.c log.c report.c) runtime/*.c
VGPU_COLD := $(filter-out %/copy.c %/journal.c,$(wildcard $(VGPU_COLD:%=vgpu/src/%)))
$(VGPU_COLD:%.c=$(BUILD)/obj/%.o): OPT = $(OPT_COLD)

VGPU_CORE_VECTOR_OBJS := $(foreach \
    isa,$(VGPU_CORE_ISAS),$(VGPU_CORE_VECTOR:%=$(BUILD)/obj/vgpu/src/core/%.$(isa).o))

define vgpu_isa
$$(BUILD)/obj/vgpu/src/%.$(1).o: EXTRA_CFLAGS += $$(VGPU_CORE_FLAGS) $$(VGPU_ISA_$(1)) \
    $$(if $$(SAN),,$$(VGPU_OPT_$(1))) -DVG_ISA=$(1)
$$(BUILD)/obj/vgpu/src/%.$(1).o: vgpu/src/%.c
	$$(call starts,CC,$$< ($(1)))
	$$(COMPILE) -MMD -MP -c $$< -o $$@
endef
$(foreach isa,$(VGPU_CORE_ISAS),$(eval $(call vgpu_isa,$(isa))))
