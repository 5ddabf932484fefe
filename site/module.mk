# site: the texts as pages.
#
#   $(BUILD)/site/           every text of the kit: a folder for any web server, and for a browser
#                            and the films that they lead to (make films), where they can be made
#   $(BUILD)/instructors/    the keys to the handouts' questions, which nobody is to publish
#
# Markdown -> pandoc with page.lua -> pages, menu and search (site/build) -> weasyprint -> PDF.

SITE      := $(BUILD)/site
SITE_KEYS := $(BUILD)/instructors

SITE_SOURCES := $(wildcard *.md */*.md */*/*.md */*/*/*.md handouts/figures/*.svg site/build \
    site/page.lua site/page.html.in site/paper.py site/style.css site/search.js)

SITE_FILMS := $(if $(FILMS_HERE),--films '$(BUILD)/films')

$(SITE)/index.html: $(SITE_SOURCES) $(FILMS_HERE)
	$(call needs,pandoc python3)
	@site/build '$(SITE)' $(SITE_FILMS)

$(SITE_KEYS)/site/style.css: $(wildcard handouts/instructors/*.md site/*)
	$(call needs,pandoc python3)
	@site/build '$(SITE_KEYS)' --keys

.PHONY: site handouts handouts-html slides test-site test-site-archive test-slides
site: $(SITE)/index.html ## students: all texts as pages, with search: build/site/index.html

handouts-html: site $(SITE_KEYS)/site/style.css ## instructors: the site, and the keys' pages

handouts: ## instructors: the site and the keys, with PDFs of the course
handouts: $(FILMS_HERE)
# All of these write the same folders: when others are asked for, too, one after the other.
handouts: | $(if $(filter site handouts-html test-site,$(MAKECMDGOALS)),handouts-html)
	$(call needs,pandoc weasyprint python3)
	@site/build '$(SITE)' $(SITE_FILMS) --pdf
	@site/build '$(SITE_KEYS)' --keys --pdf

slides: ## instructors: slides of all texts, and with notes: build/slides
	$(call needs,pandoc python3)
	@site/slides '$(BUILD)/slides' $(if $(call lacks,weasyprint),,--pdf)

test-slides: ## slides have the texts' figures and questions; answers are in the notes alone
	$(call needs,pandoc python3)
	@site/tests/slides

test-site: ## check the site: links, HTML, landmarks, contrast, three widths, no answers
test-site: site $(SITE_KEYS)/site/style.css
	@FILMS='$(if $(FILMS_HERE),$(abspath $(BUILD)/films))' TEST_AMOUNT='$(TEST_AMOUNT)' \
	    site/tests/run '$(SITE)' '$(SITE_KEYS)'

test-site-archive: ## the students' archive with the texts as pages and PDFs
test-site-archive: $(FILMS_HERE)
	@FILMS='$(if $(FILMS_HERE),$(abspath $(BUILD)/films))' TEST_AMOUNT='$(TEST_AMOUNT)' \
	    site/tests/archive
