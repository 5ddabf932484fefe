# dist.mk: the students' archive, and the class graded as a batch.

DIST ?= $(BUILD)/matmul-lab-kit.tar.gz

TEST_PARTS += test-dist test-batch test-archives test-class test-private

.PHONY: dist test-dist test-batch test-archives test-class test-private
dist: ## instructors: pack what students get: no solutions, no hidden cases
	@lms/pack students '$(DIST)' && echo "packed $(DIST)"

test-dist: ## unpack the students' archive, look for solutions in it, build and grade with it
test-dist: answer-key
	@BUILD='$(abspath $(BUILD))' tests/lms/dist

test-batch: grader-tools vgpucc ## grade classes in every download layout, kill batches, go on
	@tests/lms/batch

test-class: ## a class in nine download layouts: nobody vanishes
test-class: grader-tools vgpucc need-archive need-python3
	@BUILD='$(BUILD)' tests/lms/class

test-private: ## a class's results are their owner's alone, and without names on demand
test-private: grader-tools vgpucc need-archive need-nettle need-python3
	@BUILD='$(BUILD)' tests/lms/private

test-archives: grader-tools need-archive need-python3 ## what is taken out of students' archives
	@BUILD='$(BUILD)' tests/lms/archives

.PHONY: need-archive need-nettle
need-archive need-nettle: need-%:
	$(call needs,$* zip)
