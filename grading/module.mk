# grading: the grader, and the worker that it links with a submission.
#
#   $(BUILD)/bin/grader            the command behind ./grader
#   $(BUILD)/lib/libworker.a       main of the worker program, for the virtual GPU
#   $(BUILD)/bin/witness           does again what a worker tells of, with none of its code
#   $(BUILD)/lib/libworker-gpu.a   the same for the CUDA runtime, where a toolkit is installed

GRADER      := $(BUILD)/bin/grader
# Every file of every room but main: README.md says what is in which.
GRADING_SRC := $(filter-out %/main.c,$(wildcard grading/src/*/*.c))
GRADING_LIB := $(BUILD)/lib/libgrading.a
# crypt makes the hashes that answers are compared by; every C library's headers bring it.
CRYPT_LIBS   := $(if $(filter crypt,$(HAVE)),-lcrypt)
# Unicode's tables, for the names of a class: grading/src/batch/spelling.h. Whoever installs them
# later gets a grader that uses them.
HAVE_UTF8PROC := $(filter utf8proc,$(HAVE))
UTF8PROC_MARK := $(BUILD)/obj/.utf8proc-$(if $(HAVE_UTF8PROC),used,missing)
$(UTF8PROC_MARK):
	@mkdir -p $(@D)
	@rm -f $(BUILD)/obj/.utf8proc-*
	@touch $@
$(BUILD)/obj/grading/src/batch/spelling.o: $(UTF8PROC_MARK)
$(BUILD)/obj/grading/src/batch/spelling.o: EXTRA_CFLAGS += $(if $(HAVE_UTF8PROC),-DHAVE_UTF8PROC)
UTF8PROC_LIBS := $(if $(HAVE_UTF8PROC),-lutf8proc)
GRADING_LIBS = $(CRYPT_LIBS) $(UTF8PROC_LIBS) $(COMMON_LIBS) $(JANSSON_LIBS) $(LIBCONFIG_LIBS) \
               $(SECCOMP_LIBS)

$(BUILD)/obj/grading/src/build/paths.o: EXTRA_CFLAGS += -DGRADER_DEFAULT_ROOT='"$(ROOT)"'
# Without libseccomp one of the sandbox's walls is missing; the grader says so.
$(BUILD)/obj/grading/src/sandbox/sandbox.o $(BUILD)/obj/grading/src/sandbox/sandbox_seccomp.o: \
    EXTRA_CFLAGS += $(if $(HAVE_SECCOMP),-DHAVE_SECCOMP)
$(BUILD)/obj/grading/src/sandbox/sandbox_paths.o: \
    EXTRA_CFLAGS += -DSANDBOX_LINK_FLAGS='"$(LIBRARY_PATHS) $(CBLAS_LIBS)"'

# What takes time in a grading is in the worker, the witness and the virtual GPU.
$(BUILD)/obj/grading/src/%.o: OPT = $(OPT_COLD)

# The page around a film, and its pictures, are the virtual GPU's.
$(GRADING_LIB): $(GRADING_SRC:%.c=$(BUILD)/obj/%.o) \
    $(addprefix $(BUILD)/obj/vgpu/src/film/,film_page.o film_strip.o strip_cost.o) \
    $(BUILD)/obj/vgpu/src/count/json_out.o
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

$(eval $(call knows_version,$(BUILD)/obj/grading/src/app/cli.o))

# Whoever lacks a library is told so before the compiler misses its header.
.PHONY: need-jansson need-libconfig
need-jansson need-libconfig: need-%:
	$(call needs,$*)
$(GRADING_SRC:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/grading/src/app/main.o \
    $(BUILD)/obj/grading/tests/report_test.o: | need-jansson need-libconfig

$(GRADER): $(BUILD)/obj/grading/src/app/main.o $(GRADING_LIB) $(COMMON_LIB)
	@mkdir -p $(@D)
	$(LINK) $^ $(GRADING_LIBS) $(SYSLIBS) -o $@

# The worker is linked with students' objects by vgpucc or nvcc: never instrumented.
WORKER_OBJ := grading/worker/worker.o grading/worker/buffers.o grading/worker/timing.o \
    grading/worker/observation.o grading/worker/facts.o grading/worker/tally.o \
    grading/worker/clock.o grading/worker/lent.o grading/worker/heap.o grading/worker/next.o

$(WORKER_OBJ:%=$(BUILD)/obj/vgpu-backend/%) $(WORKER_OBJ:%=$(BUILD)/obj/gpu-backend/%): \
    KIT_CFLAGS := $(filter-out $(SANFLAGS),$(KIT_CFLAGS))

$(BUILD)/lib/libworker.a: $(WORKER_OBJ:%=$(BUILD)/obj/vgpu-backend/%)
$(BUILD)/lib/libworker-gpu.a: $(WORKER_OBJ:%=$(BUILD)/obj/gpu-backend/%)
$(BUILD)/lib/libworker.a $(BUILD)/lib/libworker-gpu.a:
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# Main of the program that a debugger holds.
$(BUILD)/obj/vgpu-backend/grading/worker/held.o: \
    KIT_CFLAGS := $(filter-out $(SANFLAGS),$(KIT_CFLAGS))
$(BUILD)/lib/libheld.a: $(BUILD)/obj/vgpu-backend/grading/worker/held.o
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# The witness looks into the virtual GPU, where the worker must not.
WITNESS_LIB := $(BUILD)/lib/libwitness.a
WITNESS_OBJ := $(patsubst %,$(BUILD)/obj/grading/%.o,witness/program witness/journal_read \
               witness/left witness/repeat \
               witness/repeat_memory worker/tally)

$(WITNESS_LIB): $(WITNESS_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/bin/witness: $(BUILD)/obj/grading/witness/witness.o $(WITNESS_LIB) $(VGPU_PARTS)
	@mkdir -p $(@D)
	$(LINK) $^ $(VGPU_SYSLIBS) $(SYSLIBS) -o $@

# What only whoever grades a class needs, where its libraries are: grading/class/README.md.
CLASS_TOOLS := $(if $(filter archive,$(HAVE)),$(BUILD)/bin/unpack) \
               $(if $(filter nettle,$(HAVE)),$(BUILD)/bin/pseudonym)
$(BUILD)/bin/pseudonym: $(BUILD)/obj/grading/class/pseudonym.o $(GRADING_LIB)
	@mkdir -p $(@D)
	$(LINK) $^ -lnettle $(SYSLIBS) -o $@

$(BUILD)/obj/grading/class/unpack.o: EXTRA_CFLAGS += $(if $(HAVE_SECCOMP),-DHAVE_SECCOMP)
$(BUILD)/bin/unpack: $(BUILD)/obj/grading/class/unpack.o $(GRADING_LIB)
	@mkdir -p $(@D)
	$(LINK) $^ -larchive $(SECCOMP_LIBS) $(SYSLIBS) -o $@

# Everything ./grader needs. The GPU's part only where there is a toolkit that works; make asks for
# it when one of these is to be made, and ./grader when it starts.
GRADER_TOOLS := $(GRADER) $(BUILD)/lib/libworker.a $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a \
                $(if $(filter dw,$(HAVE)),$(BUILD)/bin/vgpu-names) $(VGPU_HEADERS) \
                $(BUILD)/bin/vgpu-debug $(BUILD)/lib/libheld.a \
                $(BUILD)/bin/witness $(BUILD)/bin/gpu-probe $(CLASS_TOOLS)
ifneq ($(filter grader-tools solutions selfcheck lint test%,$(MAKECMDGOALS)),)
GRADER_TOOLS += $(if $(TOOLKIT_NVCC),$(BUILD)/lib/libworker-gpu.a)
endif

.PHONY: grader-tools
grader-tools: $(GRADER_TOOLS) ## the grader and all it needs (./grader builds this by itself)
	$(needs_front_end)

# The labs of this folder, or of OF=solutions.
.PHONY: compare
compare: ## students: put your labs side by side, as a table and as build/compare.html
compare: grader-tools
	@BUILD='$(BUILD)' ./grader --compare$(if $(OF),='$(OF)') --backend $(BACKEND) --format text \
	    --format html='$(BUILD)/compare.html' --format json='$(BUILD)/compare.json' || \
	    [ $$? -eq 1 ]
	@echo "The page: $(BUILD)/compare.html"

# Check suites. run_test starts workers around a submission that misbehaves on purpose, with a few
# CUDA calls on host memory in place of the virtual GPU.
GRADING_TESTS := scratch patience batch_find roster suspect suspect_layout suspect_story \
                 suspect_fragments suspect_moved suspect_splits sandbox sandbox_kit flags \
                 structured text cli cases protocol judge report submission rubric run \
                 answers html progress compile_cause messages cause check_words trace said \
                 loops macros compare variant suspect_gaps noted
UNIT_TESTS    += $(GRADING_TESTS:%=grading/tests/%)

define grading_test
grading/tests/$(1)_LIBS    := $(GRADING_LIB) $(COMMON_LIB)
grading/tests/$(1)_SYSLIBS := $(CRYPT_LIBS) $(UTF8PROC_LIBS) $(COMMON_LIBS) $(JANSSON_LIBS) \
    $(LIBCONFIG_LIBS) $(SECCOMP_LIBS)
endef
$(foreach t,$(GRADING_TESTS),$(eval $(call grading_test,$(t))))

# The clock of CUDA's events is the test's own.
UNIT_TESTS += grading/tests/timing
grading/tests/timing_LIBS := $(BUILD)/obj/vgpu-backend/grading/worker/timing.o
$(BUILD)/obj/grading/tests/timing_test.o: EXTRA_CFLAGS += -I$(ROOT)/vgpu/include

# malloc and its kin are the worker's there.
UNIT_TESTS += grading/tests/heap
grading/tests/heap_LIBS := $(patsubst %,$(BUILD)/obj/vgpu-backend/grading/worker/%.o, \
    heap next lent)
$(BUILD)/obj/grading/tests/heap_test.o: EXTRA_CFLAGS += -I$(ROOT)/vgpu/include

# Journals, recorded and repeated: with the virtual GPU, and with nothing of the grader's.
UNIT_TESTS += grading/tests/witness grading/tests/witness_lies
grading/tests/witness_LIBS    := $(BUILD)/obj/grading/tests/witness_record.o $(WITNESS_LIB) \
    $(VGPU_PARTS)
grading/tests/witness_SYSLIBS := $(VGPU_SYSLIBS)
grading/tests/witness_lies_LIBS    := $(grading/tests/witness_LIBS)
grading/tests/witness_lies_SYSLIBS := $(VGPU_SYSLIBS)

$(BUILD)/obj/grading/tests/deeds.o: KIT_CFLAGS := $(filter-out $(SANFLAGS),$(KIT_CFLAGS))
grading/tests/sandbox_LIBS := $(BUILD)/obj/grading/tests/deeds.o $(GRADING_LIB) $(COMMON_LIB)

FAKE_WORKER     := $(BUILD)/grading/tests/fake_worker
FAKE_WORKER_OBJ := $(addprefix $(BUILD)/obj/vgpu-backend/grading/tests/fake_,cuda.o submission.o)

$(FAKE_WORKER_OBJ): KIT_CFLAGS := $(filter-out $(SANFLAGS),$(KIT_CFLAGS))

$(FAKE_WORKER): $(FAKE_WORKER_OBJ) $(WORKER_OBJ:%=$(BUILD)/obj/vgpu-backend/%)
	@mkdir -p $(@D)
	$(CC) $^ $(SYSLIBS) -o $@

$(BUILD)/grading/tests/run_test $(BUILD)/grading/tests/submission_test: | $(FAKE_WORKER)

# The grader on a machine that gives some of its children no time.
$(BUILD)/grading/tests/starved-grader: $(BUILD)/obj/grading/tests/starve.o \
    $(BUILD)/obj/grading/src/app/main.o $(GRADING_LIB) $(COMMON_LIB)
	@mkdir -p $(@D)
	$(LINK) -Wl,--wrap=clock_now,--wrap=child_start,--wrap=process_use_below $^ \
	    $(GRADING_LIBS) $(SYSLIBS) -o $@

# Solutions on simulated machines, each with other walls.
$(BUILD)/grading/tests/deny: grading/tests/deny.c
	$(call needs,seccomp)
	@mkdir -p $(@D)
	$(COMPILE) $< -lseccomp -o $@

.PHONY: test-sandbox
test-sandbox: grader-tools $(BUILD)/grading/tests/deny ## the grader on machines with fewer walls
	@BUILD='$(BUILD)' grading/tests/machines

# Read by flags_test: never linked, and made without the warnings it deserves.
$(BUILD)/obj/grading/tests/flagged.o: \
    KIT_CFLAGS := $(filter-out $(SANFLAGS) -D_FORTIFY_SOURCE=2,$(KIT_CFLAGS))
$(BUILD)/grading/tests/flags_test: | $(BUILD)/obj/grading/tests/flagged.o

# The parsers of what a submission can shape, under libFuzzer.
FUZZ_SRC := grading/tests/fuzz_protocol.c grading/src/lab/protocol.c \
            grading/src/build/symbols.c grading/src/build/flags.c grading/src/base/text.c

$(BUILD)/fuzz/protocol: $(FUZZ_SRC)
	$(call needs,clang)
	@mkdir -p $(@D)
	$(patsubst %clang++,%clang,$(subst clang++-,clang-,$(CLANGXX))) -std=gnu11 -D_GNU_SOURCE -g -O1 \
	    -fsanitize=fuzzer,address,undefined -I$(ROOT) $^ -o $@

$(BUILD)/fuzz/journal: grading/tests/fuzz_journal.c grading/witness/journal_read.c \
    grading/witness/program.c \
    vgpu/src/runtime/fatbin.c vgpu/src/runtime/fatbin_unpack.c
	$(call needs,clang)
	@mkdir -p $(@D)
	$(patsubst %clang++,%clang,$(subst clang++-,clang-,$(CLANGXX))) -std=gnu11 -D_GNU_SOURCE -g -O1 \
	    -fsanitize=fuzzer,address,undefined -I$(ROOT) $^ -ldl -o $@

$(BUILD)/fuzz/answers $(BUILD)/fuzz/questions: $(BUILD)/fuzz/%: grading/tests/fuzz_%.c $(patsubst \
    %,grading/%.c,src/answers/answers src/answers/questions \
    src/answers/canonical src/answers/seal src/answers/expression src/answers/book \
    src/base/text) | need-jansson
	$(call needs,clang)
	@mkdir -p $(@D)
	$(patsubst %clang++,%clang,$(subst clang++-,clang-,$(CLANGXX))) -std=gnu11 -D_GNU_SOURCE -g -O1 \
	    -fsanitize=fuzzer,address,undefined -I$(ROOT) $^ $(CRYPT_LIBS) $(JANSSON_LIBS) -lm -o $@

$(BUILD)/fuzz/rubric $(BUILD)/fuzz/variant: $(BUILD)/fuzz/%: grading/tests/fuzz_%.c $(patsubst \
    %,grading/%.c,src/lab/rubric src/lab/variant src/lab/labs src/lab/protocol src/lab/settings \
    src/lab/settings_json src/lab/cases src/lab/work src/base/text) \
    common/matrix.c common/lab_product.c common/reference.c common/compare.c | need-libconfig
	$(call needs,clang)
	@mkdir -p $(@D)
	$(patsubst %clang++,%clang,$(subst clang++-,clang-,$(CLANGXX))) -std=gnu11 -D_GNU_SOURCE -g -O1 \
	    -fsanitize=fuzzer,address,undefined -I$(ROOT) $(filter %.c,$^) $(LIBCONFIG_LIBS) \
	    $(JANSSON_LIBS) -lm -o $@

$(BUILD)/fuzz/source: $(patsubst %,grading/%.c,tests/fuzz_source src/diagnose/compile_cause \
    src/diagnose/compile_calls src/diagnose/compile_names src/diagnose/compile_signs \
    src/diagnose/declarations src/diagnose/tokens src/base/text)
	$(call needs,clang)
	@mkdir -p $(@D)
	$(patsubst %clang++,%clang,$(subst clang++-,clang-,$(CLANGXX))) -std=gnu11 -D_GNU_SOURCE -g -O1 \
	    -fsanitize=fuzzer,address,undefined -I$(ROOT) $^ -o $@

$(BUILD)/fuzz/roster: $(patsubst %,grading/%.c,tests/fuzz_roster src/batch/roster \
    src/batch/roster_columns src/batch/spelling src/batch/table src/base/text)
	$(call needs,clang)
	@mkdir -p $(@D)
	$(patsubst %clang++,%clang,$(subst clang++-,clang-,$(CLANGXX))) -std=gnu11 -D_GNU_SOURCE -g -O1 \
	    -fsanitize=fuzzer,address,undefined -I$(ROOT) $^ -o $@

$(BUILD)/fuzz/recording: $(patsubst %,grading/%.c,tests/fuzz_recording src/report/recording \
    src/report/trace src/report/recording_nan src/report/film_pictures src/base/text) \
    $(patsubst %,vgpu/src/%.c,film/film_strip film/strip_cost film/film_page count/json_out)
	$(call needs,clang)
	@mkdir -p $(@D)
	$(patsubst %clang++,%clang,$(subst clang++-,clang-,$(CLANGXX))) -std=gnu11 -D_GNU_SOURCE -g -O1 \
	    -DVGPU_FILM_FOLDER='"$(ROOT)/vgpu/src/film"' \
	    -fsanitize=fuzzer,address,undefined -I$(ROOT) $^ $(JANSSON_LIBS) -o $@

.PHONY: fuzz
fuzz: ## build the fuzzers (run $(BUILD)/fuzz/protocol -max_total_time=60)
fuzz: $(BUILD)/fuzz/rubric $(BUILD)/fuzz/variant $(BUILD)/fuzz/protocol \
    $(BUILD)/fuzz/journal $(BUILD)/fuzz/answers \
    $(BUILD)/fuzz/questions $(BUILD)/fuzz/source $(BUILD)/fuzz/roster \
    $(BUILD)/fuzz/recording

.PHONY: test-grader
test-grader: ## golden-output tests of ./grader
test-grader: grader-tools $(if $(wildcard solutions/questions/module.mk),$(BUILD)/bin/answer-key \
    $(BUILD)/bin/seal-questions)
	@BUILD='$(BUILD)' tests/grader/run

# The same in shares, for `make test`.
GRADER_PARTS := test-grader-1 test-grader-2
.PHONY: $(GRADER_PARTS)
$(GRADER_PARTS): test-grader-%: grader-tools $(if $(wildcard \
    solutions/questions/module.mk),$(BUILD)/bin/answer-key $(BUILD)/bin/seal-questions)
	@BUILD='$(BUILD)' tests/grader/run $(test_sample) --part $*/$(words $(GRADER_PARTS))
