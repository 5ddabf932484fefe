# tests: Check suites of every module, golden-output tests, and the zoo of submissions.
#
# A module adds its own suite with two lines in its module.mk:
#     UNIT_TESTS += vgpu/tests/devmem
#     vgpu/tests/devmem_LIBS := $(BUILD)/lib/libvgpu.a
# and vgpu/tests/devmem_test.c becomes $(BUILD)/vgpu/tests/devmem_test.

UNIT_TEST_BINS := $(UNIT_TESTS:%=$(BUILD)/%_test)
CHECK_LIBS     := $(or $(shell pkg-config --libs check 2>/dev/null),-lcheck -lsubunit -lrt)

# The zoo comes in shares.
ZOO_PARTS := test-zoo-1 test-zoo-2 test-zoo-3 test-zoo-4

.SECONDEXPANSION:
$(UNIT_TEST_BINS): $(BUILD)/%_test: $(BUILD)/obj/%_test.o $$($$*_LIBS)
	$(call needs,check)
	@mkdir -p $(@D)
	$(LINK) $< $($*_LIBS) $($*_SYSLIBS) $(CHECK_LIBS) $(SYSLIBS) -o $@

.PHONY: test-unit
test-unit: $(UNIT_TEST_BINS) ## run the Check suites of every module
	@tests/suites $(UNIT_TEST_BINS)

# ---- everything ----
#
#   make test         the parts, side by side; of what takes long, a sample drawn by the day
#   make test-all     every part, and all of everything
#   make test-NAME    one part
#
# A part is a goal. tests/parts runs them, goes on after a failure, and says at its end which parts
# failed. What they need is built first, so that no two of them build it at the same time.

# Goals of that kind that are no parts: on a GPU, too dear for a sample, or of other goals.
TEST_NO_PARTS := test-all test-gpu test-ptx-gpu test-container test-programs test-share test-vgpu \
                 test-grader test-zoo test-san test-lms

# What packs, installs and ships, what stands in for other machines, and what repeats one mechanism
# over many inputs takes turns: a run has one of four shares, and its seed says which. The next seed
# has the next share; tests/rest runs those that are left. What a grade rests on is in every run.
TEST_SHARE_0 := test-grader-1 test-dist test-class test-coverage test-html test-release test-dap
TEST_SHARE_1 := test-grader-2 test-new-lab test-lms-layout test-bench test-vgpu-nvcc \
                test-vgpu-examples test-course
TEST_SHARE_2 := test-mutants test-toolkit test-lms-proof test-vgpu-headers test-san-zoo \
                test-schemas test-editor test-late test-exam test-san-threads
TEST_SHARE_3 := test-make test-film test-vgpu-courses test-exercises test-shared test-install \
                test-private test-slurm test-colab test-load test-similar test-board
TEST_SHARED  := $(TEST_SHARE_0) $(TEST_SHARE_1) $(TEST_SHARE_2) $(TEST_SHARE_3)

# Those that wait, then the longest first: so the processors are busy to the end.
TEST_LONGEST := test-slurm test-load test-grader-1 test-zoo-4 test-new-lab test-unit test-batch \
                test-toolkit test-dist test-san-unit test-lint test-grader-2 \
                $(filter-out test-zoo-4,$(ZOO_PARTS)) test-solutions test-make test-handouts \
                test-bench test-lms-layout test-lms-proof test-mutants test-sandbox \
                test-vgpu-programs test-html test-release test-site-archive test-class \
                test-install test-vgpu-headers

# Other modules add theirs, some before this one is read.
TEST_PARTS += test-lint test-san-unit test-unit $(ZOO_PARTS) $(GRADER_PARTS) \
              test-vgpu-programs \
              test-mutants test-vgpu-nvcc test-san-zoo test-bench test-labs test-handouts \
              test-site \
              test-site-archive test-slides test-contrast \
              test-solutions test-new-lab \
              test-check test-san-ptx test-san-threads test-sandbox test-html test-formats \
              test-schemas \
              test-zoo-runner test-ptx \
              test-vgpu-commands $(if $(wildcard solutions/questions/module.mk),test-questions) \
              test-readme test-links test-dependencies test-editor test-ci \
              test-parts test-paths test-skeletons test-exercises test-coverage test-vgpu-report \
              test-vgpu-headers test-vgpu-examples test-vgpu-courses test-vgpu-vectors

