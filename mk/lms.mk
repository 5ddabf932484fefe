# lms.mk: what one uploads to a learning platform: make gradescope LAB=lab3

PLATFORMS := gradescope prairielearn autolab vpl classroom50
LMS_OUT   ?= $(BUILD)/lms
# The benchmark has a LAB where nothing is said: a bundle is for the lab that somebody named.
LMS_LAB    = $(if $(filter command environment,$(firstword $(origin LAB))),$(LAB))

.PHONY: $(PLATFORMS) test-lms test-lms-layout test-lms-proof test-slurm test-colab
$(PLATFORMS):
	@test -n '$(LMS_LAB)' || { echo "make: which lab? As in: make $@ LAB=lab3" >&2; exit 1; }
	@BUILD='$(BUILD)' lms/bundle $@ '$(LMS_LAB)' '$(LMS_OUT)'

gradescope: ## instructors: build Gradescope's autograder for LAB=lab3
prairielearn: ## instructors: build PrairieLearn's question and image for LAB=lab3
autolab: ## instructors: build Autolab's assessment for LAB=lab3
vpl: ## instructors: build the execution files of Moodle's VPL for LAB=lab3
classroom50: ## instructors: build Classroom 50's autograder and assignment for LAB=lab3

TEST_PARTS += test-slurm test-lms-layout test-lms-proof test-colab

test-lms-layout: ## every bundle holds what it must and nothing else
	@tests/lms/layout

test-lms-proof: ## no bundle that cannot grade is made, whatever is broken
test-lms-proof: grader-tools vgpucc $(BUILD)/grading/tests/starved-grader
	@BUILD='$(BUILD)' tests/lms/proof

test-lms: ## every bundle in a clean root, within its platform's limits (as root; takes minutes)
	@tests/lms/run

test-slurm: grader-tools vgpucc ## a batch on a real Slurm of two nodes, one of which dies (as root)
	@tests/lms/slurm

test-colab: ## the notebook's cells do what they say
	@tests/lms/colab
