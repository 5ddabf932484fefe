# handouts: the course's texts, built to HTML and PDF.
#
#   $(BUILD)/handouts/NAME.html   one self-contained page a handout, figures inside
#   $(BUILD)/handouts/NAME.pdf    the same on paper
#   $(BUILD)/handouts/figures/    the figures as SVG files
#   $(BUILD)/instructors/         the keys to the questions, which nobody is to publish by mistake
#
# Markdown -> include.awk (excerpts, transcripts, figures) -> pandoc -> HTML -> weasyprint -> PDF.

PANDOC     ?= pandoc
WEASYPRINT ?= weasyprint

HANDOUTS         := $(filter-out README coverage,$(basename $(notdir $(wildcard handouts/*.md))))
HANDOUTS_BUILD   := $(BUILD)/handouts
# The labs that have one, by number: for the line of links at the top of each page.
HANDOUTS_LABS    := $(shell printf '%s\n' $(patsubst lab%,%,$(filter lab%,$(HANDOUTS))) | sort -n)
# The keys to the questions are built into another folder: this one is to be published.
INSTRUCTORS_BUILD := $(BUILD)/instructors
HANDOUTS_HTML    := $(HANDOUTS:%=$(HANDOUTS_BUILD)/%.html) $(patsubst \
    handouts/instructors/%.md,$(INSTRUCTORS_BUILD)/%.html,$(wildcard handouts/instructors/*.md))
HANDOUTS_PDF     := $(HANDOUTS_HTML:%.html=%.pdf)
HANDOUTS_FIGURES := $(HANDOUTS_BUILD)/figures/.done
HANDOUTS_TOOL    := $(BUILD)/bin/figures

$(HANDOUTS_TOOL): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard handouts/figures/*.c))
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(LINK) $^ -lm -o $@

$(HANDOUTS_FIGURES): $(HANDOUTS_TOOL) handouts/figures/trace.txt
	@mkdir -p $(@D)
	@echo "  SVG   $(@D)"
	rm -f $(@D)/*.svg
	$(HANDOUTS_TOOL) handouts/figures/trace.txt $(@D)
	: >$@

# Everything an include may name. A handout is made in a second or two: no need to know which names
# which.
HANDOUTS_SOURCES := handouts/include.awk handouts/template.html handouts/style.css \
    $(wildcard handouts/transcripts/*.txt handouts/examples/* common/*.h labs/*/*.cu \
    labs/lab*-*/lab.cfg docs/labs.md)

define handout_page
	$(call needs,pandoc)
	@mkdir -p $(@D)
	@echo "  HTML  $@"
	@{ echo '<style>'; cat handouts/style.css; echo '</style>'; } >$(@:.html=.css.tmp)
	@awk -v root=. -v figures=$(HANDOUTS_BUILD)/figures -f handouts/include.awk \
	    $< >$(@:.html=.md.tmp) || \
	    { rm -f $(@:.html=.md.tmp) $(@:.html=.css.tmp); exit 1; }
	@$(PANDOC) --from markdown-implicit_figures+smart --to html5 --standalone --toc --toc-depth=2 \
	    --columns=1000 \
	    --no-highlight --template handouts/template.html \
	    $(HANDOUTS_LABS:%=-V lab=%) $(if $(findstring /instructors/,$@),-V up=../handouts/) \
	    -H $(@:.html=.css.tmp) $(@:.html=.md.tmp) -o $@
	@rm -f $(@:.html=.md.tmp) $(@:.html=.css.tmp)
endef

$(HANDOUTS_BUILD)/%.html: handouts/%.md $(HANDOUTS_SOURCES) $(HANDOUTS_FIGURES)
	$(handout_page)
$(INSTRUCTORS_BUILD)/%.html: handouts/instructors/%.md $(HANDOUTS_SOURCES) $(HANDOUTS_FIGURES)
	@rm -rf $(HANDOUTS_BUILD)/instructors # where earlier versions built them
	$(handout_page)

# On paper a link to another page leads nowhere: only its words stay. Links within the page stay.
define handout_paper
	$(call needs,weasyprint)
	@echo "  PDF   $@"
	@sed 's|<a href="[a-z0-9./-]*\.html[^"]*"[^>]*>\([^<]*\)</a>|\1|g' $< | $(WEASYPRINT) \
	    --quiet --presentational-hints - $@
endef

$(HANDOUTS_BUILD)/%.pdf: $(HANDOUTS_BUILD)/%.html
	$(handout_paper)
$(INSTRUCTORS_BUILD)/%.pdf: $(INSTRUCTORS_BUILD)/%.html
	$(handout_paper)

.PHONY: handouts handouts-html handouts-figures
handouts: $(HANDOUTS_HTML) $(HANDOUTS_PDF) ## students: build the course's texts: HTML and PDF
handouts-html: $(HANDOUTS_HTML) ## students: the texts as HTML only
handouts-figures: $(HANDOUTS_FIGURES) ## the figures only, as SVG files

.PHONY: handouts-transcripts test-handouts
handouts-transcripts: ## run the transcripts' commands and write down what they say
handouts-transcripts: grader-tools $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a
	BUILD='$(BUILD)' UPDATE=1 handouts/tests/transcripts-test.sh

test-handouts: ## check the texts: links, excerpts, transcripts, questions and answers
test-handouts: $(HANDOUTS_HTML) grader-tools $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a
	@BUILD='$(BUILD)' handouts/tests/figures-test.sh
	@handouts/tests/pages-test.sh $(HANDOUTS_BUILD) $(INSTRUCTORS_BUILD)
	@BUILD='$(BUILD)' handouts/tests/transcripts-test.sh
