# course: a term's own course, a whole kit of its own: docs/course.md.
#
#   $(BUILD)/bin/course-facts      reads an instructor's file

$(BUILD)/bin/course-facts: $(BUILD)/obj/course/facts.o $(GRADING_LIB) $(COMMON_LIB)
	@mkdir -p $(@D)
	$(LINK) $^ $(GRADING_LIBS) $(SYSLIBS) -o $@

# What was typed counts: TERM is the terminal's name in everybody's environment.
typed = $(if $(filter command line,$(origin $(1))),$($(1)))

.PHONY: course
course: ## instructors: write a term's own course: TERM=fall26 [VARIANT=FILE] [OUT=FOLDER]
course: $(BUILD)/bin/course-facts need-python3
	@test -n '$(call typed,TERM)' || \
	    { echo 'make: which term? As in: make course TERM=fall26' >&2; exit 1; }
	@BUILD='$(BUILD)' course/make '$(call typed,TERM)' $(call quoted,$(call typed,VARIANT)) \
	    $(call quoted,$(call typed,OUT)) $(call quoted,$(call typed,SECRET))

TEST_PARTS += test-course test-variations test-combinations

# The program that seals, with another answer to one question: how a course with a changed question
# gets its seals (tests/course/seals).
SEAL_CHANGED := $(BUILD)/obj/course/seal-changed
$(SEAL_CHANGED).c: solutions/lab1-cpu-baseline/questions.c
	@mkdir -p $(@D)
	sed 's/product_operations, one(2 \* /product_operations, one(3 * /' $< >$@
	@! cmp -s $< $@ || { echo 'make: $< has changed: so must what changes it' >&2; exit 1; }
$(SEAL_CHANGED).o: $(SEAL_CHANGED).c
	$(COMPILE) -c $< -o $@
$(SEAL_CHANGED): $(SEAL_CHANGED).o $(BUILD)/obj/solutions/questions/seal_questions.o \
    $(BUILD)/obj/solutions/questions/kept_region.o $(BUILD)/obj/solutions/questions/section.o \
    $(FORMULAS_LIB) $(GRADING_LIB) $(COMMON_LIB)
	$(LINK) $^ $(GRADING_LIBS) $(SYSLIBS) -o $@

.PHONY: test-variations
test-variations: ## a term's course: all sets of variations fit the files that they change
test-variations: $(BUILD)/bin/course-facts need-python3
	@tests/course/variations check '$(BUILD)/bin/course-facts'

.PHONY: test-course
test-course: ## a term's course: solutions of each variation, and of another, which must fail
test-course: $(BUILD)/bin/course-facts $(BUILD)/bin/seal-questions $(SEAL_CHANGED) grader-tools \
    vgpucc need-python3
	@tests/course/seals '$(BUILD)/bin/seal-questions' '$(SEAL_CHANGED)' '$(BUILD)/bin/grader'
	@BUILD='$(BUILD)' tests/course/run $(test_sample) --seed $(TEST_SEED) \
	    --jobs $(TEST_JOBS)

# Every day some, where test-course takes turns.
.PHONY: test-combinations
test-combinations: ## a term's course: drawn sets of several variations, graded as test-course does
test-combinations: $(BUILD)/bin/course-facts grader-tools vgpucc need-python3
	@BUILD='$(BUILD)' tests/course/run --drawn 2 --seed $(TEST_SEED) --jobs $(TEST_JOBS)
