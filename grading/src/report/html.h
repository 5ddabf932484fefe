/*
 * html.h: the parts of the HTML page (report_html.c).
 *
 * The page holds no script and loads nothing; a content policy in its head forbids both. Everything
 * that comes from a submission, a file name or a process goes through html_addf's %s or html_block,
 * which escape it: nothing else may put text into the page. Parts that have nothing to show write
 * nothing.
 *
 *     report_html   the page, header, verdicts       html_access    what one warp loads
 *     html_failure  first failure, unmet checks      html_roofline  the roofline
 *     html_map      where C is wrong                 html_history   earlier runs
 *     html_source   the annotated source             html_style     the style sheet
 */
#pragma once

#include "grading/src/report/exhibit.h"
#include "grading/src/report/report.h"

/*
 * Appends. The format is ours and may hold tags; of printf's conversions it takes d, u, zu, llu, f,
 * g and c with flags, width and precision in digits, and s, which is cleaned (text.h) and escaped.
 */
__attribute__((format(printf, 2, 3))) void html_addf(struct text *t, const char *format, ...);

/* A text of several lines, as <pre>; nothing when it is empty. */
void html_block(struct text *t, const char *bytes, size_t n, struct clean_bounds bounds);

/* Cleaned and escaped, without tags of its own; one line. */
void html_escape(struct text *t, const char *bytes, size_t n);

/* "1234", "12.3k", "4.56M", in `into`. */
const char *html_brief(char into[16], double x);

/* "pass", "fail" or "none": the class that colours a verdict. */
const char *html_verdict_class(enum verdict v);
const char *html_check_class(const struct check_result *c);

void html_cause(struct text *t,
                const struct grade_context *g); /* of a submission that was not run */
void html_failure(struct text *t, const struct grade_context *g);
void html_unmet(struct text *t, const struct grade_context *g);
/* C of the wrong case that is drawn, where that is the first failure; or where it is another. */
void html_map(struct text *t, const struct grade_context *g, bool of_first_failure);
void html_source(struct text *t, const struct grade_context *g);
void html_launches(struct text *t, const struct exhibit *e);
void html_access(struct text *t, const struct exhibit *e);
void html_roofline(struct text *t, const struct exhibit *e);
void html_history(struct text *t, const struct grade_context *g);

/* The head of a page of this title, and the start of its body. */
void html_head(struct text *t, const char *title);

/* The style sheet, without <style>. */
extern const char *const html_style;
