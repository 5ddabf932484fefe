# handouts: what the course's texts show, kept as the kit has it. site/module.mk makes the pages.

HANDOUTS_TOOL := $(BUILD)/bin/figures
HANDOUTS_BENCH := docs/bench-h200/bench.csv

$(HANDOUTS_TOOL): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard handouts/figures/*.c))
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(LINK) $^ -lm -o $@

# The films that the texts lead to. Without clang or libdw there are none, and the texts lead to the
# programs.
FILM_NAMES := $(shell sed -n 's/^\([a-z][a-z-]*\).*/\1/p' handouts/examples/films.tsv)
FILMS := $(FILM_NAMES:%=$(BUILD)/films/%.html)
FILMS_HERE := $(if $(filter dw,$(HAVE)),$(if $(CLANGXX),$(FILMS)))

$(FILMS): $(BUILD)/films/%.html: handouts/examples/%.cu handouts/examples/ranks.cuh \
    handouts/examples/films.tsv handouts/film \
    $(BUILD)/bin/vgpucc $(BUILD)/bin/vgpu-names $(VGPU_LIB)
	@echo "  FILM  $@"
	@handouts/film $(BUILD)/bin/vgpucc $* $@

.PHONY: films
films: ## students: the films that the handouts lead to: build/films
films: $(FILMS_HERE)
	$(call needs,clang dw)

# What transcripts with the debugger run; those are left out where names cannot be had.
HELD_KERNELS := $(BUILD)/bin/vgpu-debug $(if $(filter dw,$(HAVE)),$(BUILD)/bin/vgpu-names)

.PHONY: texts handouts-figures handouts-transcripts test-handouts test-coverage
texts: handouts-figures grader-tools ## put figures, excerpts, transcripts and points into the texts
	@handouts/refresh

handouts-figures: $(HANDOUTS_TOOL) ## draw the handouts' figures anew: handouts/figures/*.svg
	$(HANDOUTS_TOOL) handouts/figures/trace.txt $(HANDOUTS_BENCH) handouts/figures

# TRANSCRIPTS='leak map': these alone.
handouts-transcripts: ## run the transcripts' commands, and put what they say into the texts
handouts-transcripts: grader-tools $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a $(HELD_KERNELS)
	BUILD='$(BUILD)' UPDATE=1 handouts/tests/transcripts-test.sh $(TRANSCRIPTS)
	@handouts/refresh

test-handouts: ## check the texts: links, excerpts, transcripts, questions and answers
test-handouts: $(FILMS_HERE)
test-handouts: $(HANDOUTS_TOOL) grader-tools $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a \
               $(HELD_KERNELS)
	@BUILD='$(BUILD)' handouts/tests/figures-test.sh
	@BUILD='$(BUILD)' handouts/tests/texts-test.sh
	@BUILD='$(BUILD)' handouts/tests/transcripts-test.sh
	@$(if $(FILMS_HERE),handouts/tests/films-test.py '$(BUILD)/films',echo $\
	    'films: skipped: no clang, or no libdw: tools/setup')

test-coverage: ## every idea of handouts/coverage.md: its command says what the row says
test-coverage: grader-tools $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a
	@BUILD='$(BUILD)' handouts/tests/coverage-test.sh
