# dist.mk: the students' archive, and the class graded as a batch.

DIST ?= $(BUILD)/matmul-lab-kit.tar.gz

TEST_PARTS += test-dist test-batch test-archives test-class test-private test-late test-similar \
              test-board

.PHONY: dist test-dist test-batch test-archives test-class test-private test-late test-similar \
        test-board
dist: ## instructors: pack what students get, texts as pages: no solutions, no hidden cases
dist: $(FILMS_HERE)
	@FILMS='$(abspath $(BUILD)/films)' PACK_BOOK='$(filter yes,$(BOOK))' \
	    lms/pack pages '$(DIST)' && echo "packed $(DIST)"

test-dist: ## unpack the students' archive, look for solutions in it, build and grade with it
test-dist: answer-key
	@BUILD='$(abspath $(BUILD))' tests/lms/dist

test-batch: grader-tools vgpucc ## grade classes in every download layout, kill batches, go on
	@tests/lms/batch

test-class: ## a class in nine download layouts: nobody vanishes
test-class: grader-tools vgpucc need-archive need-utf8proc need-python3
	@BUILD='$(BUILD)' tests/lms/class

test-private: ## a class's results are their owner's alone, and without names on demand
test-private: grader-tools vgpucc need-archive need-nettle need-python3
	@BUILD='$(BUILD)' tests/lms/private

test-archives: grader-tools need-archive need-python3 ## what is taken out of students' archives
	@BUILD='$(BUILD)' tests/lms/archives

# ---- A class that is graded ----

.PHONY: late similar
late: need-python3 ## instructors: late days and extensions: POLICY=FILE OF='RESULTS...' OUT=FOLDER
	@test -n '$(POLICY)' -a -n '$(OF)' -a -n '$(OUT)' || { echo "make: by which rules, of which\
 batches, and into which folder? As in: make late POLICY=policy.csv OF='results-lab2 results-lab3'\
 OUT=term" >&2; exit 1; }
	@lms/late '$(POLICY)' $(OF) --out '$(OUT)' $(TIMES:%=--times '%')
similar: need-python3 need-sim ## instructors: copies in a class, to look at: LAB=lab3 OF=RESULTS
	@test -n '$(LMS_LAB)' -a -n '$(OF)' || { echo "make: which lab, of which batch? As in:\
 make similar LAB=lab3 OF=results" >&2; exit 1; }
	@lms/similar '$(LMS_LAB)' '$(OF)'

test-board: grader-tools vgpucc need-python3 ## a class's leaderboard, and the names on it
	@BUILD='$(BUILD)' tests/lms/board

test-late: need-python3 ## late days and extensions: the rule, time zones, an instructor's mistakes
	@tests/lms/late

test-similar: need-python3 ## copies in a class are found, honest programs are not
	@tests/lms/similar

# Goals of their own: the recipe of one that runs something cannot ask (mk/stages.mk).
.PHONY: need-archive need-nettle need-utf8proc need-python3 need-sim
need-python3:
	$(call needs,python3)
need-archive need-nettle need-utf8proc: need-%:
	$(call needs,$* zip)
need-sim:
	$(call needs,sim)