TEST_PROGRAMS = grader-tools vgpucc $(UNIT_TEST_BINS) $(PTXRUN) $(PTX_TESTS) \
                $(BUILD)/bin/vgpu-report \
                $(BUILD)/grading/tests/deny $(BUILD)/bin/answer-key $(BUILD)/bin/seal-questions \
                site handouts-html $(HANDOUTS_TOOL) \
                $(BENCH_TEST_PROGRAMS) san-programs

# What is random in the tests, and which sample is taken, follows from this number: the day's.
TEST_SEED   ?= $(shell date +%Y%m%d)
# How much: `sample` of what takes long, or `all`.
TEST_AMOUNT ?= sample
test_sample  = $(if $(filter all,$(TEST_AMOUNT)),,--sample $(TEST_SEED))
# How many processes a part may start at a time. tests/parts says 1.
TEST_JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

# Whose turn it is: that of the seed's share, or `all`, as a release wants it.
TEST_TURNS  ?= seed
test_share   = $(TEST_SHARE_$(shell expr $(TEST_SEED) % 4))
test_left    = $(if $(and $(test_sample),$(filter-out all,$(TEST_TURNS))),$\
    $(filter-out $(test_share),$(TEST_SHARED)))
test_today   = $(filter-out $(test_left),$(TEST_PARTS))

# Too dear for a sample.
TEST_PARTS += $(if $(test_sample),,test-container)

.PHONY: test-container
test-container: ## the Containerfile's image, built and used (as root; takes minutes)
	@tests/container/run

.PHONY: test test-all test-programs
test: ## run all tests, a day's sample of the long ones (tools/setup tests: what they need)
test:
	@mkdir -p $(BUILD)/tests
	@$(MAKE) --no-print-directory -k -j$(TEST_JOBS) test-programs; times >$(BUILD)/tests/built
	$(foreach part,$(filter-out $(TEST_PARTS),$(TEST_SHARED)),$(error $(part) is no part))
	$(foreach part,$(filter-out $(TEST_PARTS) $(TEST_NO_PARTS),$(filter test-%,$(HELP_GOALS))),$\
	    $(error $(part) is in no run: add it to TEST_PARTS, or to TEST_NO_PARTS))
	@BUILD='$(BUILD)' MAKE='$(MAKE_COMMAND)' PARTS_AGAIN='TEST_SEED=$(TEST_SEED)' \
	    PARTS_BUILT=$(BUILD)/tests/built PARTS_LEFT='$(test_left)' tests/parts \
	    $(filter $(test_today),$(TEST_LONGEST)) $(filter-out $(TEST_LONGEST),$(test_today))
	@$(if $(test_left),,BUILD='$(BUILD)' lms/release --passed)

test-all: ## run all tests on all there is (more than an hour)
	@PARTS_SECONDS=20000 $(MAKE) --no-print-directory TEST_AMOUNT=all test

# For tests/rest: the parts of the seed's share.
.PHONY: test-share
RUN_GOALS += test-share
test-share:
	@echo $(test_share)

test-programs: $(TEST_PROGRAMS) ## build all that the tests run

# What a grader must never get wrong. In `make test` solutions, skeletons and the zoo are graded
# with one seed, the day's; here with five.
SELFCHECK_SEEDS ?= 1 2 3 4 5

.PHONY: selfcheck test-solutions test-mutants
selfcheck: ## instructors: solutions, skeletons, mutants, zoo, questions: right verdicts, five seeds
selfcheck: grader-tools vgpucc
	@tests/selfcheck $(BACKEND) $(SELFCHECK_SEEDS)
	@for s in $(SELFCHECK_SEEDS); do tests/mutants/run --seed $$s || exit 1; done
	@tests/zoo/run --seeds "$(SELFCHECK_SEEDS)" $(ZOO_ARGS)
	@$(MAKE) --no-print-directory check-questions

test-solutions: grader-tools vgpucc ## solutions get full marks, skeletons don't
	@JOBS=$(TEST_JOBS) tests/selfcheck vgpu $(TEST_SEED)

test-mutants: ## solutions with one mistake don't get full marks, nor another lab's
test-mutants: grader-tools vgpucc
	@tests/mutants/run $(test_sample) --seed $(TEST_SEED) --jobs $(TEST_JOBS)

