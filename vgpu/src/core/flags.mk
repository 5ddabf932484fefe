# flags.mk: the executor's vector files, compiled once for each instruction set worth having.
# vgpu/module.mk includes this and adds VGPU_CORE_VECTOR_OBJS to the library.
#
# No contraction: a multiplication and an addition fuse only where the PTX says fma. No traps and no
# errno, so that loops over lanes vectorise; NaNs, infinities and subnormals stay exact.

VGPU_CORE_VECTOR := ops_int ops_float ops_move ops_mem ops_half ops_tensor
VGPU_CORE_FLAGS  := -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-pass-failed
VGPU_CORE_ISAS   := base

ifeq ($(shell $(CC) -dumpmachine 2>/dev/null | cut -d- -f1),x86_64)
VGPU_CORE_ISAS += avx2 avx512
VGPU_ISA_avx2   := -mavx2 -mfma -mbmi -mbmi2 -mlzcnt
VGPU_ISA_avx512 := $(VGPU_ISA_avx2) -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd \
                   -mprefer-vector-width=512
endif

VGPU_CORE_VECTOR_OBJS := $(foreach isa,$(VGPU_CORE_ISAS),$(VGPU_CORE_VECTOR:%=$(BUILD)/obj/vgpu/src/core/%.$(isa).o))

define vgpu_core_isa
$$(BUILD)/obj/vgpu/src/core/%.$(1).o: vgpu/src/core/%.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(VGPU_CORE_FLAGS) $$(VGPU_ISA_$(1)) -DVG_ISA=$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach isa,$(VGPU_CORE_ISAS),$(eval $(call vgpu_core_isa,$(isa))))
