# solutions/questions: the questions' formulas, and the programs that know them. For instructors.
#
#   $(BUILD)/bin/seal-questions    writes grading/questions/labN.json, which is all that others get
#   $(BUILD)/bin/answer-key        prints a student's key
#   $(BUILD)/bin/seal-book         writes grading/questions/book.json: the answers of the text
#
# Here is what all labs share; a lab's own questions are solutions/labN-WORDS/questions.c.

FORMULAS_LIB := $(BUILD)/lib/libformulas.a

# A lab's questions lie beside its solution; a table of all labs' is written here.
FORMULA_FILES := $(sort $(wildcard solutions/lab*-*/questions.c))
QUESTION_LABS := $(foreach f,$(FORMULA_FILES),$(firstword $(subst -, ,$(f:solutions/%=%))))
FORMULA_TABLE := $(BUILD)/obj/solutions/questions/table

$(FORMULA_TABLE).c: FORCE
	@mkdir -p $(@D)
	@new=$@.$$$$; { \
	    echo '#include "solutions/questions/formulas.h"'; \
	    for l in $(QUESTION_LABS); do \
	        echo "extern const struct formula_question questions_$$l[];"; \
	        echo "extern const size_t questions_$${l}_count;"; \
	    done; \
	    echo 'const struct formula_table formula_tables[] = {'; \
	    for l in $(QUESTION_LABS); do \
	        echo "    {$${l#lab}, questions_$$l, &questions_$${l}_count},"; \
	    done; \
	    echo '    {0, NULL, NULL}};'; \
	} >$$new; if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi
$(FORMULA_TABLE).o: $(FORMULA_TABLE).c
	$(COMPILE) -c $< -o $@

$(FORMULAS_LIB): $(FORMULA_FILES:%.c=$(BUILD)/obj/%.o) $(FORMULA_TABLE).o \
    $(BUILD)/obj/solutions/questions/formulas.o
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/bin/seal-questions: $(BUILD)/obj/solutions/questions/seal_questions.o \
    $(BUILD)/obj/solutions/questions/kept_region.o $(BUILD)/obj/solutions/questions/section.o \
    $(FORMULAS_LIB) $(GRADING_LIB) $(COMMON_LIB)
$(BUILD)/bin/answer-key: $(BUILD)/obj/solutions/questions/answer_key.o $(FORMULAS_LIB) \
    $(GRADING_LIB) $(COMMON_LIB)
$(BUILD)/bin/seal-book: $(BUILD)/obj/solutions/questions/seal_book.o \
    $(BUILD)/obj/solutions/questions/section.o $(GRADING_LIB) $(COMMON_LIB)
$(BUILD)/bin/seal-questions $(BUILD)/bin/answer-key $(BUILD)/bin/seal-book:
	@mkdir -p $(@D)
	$(LINK) $^ $(GRADING_LIBS) $(SYSLIBS) -o $@

$(BUILD)/obj/solutions/questions/seal_questions.o \
$(BUILD)/obj/solutions/questions/seal_book.o: | need-jansson

.PHONY: book
book: ## instructors: the answers to the handouts' questions, for ./grader lab3 --book
book: $(BUILD)/bin/seal-book
	@$(BUILD)/bin/seal-book

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
QUESTIONS_FILMS := solutions/questions/tests/films-test.py
QUESTIONS_DEBUGGER := solutions/questions/tests/debugger-test.py
QUESTIONS_SEED ?= $(shell date +%Y%m%d)
.PHONY: test-questions check-questions $(QUESTION_LABS:%=check-questions-%)
test-questions: ## the sealed questions agree with the formulas, for the day's variants
test-questions: $(BUILD)/bin/seal-questions $(BUILD)/bin/answer-key $(BUILD)/bin/seal-book \
    grader-tools $(FILMS_HERE) need-python3
	@$(BUILD)/bin/seal-questions --check --seed $(QUESTIONS_SEED) $(QUESTION_LABS)
	@$(BUILD)/bin/seal-book --check
	@solutions/questions/tests/one-list-test.sh '$(BUILD)/bin/seal-questions' '$(BUILD)/bin/seal-book'
	@solutions/questions/tests/memory-test.py '$(BUILD)/bin/seal-questions'
	@$(if $(FILMS_HERE),$(QUESTIONS_FILMS) '$(BUILD)/films' '$(BUILD)/bin/answer-key',echo $\
	    'questions about films: skipped: no clang, or no libdw: tools/setup')
	@$(if $(FILMS_HERE),$(QUESTIONS_DEBUGGER) '$(BUILD)/bin/vgpucc' '$(BUILD)/bin/answer-key',$\
	    echo 'questions about the debugger: skipped: no clang, or no libdw: tools/setup')
check-questions: ## the same for all variants (three minutes of one core)
check-questions: $(QUESTION_LABS:%=check-questions-%)
$(QUESTION_LABS:%=check-questions-%): check-questions-%: $(BUILD)/bin/seal-questions
	@$(BUILD)/bin/seal-questions --check --sample 64 $*

UNIT_TESTS += solutions/questions/tests/formulas
solutions/questions/tests/formulas_LIBS    := $(FORMULAS_LIB) $(GRADING_LIB) $(COMMON_LIB)
solutions/questions/tests/formulas_SYSLIBS := $(CRYPT_LIBS) $(COMMON_LIBS) $(JANSSON_LIBS) \
    $(LIBCONFIG_LIBS) $(SECCOMP_LIBS)
