# solutions/exam: sheets for an exam on paper, and their keys.
#
#   make exam SEED=2027 VARIANTS=4    $(BUILD)/exam/handouts/instructors/exam-a.html, key-a.html ...
#                                     and, where weasyprint is installed, PDFs of them
#
# The texts' own tool makes pages of what the program writes.

EXAM_LIB := $(BUILD)/lib/libexam.a
$(EXAM_LIB): $(BUILD)/obj/solutions/exam/exam.o $(BUILD)/obj/solutions/exam/bank.o \
    $(BUILD)/obj/solutions/exam/bank_challenges.o
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/bin/exam: $(BUILD)/obj/solutions/exam/main.o $(EXAM_LIB) $(FORMULAS_LIB) $(GRADING_LIB) \
    $(COMMON_LIB)
	@mkdir -p $(@D)
	$(LINK) $^ $(GRADING_LIBS) $(SYSLIBS) -o $@

EXAM      := $(BUILD)/exam
VARIANTS  ?= 2
QUESTIONS ?= 0
EXAM_LABS ?= all
TITLE     ?= Exam

.PHONY: exam test-exam
exam: ## instructors: an exam on paper, with keys: SEED=2027 VARIANTS=4 EXAM_LABS="2 3" QUESTIONS=6
exam: $(BUILD)/bin/exam
	$(call needs,pandoc python3)
	@test -n '$(SEED)' || { echo "make: which seed? As in: make exam SEED=2027" >&2; exit 1; }
	@BUILD='$(BUILD)' solutions/exam/pages '$(EXAM)' '$(SEED)' '$(VARIANTS)' '$(EXAM_LABS)' \
	    '$(QUESTIONS)' '$(TITLE)' $(if $(call lacks,weasyprint),,--pdf)

test-exam: $(BUILD)/bin/exam ## an exam's sheets and keys: drawn again the same, pages, sections
	$(call needs,pandoc python3)
	@BUILD='$(BUILD)' solutions/exam/tests/run
TEST_PARTS += test-exam

UNIT_TESTS += solutions/exam/tests/exam
solutions/exam/tests/exam_LIBS    := $(EXAM_LIB) $(FORMULAS_LIB) $(GRADING_LIB) $(COMMON_LIB)
solutions/exam/tests/exam_SYSLIBS := $(CRYPT_LIBS) $(COMMON_LIBS) $(JANSSON_LIBS) \
    $(LIBCONFIG_LIBS) $(SECCOMP_LIBS)
