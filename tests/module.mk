# tests: Check suites of every module, golden-output tests, and the zoo of submissions.
#
# A module adds its own suite with two lines in its module.mk:
#     UNIT_TESTS += vgpu/tests/devmem
#     vgpu/tests/devmem_LIBS := $(BUILD)/lib/libvgpu.a
# and vgpu/tests/devmem_test.c becomes $(BUILD)/vgpu/tests/devmem_test.

UNIT_TEST_BINS := $(UNIT_TESTS:%=$(BUILD)/%_test)
CHECK_LIBS     := $(or $(shell pkg-config --libs check 2>/dev/null),-lcheck -lsubunit -lrt)

.SECONDEXPANSION:
$(UNIT_TEST_BINS): $(BUILD)/%_test: $(BUILD)/obj/%_test.o $$($$*_LIBS)
	$(call need,$(HAVE_CHECK),Check,the package check)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $< $($*_LIBS) $($*_SYSLIBS) $(CHECK_LIBS) $(SYSLIBS) -o $@

.PHONY: test-unit
test-unit: $(UNIT_TEST_BINS) ## run the Check suites of every module
	@failed=0; for t in $(UNIT_TEST_BINS); do $$t || failed=1; done; exit $$failed

# ---- everything ----
# `make test` goes on after a failure, and says at its end which parts failed. test-lint comes last, after what
# other modules add.

TEST_PARTS := test-unit test-vgpu $(if $(wildcard vgpu/tests/core.mk),test-ptx) test-skeletons test-labs \
              $(if $(wildcard solutions/questions/module.mk),test-questions) test-grader test-formats test-html test-sandbox test-solutions test-mutants test-readme test-zoo-runner test-zoo test-handouts test-vgpu-report test-bench test-san

# How many files are compiled at a time.
TEST_JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: test
test: ## run all tests (tools/setup tests installs what they need)
	@passed=0; failed=; for part in $(TEST_PARTS) test-lint; do \
	    echo "== $$part"; \
	    if $(MAKE) -j$(TEST_JOBS) --no-print-directory $$part; then passed=$$((passed + 1)); else failed="$$failed $$part"; fi; \
	done; \
	set -- $$failed; test $$# -eq 0 || echo "failed:$$failed"; \
	echo "$$passed passed, $$# failed"; test $$# -eq 0

# What a grader must never get wrong. In `make test` the zoo runs with one seed, the day's; here with
# five.
SELFCHECK_SEEDS ?= 1 2 3 4 5
ZOO_SEEDS       ?= $(shell date +%Y%m%d)

.PHONY: selfcheck test-solutions test-mutants
selfcheck: grader-tools vgpucc ## solutions, skeletons, mutants, zoo and questions: the right verdict, with five seeds
	@tests/selfcheck $(BACKEND) $(SELFCHECK_SEEDS)
	@for s in $(SELFCHECK_SEEDS); do tests/mutants/run --seed $$s || exit 1; done
	@tests/zoo/run --seeds "$(SELFCHECK_SEEDS)" $(ZOO_ARGS)
	@$(MAKE) --no-print-directory check-questions

test-solutions: grader-tools vgpucc ## solutions get full marks, skeletons don't
	@tests/selfcheck vgpu $(ZOO_SEEDS)

test-mutants: grader-tools vgpucc ## solutions with one mistake don't get full marks, nor another lab's
	@tests/mutants/run --seed $(ZOO_SEEDS)

# On an H200 these kernels give right products at every shape tried; what is wrong with them only the virtual
# GPU sees.
RIGHT_BY_LUCK = lab3/wrong/no-second-barrier lab4/wrong/no-second-barrier lab4/wrong/array-one-row-short \
                lab4/wrong/loads-unguarded lab4/wrong/no-zero-fill lab4/wrong/used-after-free lab4/wrong/accumulates-into-c
GPU_BACKEND ?= both

.PHONY: test-gpu
test-gpu: grader-tools vgpucc $(BUILD)/bin/gpu-probe ## on a machine with a GPU: products there, safety and evidence on the virtual GPU
	@[ $(GPU_BACKEND) = vgpu ] || $(BUILD)/bin/gpu-probe
	@tests/selfcheck $(GPU_BACKEND) $(ZOO_SEEDS)
	@printf '%s.cu\n' $(RIGHT_BY_LUCK) | \
	    xargs -P $(TEST_JOBS) -I % tests/zoo/run --backend $(GPU_BACKEND) --only % --seeds "$(ZOO_SEEDS)"
	@$(MAKE) --no-print-directory test-ptx-gpu

.PHONY: test-readme
test-readme: grader-tools vgpucc ## the README's transcripts are what the commands print
	@tests/readme

.PHONY: test-formats
test-formats: grader-tools vgpucc ## each result format arrives at its consumer with the right grade
	$(call need,$(shell command -v python3),python3,the package python3)
	@tests/formats/run

.PHONY: test-html
test-html: grader-tools vgpucc ## the HTML page in a headless browser (skipped where there is none)
	@tests/html/run

.PHONY: test-zoo test-zoo-runner
test-zoo: grader-tools vgpucc ## grade the zoo: each submission gets its verdict (ZOO_ARGS: see tests/zoo/run)
	@tests/zoo/run --seeds "$(ZOO_SEEDS)" $(ZOO_ARGS)

test-zoo-runner: ## the zoo's runner sees what it should
	@tests/zoo/run-test.sh

# The unit tests and the PTX tests once more, under the address and undefined-behaviour sanitizers; and every
# 25th submission of the zoo, by a grader built with them. What the grader runs within limits of address
# space, which the sanitizers cannot live with, stays as it is.
.PHONY: test-san
test-san: grader-tools vgpucc ## run the unit tests, and the grader on some of the zoo, under sanitizers
	@$(MAKE) --no-print-directory SAN=1 BUILD=$(BUILD)-san test-unit test-ptx $(BUILD)-san/bin/grader
	@rm -rf $(BUILD)-mixed && mkdir $(BUILD)-mixed && cp -r $(BUILD)/bin $(BUILD)/lib $(BUILD)-mixed && \
	    cp -f $(BUILD)-san/bin/grader $(BUILD)-mixed/bin/grader && touch $(BUILD)-mixed/.grader-ready
	@BUILD=$(BUILD)-mixed ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99 tests/zoo/run --part 1/25 --seeds "$(ZOO_SEEDS)" --limit 900

# ---- style ----

# Together these compile every C file of ours; tests/lint says so when they do not.
LINT_GOALS = $(filter-out test-san,$(TEST_PARTS)) test-ptx-gpu fuzz fuzz-ptx device labs

.PHONY: lint
lint: ## clang-tidy and shellcheck over our own code
	@BUILD='$(BUILD)' MAKE='$(MAKE_COMMAND)' LINT_JOBS='$(TEST_JOBS)' tests/lint $(LINT_GOALS)

.PHONY: test-lint
test-lint: ## lint sees what it should, and finds nothing here
	@tests/lint-test
	@$(MAKE) --no-print-directory lint
