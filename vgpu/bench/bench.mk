# bench.mk: the virtual GPU's speed beside a peer's, in one run.
.PHONY: bench-vgpu
bench-vgpu: ## the virtual GPU's speed, beside Oclgrind's where installed
bench-vgpu: $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a
	@vgpu/bench/bench $(BUILD)/bin/vgpucc
	@vgpu/bench/grading

.PHONY: bench-vgpu-scaling
bench-vgpu-scaling: ## how the virtual GPU's cost grows with blocks and workers
bench-vgpu-scaling: $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a
	@vgpu/bench/scaling $(BUILD)/bin/vgpucc
