# stages.mk: what tools/build asks the makefiles for, by KIT_STAGE. Included last.
#
#   ask     with make -n: lines ": KIT need|unknown WORD..." and ": KIT stop SENTENCE" for needs
#           that are not met, goals that are none, and what else would stop a recipe
#   build   make files; goals that run something (tests, solutions) only get what they need for it
#   run     run them
#
# A goal is one that runs something unless tools/build knows it as a mere build; those with a ##
# comment are known by it and parts of the tests by TEST_PARTS, others are named in RUN_GOALS by
# their module.

# Recipes know nothing of stages: make that they start is somebody's first again.
unexport KIT_STAGE KIT_FOUND

ifneq ($(filter ask build,$(KIT_STAGE)),)
$(sort $(filter-out $(BUILD_GOALS),$(HELP_GOALS) $(TEST_PARTS) $(RUN_GOALS))): private SHELL := true
endif

# Goals without a rule, and goals that are files of the kit.
no_such_goal = $(if $(filter ask,$(KIT_STAGE)),: KIT unknown $@,\
    @$(if $(filter $@,$(MAKECMDGOALS)),tools/nearest make '$@',\
        echo "make: nothing makes $@" >&2); exit 2)
.DEFAULT:
	$(no_such_goal)

KIT_FILES := $(filter-out $(HELP_GOALS) $(TEST_PARTS) $(RUN_GOALS) $(LABS) $(BUILD)/%,\
    $(wildcard $(MAKECMDGOALS)))
ifneq ($(KIT_FILES),)
.PHONY: $(KIT_FILES)
$(KIT_FILES):
	$(no_such_goal)
endif
