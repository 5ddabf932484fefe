# bench.mk: the virtual GPU's speed beside a peer's, in one run.
.PHONY: bench-vgpu
bench-vgpu: $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a ## the virtual GPU's speed, beside Oclgrind's where installed
	@vgpu/bench/bench $(BUILD)/bin/vgpucc
	@vgpu/bench/grading
