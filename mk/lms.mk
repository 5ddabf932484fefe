# lms.mk: what one uploads to a learning platform: make gradescope LAB=lab3

PLATFORMS := gradescope prairielearn autolab vpl classroom50
LMS_OUT   ?= $(BUILD)/lms

.PHONY: $(PLATFORMS) test-lms test-lms-layout test-slurm test-colab
$(PLATFORMS):
	@test -n "$(LAB)" || { echo "make: which lab? make $@ LAB=lab3" >&2; exit 1; }
	@lms/bundle $@ '$(LAB)' '$(LMS_OUT)'

gradescope: ## instructors: build Gradescope's autograder for LAB=lab3
prairielearn: ## instructors: build PrairieLearn's question and image for LAB=lab3
autolab: ## instructors: build Autolab's assessment for LAB=lab3
vpl: ## instructors: build the execution files of Moodle's VPL for LAB=lab3
classroom50: ## instructors: build Classroom 50's autograder and assignment for LAB=lab3

TEST_PARTS += test-slurm test-lms-layout test-colab

test-lms-layout: ## every bundle holds what it must and nothing else
	@tests/lms/layout

test-lms: ## every bundle in a clean root, within its platform's limits (as root; takes minutes)
	@tests/lms/run

test-slurm: grader-tools vgpucc ## a batch on a real Slurm of two nodes, one of which dies (as root)
	@tests/lms/slurm

test-colab: ## the notebook's cells do what they say
	@tests/lms/colab
