# solutions/questions: the questions' formulas, and the programs that know them. For instructors.
#
#   $(BUILD)/bin/seal-questions    writes grading/questions/labN.json, which is all that others get
#   $(BUILD)/bin/answer-key        prints a student's key

FORMULAS_LIB := $(BUILD)/lib/libformulas.a

$(FORMULAS_LIB): $(patsubst %,$(BUILD)/obj/solutions/questions/%.o,formulas lab1 lab2 lab3 lab4 \
    lab5 lab6 lab7 lab8 lab9)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/bin/seal-questions: $(BUILD)/obj/solutions/questions/seal_questions.o $(FORMULAS_LIB) \
    $(GRADING_LIB) $(COMMON_LIB)
$(BUILD)/bin/answer-key: $(BUILD)/obj/solutions/questions/answer_key.o $(FORMULAS_LIB) \
    $(GRADING_LIB) $(COMMON_LIB)
$(BUILD)/bin/seal-questions $(BUILD)/bin/answer-key:
	@mkdir -p $(@D)
	$(LINK) $^ $(GRADING_LIBS) $(SYSLIBS) -o $@

$(BUILD)/obj/solutions/questions/seal_questions.o: | need-jansson

QUESTION_LABS := lab1 lab2 lab3 lab4 lab5 lab6 lab7 lab8 lab9

.PHONY: answer-key
answer-key: ## instructors: the questions' key: build/bin/answer-key lab3 STUDENT
answer-key: $(BUILD)/bin/answer-key

# EDITION=2027: other numbers for everybody. What has not changed is kept.
RUN_GOALS += $(foreach l,$(QUESTION_LABS),questions-$(l) check-questions-$(l))
.PHONY: questions $(QUESTION_LABS:%=questions-%)
questions: ## instructors: seal the questions' answers anew, after a change of solutions/questions
questions: $(QUESTION_LABS:%=questions-%)
$(QUESTION_LABS:%=questions-%): questions-%: $(BUILD)/bin/seal-questions
	@$(BUILD)/bin/seal-questions $(EDITION:%=--edition %) $*

# The sealed files are what the formulas say. `make test` makes the day's variants again, this all.
QUESTIONS_SEED ?= $(shell date +%Y%m%d)
.PHONY: test-questions check-questions $(QUESTION_LABS:%=check-questions-%)
test-questions: ## the sealed questions agree with the formulas, for the day's variants
test-questions: $(BUILD)/bin/seal-questions $(BUILD)/bin/answer-key grader-tools
	@$(BUILD)/bin/seal-questions --check --seed $(QUESTIONS_SEED) $(QUESTION_LABS)
check-questions: ## the same for all variants (five minutes of one core)
check-questions: $(QUESTION_LABS:%=check-questions-%)
$(QUESTION_LABS:%=check-questions-%): check-questions-%: $(BUILD)/bin/seal-questions
	@$(BUILD)/bin/seal-questions --check --sample 64 $*

UNIT_TESTS += solutions/questions/tests/formulas
solutions/questions/tests/formulas_LIBS    := $(FORMULAS_LIB) $(GRADING_LIB) $(COMMON_LIB)
solutions/questions/tests/formulas_SYSLIBS := $(CRYPT_LIBS) $(COMMON_LIBS) $(JANSSON_LIBS) \
    $(LIBCONFIG_LIBS) $(SECCOMP_LIBS)