# On an H200 these kernels give right products at every shape tried; what is wrong with them only
# the virtual GPU sees.
RIGHT_BY_LUCK = lab3/wrong/no-second-barrier lab4/wrong/no-second-barrier \
                lab4/wrong/array-one-row-short \
                lab4/wrong/loads-unguarded lab4/wrong/no-zero-fill lab4/wrong/used-after-free \
                lab4/wrong/accumulates-into-c
GPU_BACKEND ?= both

.PHONY: test-notebook
TEST_PARTS += test-notebook
test-notebook: vgpucc ## cells of a notebook that begin with %%cuda
	@tests/cuda_magic.py $(BUILD)/bin/vgpucc

.PHONY: test-gpu
test-gpu: ## instructors: on a GPU: the same verdicts, with products from hardware
test-gpu: grader-tools vgpucc $(BUILD)/bin/gpu-probe
	@[ $(GPU_BACKEND) = vgpu ] || $(BUILD)/bin/gpu-probe
	@tests/selfcheck $(GPU_BACKEND) $(TEST_SEED)
	@printf '%s.cu\n' $(RIGHT_BY_LUCK) | \
	    xargs -P $(TEST_JOBS) -I % tests/zoo/run --backend $(GPU_BACKEND) --only % \
	    --seeds "$(TEST_SEED)"
	@$(MAKE) --no-print-directory test-ptx-gpu

.PHONY: test-new-lab
test-new-lab: ## a new lab, from the first command on: everything knows it, nothing else is touched
test-new-lab: grader-tools vgpucc $(BUILD)/bin/answer-key $(BUILD)/bin/seal-questions
	@BUILD='$(abspath $(BUILD))' tests/labs/run

.PHONY: test-paths
test-paths: grader-tools vgpucc ## the cases of lab 10 reach the kernels that they are there for
	@BUILD='$(abspath $(BUILD))' tests/labs/paths $(TEST_SEED)

.PHONY: test-parts
test-parts: ## the runner of the tests, and what draws their samples, do what they say
	@tests/parts-test

.PHONY: test-readme
test-readme: grader-tools vgpucc ## the README's transcripts, and its picture, are what the kit says
	@tests/readme
	@BUILD='$(BUILD)' site/report-picture --check

.PHONY: test-editor
test-editor: ## messages land on their lines in editors; the debugger's extension
test-editor: grader-tools vgpucc need-python3 need-zip
	@BUILD='$(BUILD)' tests/editor/run
	@BUILD='$(BUILD)' tests/editor/vscode

.PHONY: test-ci
test-ci: grader-tools vgpucc need-jsonschema need-yaml ## the workflows: their schemas, their lines
	@BUILD='$(BUILD)' tests/ci/run

.PHONY: test-dependencies
test-dependencies: grader-tools vgpucc $(BUILD)/bin/vgpu-report ## docs/dependencies.md is whole
	@BUILD='$(BUILD)' tests/dependencies

.PHONY: test-links
test-links: need-python3 ## links in the texts lead somewhere, here and in the students' archive
	@tests/links/run

.PHONY: test-contrast
test-contrast: need-python3 ## the pages' colours, light and dark, and the ring of the focus
	@tests/contrast/run

.PHONY: test-formats
test-formats: ## each result format arrives at its consumer with the right grade
test-formats: grader-tools vgpucc need-python3
	@tests/formats/run

.PHONY: test-schemas
test-schemas: ## results, answers, descriptions and rubrics keep to the schemas of docs/schemas
test-schemas: grader-tools vgpucc answer-key need-jsonschema
	@tests/formats/schemas

# A goal of its own: the recipe of one that runs something cannot ask (mk/stages.mk).
.PHONY: need-jsonschema need-yaml
need-jsonschema need-yaml: need-%:
	$(call needs,$*)

.PHONY: test-html
test-html: grader-tools vgpucc ## the HTML page in a headless browser (skipped where there is none)
	@tests/html/run

.PHONY: test-zoo test-zoo-runner
test-zoo: ## grade the zoo: each submission gets its verdict (ZOO_ARGS: see tests/zoo/run)
test-zoo: grader-tools vgpucc
	@tests/zoo/run $(test_sample) --seeds "$(TEST_SEED)" --jobs $(TEST_JOBS) $(ZOO_ARGS)

