# count.mk: the counters of the virtual GPU, for vgpu/module.mk, which includes this before it makes
# the library: VGPU_COUNT_OBJS are its members, $(BUILD)/bin/vgpu-report reads what they write.

VGPU_COUNT_SRC  := $(filter-out vgpu/src/count/lanes.c,$(wildcard vgpu/src/count/*.c))
VGPU_COUNT_OBJS := $(VGPU_COUNT_SRC:%.c=$(BUILD)/obj/%.o) \
                   $(foreach isa,$(VGPU_CORE_ISAS),$(BUILD)/obj/vgpu/src/count/lanes.$(isa).o)

define vgpu_count_isa
$$(BUILD)/obj/vgpu/src/count/lanes.$(1).o: vgpu/src/count/lanes.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(VGPU_CORE_FLAGS) $$(VGPU_ISA_$(1)) -DVG_ISA=$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach isa,$(VGPU_CORE_ISAS),$(eval $(call vgpu_count_isa,$(isa))))