# The same in shares, for `make test`.
.PHONY: $(ZOO_PARTS)
$(ZOO_PARTS): test-zoo-%: grader-tools vgpucc
	@tests/zoo/run $(test_sample) --part $*/$(words $(ZOO_PARTS)) --seeds "$(TEST_SEED)" \
	    --jobs $(TEST_JOBS)

test-zoo-runner: ## the zoo's runner sees what it should
	@tests/zoo/run-test.sh

# Once more under the address and undefined-behaviour sanitizers: the unit tests, the PTX tests, and
# a few submissions of the zoo, graded by a grader built with them. What the grader runs within
# limits of address space, which the sanitizers cannot live with, stays as it is.
SAN_MAKE = $(MAKE) --no-print-directory SAN=1 BUILD=$(BUILD)-san

.PHONY: test-san test-san-unit test-san-ptx test-san-zoo test-san-threads san-programs
test-san: ## the unit tests, the PTX tests and the grader, under sanitizers
test-san: test-san-unit test-san-ptx test-san-zoo test-san-threads
# A sample is a fifth of them: under sanitizers they take three times as long; test-unit runs all.
# Who defines malloc cannot have the sanitizers' besides.
san_bins = $(filter-out $(BUILD)/grading/tests/heap_test,$(UNIT_TEST_BINS))
san_unit = $(patsubst $(BUILD)/%,$(BUILD)-san/%,$(if $(test_sample),$(shell \
    printf '%s\t\n' $(san_bins) | \
    tests/sample $(TEST_SEED) $$(($(words $(san_bins)) / 5))),$(san_bins)))
san-programs:
	@+$(SAN_MAKE) $(san_unit) $(PTXRUN:$(BUILD)/%=$(BUILD)-san/%) $(BUILD)-san/bin/grader
test-san-ptx:
	@+$(SAN_MAKE) $(if $(test_sample),PTX_ISAS=base) test-ptx
# The virtual GPU's worker threads. Of the compilers, clang's sanitizer knows fences.
test-san-threads: vgpucc
	@if echo 'int main(void) { return 0; }' | \
	        $(FUZZ_CC) -fsanitize=thread -x c - -o $(BUILD)/with-threads 2>/dev/null; then \
	    $(MAKE) --no-print-directory SAN=1 SANFLAGS=-fsanitize=thread OPT='-O0 -g' \
	        CC=$(FUZZ_CC) BUILD=$(BUILD)/threads $(BUILD)/threads/lib/libvgpu.a && \
	    vgpu/tests/run-threads $(BUILD)/bin/vgpucc $(BUILD)/threads/lib/libvgpu.a $(FUZZ_CC); \
	else \
	    echo "test-san-threads is left out: no clang with ThreadSanitizer"; \
	fi
test-san-unit:
	@+$(SAN_MAKE) $(san_unit)
	@tests/suites $(san_unit)
test-san-zoo: grader-tools vgpucc
	@+$(SAN_MAKE) $(BUILD)-san/bin/grader
	@rm -rf $(BUILD)-mixed && mkdir $(BUILD)-mixed && cp -r $(BUILD)/bin $(BUILD)/lib \
	    $(BUILD)-mixed && \
	    cp -f $(BUILD)-san/bin/grader $(BUILD)-mixed/bin/grader && touch $(BUILD)-mixed/.grader-ready
	@BUILD=$(BUILD)-mixed ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99 \
	    tests/zoo/run $(test_sample) --part 1/25 --seeds "$(TEST_SEED)" --limit 900 --jobs $(TEST_JOBS)

# ---- style ----

# Together these compile every C file of ours; tests/lint says so when they do not.
LINT_GOALS = $(filter-out test-lint test-san-%,$(TEST_PARTS)) test-ptx-gpu fuzz fuzz-ptx device labs

.PHONY: lint
lint: ## clang-format, clang-tidy, shellcheck and the order of layers, over our own code
	@tests/layers
	@BUILD='$(BUILD)' MAKE='$(MAKE_COMMAND)' LINT_JOBS='$(TEST_JOBS)' tests/lint $(LINT_GOALS)

.PHONY: test-lint
test-lint: ## lint sees what it should, and finds nothing here
	@tests/lint-test
	@$(MAKE) --no-print-directory $(if $(test_sample),LINT_SAMPLE=$(TEST_SEED)) lint
