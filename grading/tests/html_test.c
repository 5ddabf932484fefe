/* html_test.c: the page of a run made up by hand, in which everything that a stranger may write
 * tries to become a tag; and the reader of the virtual GPU's report, fed with damaged ones.
 *
 * The page, without its style, is compared with grading/tests/html/page.html; UPDATE=1 in the
 * environment rewrites it.
 */
#include "common/tests/suite.h"
#include "grading/src/report/address.h"
#include "grading/src/report/error_map.h"
#include "grading/src/report/excerpt.h"
#include "grading/src/report/exhibit.h"
#include "grading/src/report/html.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GOLDEN "grading/tests/html/page.html"
#define EVIL   "</title></td></pre><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;"

static const char source[] =
    "/* " EVIL " */\n"
    "__global__ void k(const float *A, float *C) {\n"
    "\tC[threadIdx.x] = A[threadIdx.x] < 1 && 1;\t// \xff \xe2\x80\xae bidi\n"
    "}\n";

/* A report as the virtual GPU writes it: %s is a name, in three places. */
static const char report_form[] =
    "{\"format\": 1, \"device\": {\"name\": \"NVIDIA H200\", \"peak_gflops\": 66908.2, "
    "\"bandwidth_gbs\": 4800},\n"
    "\"launches\": [{\"kernel\": \"%s\", \"count\": 1, \"grid\": [2, 1, 1], \"block\": [16, 2, "
    "1],\n"
    "\"static_shared\": 64, \"fault\": null, \"occupancy\": {\"percent\": 50.0, \"limit\": "
    "\"%s\"},\n"
    "\"counters\": {\"warp_instructions\": 100, \"global_load_requests\": 8, "
    "\"global_load_sectors\": 32, \"global_store_requests\": 4, \"global_store_sectors\": 16, "
    "\"shared_load_conflicts\": 7, \"flops\": 4096},\n"
    "\"lines\": [{\"file\": \"/x/evil.cu\", \"line\": 3, \"warp_instructions\": 90, "
    "\"global_load_requests\": 8, \"global_load_sectors\": 32, \"global_load_bytes\": 512, "
    "\"shared_load_conflicts\": 7},\n"
    "{\"file\": \"other.h\", \"line\": 3, \"warp_instructions\": 10}]}],\n"
    "\"traces\": [{\"kernel\": \"%s\", \"grid\": [2, 1, 1], \"block\": [16, 2, 1], \"more\": "
    "false, \"accesses\": [\n"
    "{\"warp\": 0, \"phase\": 0, \"instruction\": 4, \"file\": \"evil.cu\", \"line\": 3, "
    "\"space\": \"global\", \"kind\": \"load\", \"bytes\": 4, \"object\": 1, \"object_bytes\": 36, "
    "\"mask\": 7, \"at\": [0,4,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},\n"
    "{\"warp\": 0, \"phase\": 0, \"instruction\": 5, \"file\": \"evil.cu\", \"line\": 3, "
    "\"space\": \"global\", \"kind\": \"load\", \"bytes\": 4, \"object\": 2, \"object_bytes\": 48, "
    "\"mask\": 7, \"at\": [0,16,32,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},\n"
    "{\"warp\": 0, \"phase\": 0, \"instruction\": 6, \"file\": \"evil.cu\", \"line\": 3, "
    "\"space\": \"shared\", \"kind\": \"store\", \"bytes\": 4, \"object\": 0, \"object_bytes\": 0, "
    "\"mask\": 15, \"at\": "
    "[0,128,256,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},\n"
    "{\"warp\": 0, \"phase\": 1, \"instruction\": 7, \"file\": \"evil.cu\", \"line\": 3, "
    "\"space\": \"global\", \"kind\": \"store\", \"bytes\": 4, \"object\": 3, \"object_bytes\": "
    "48, \"mask\": 1, \"at\": "
    "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}]}]}";

static struct grade_context g;
static struct labs known;
static char folder[] = "/tmp/html_test.XXXXXX";
static struct finding_body finding;
static struct diagnosis cause = {.class = "guard missing", .file = (char *)"evil.cu", .line = 3};

static char *quoted(const char *s) {
    struct text t = {0};
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_add(&t, "\\");
        text_add_bytes(&t, s, 1);
    }
    return t.data;
}

static char *report_json(void) {
    char *name = quoted(EVIL), *json = xasprintf(report_form, name, name, name);
    free(name);
    return json;
}

static void set_up_exhibit(void) {
    struct exhibit *e = g.exhibit = xcalloc(1, sizeof *e);
    char *json = report_json();
    e->wrong = e->counted = &g.results[0];
    e->shape = (struct shape){.m = 3, .n = 4, .k = 3};
    g.results[0].plan.call[0].shape = e->shape;
    e->state = xcalloc(12, 1);
    for (int i = 0; i < ELEMENT_STATES; i++) {
        e->state[2 * i] = (unsigned char)i;
        e->states[i] = i ? 1 : 7;
    }
    e->block[0] = 2;
    e->block[1] = 2;
    ck_assert(view_parse(&e->view, json, strlen(json), "evil.cu"));
    free(json);
}

static void set_up(void) {
    strcpy(folder, "/tmp/html_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    g = (struct grade_context){.seed = 5, .points = 5, .points_possible = 20, .seconds = 1.25};
    struct text why = {0};
    known = labs_open(".");
    ck_assert_msg(rubric_load(&g.rubric, labs_find(&known, "lab4"),
                              "labs/lab4-tiled-any-size/lab.cfg", NULL, &why),
                  "%s", text_get(&why));
    g.lab = &g.rubric.lab;
    g.paths.root = xstrdup(folder);
    g.paths.build = xstrdup(folder);
    g.paths.labs = xasprintf("%s/labs", folder);
    g.paths.labs_shown = xstrdup("labs");
    g.paths.standing = xasprintf("%s/standing", folder);
    g.paths.command = xstrdup("./grader");
    g.submission.path = xstrdup("sub/" EVIL ".cu");
    g.submission.name = xstrdup("evil.cu");
    g.submission.bytes = xstrdup(source);
    g.submission.length = strlen(source);
    g.backend.device = xstrdup("virtual GPU");
    g.results = xcalloc(3, sizeof *g.results);
    g.result_count = g.planned = 3;
    for (int i = 0; i < 3; i++) {
        g.results[i].spec = &g.lab->cases[i];
        case_draw(g.lab, g.results[i].spec, 3, &g.results[i].plan);
        g.results[i].evidence.plan = g.results[i].plan.call[0];
        g.results[i].evidence.call = 1;
    }
    struct case_result *c = &g.results[0];
    c->verdict = c->evidence.verdict = VERDICT_WRONG;
    text_add(&c->evidence.summary, EVIL);
    text_add(&c->evidence.printed, EVIL "\n\033[2J second line 0x123456789ab\n");
    c->evidence.comparison.total = c->evidence.comparison.wrong = 1;
    c->evidence.comparison.kept = 1;
    c->evidence.comparison.first[0] =
        (struct wrong_element){.row = 0, .col = 0, .got = NAN, .want = 0.1, .bound = 0};
    finding = (struct finding_body){
        .error = 1, .kind = VGPU_FOUND_RACE, .hazard = VGPU_RAW, .site = {{.line = 3}}};
    strcpy(finding.site[0].file, "/tmp/x/evil.cu");
    strcpy(finding.message, EVIL);
    c->seen.finding = &finding;
    c->seen.findings = 1;
    text_add(&cause.sentence, EVIL);
    text_add(&cause.evidence, EVIL);
    c->diagnosis = &cause;
    g.first_failure = c;
    g.results[1].points = g.results[1].spec->points;
    g.results[2].verdict = VERDICT_NOT_GRADED;
    g.checks = xcalloc(2, sizeof *g.checks);
    g.check_count = 2;
    for (int i = 0; i < 2; i++)
        g.checks[i].spec = &g.rubric.checks[i];
    g.checks[0].verdict = CHECK_NOT_MET;
    text_add(&g.checks[0].summary, EVIL);
    text_add(&g.checks[0].details, EVIL);
    set_up_exhibit();
}

static void tear_down(void) {
    labs_free(&known);
    exhibit_free(g.exhibit);
    for (int i = 0; i < 3; i++)
        evidence_free(&g.results[i].evidence);
    for (int i = 0; i < 2; i++) {
        text_free(&g.checks[i].summary);
        text_free(&g.checks[i].details);
    }
    text_free(&cause.sentence);
    text_free(&cause.evidence);
    free(g.checks);
    free(g.results);
    text_free(&g.not_graded);
    backend_free(&g.backend);
    submission_free(&g.submission);
    rubric_free(&g.rubric);
    paths_free(&g.paths);
    char *file = xasprintf("%s/out.html", folder);
    unlink(file);
    free(file);
    ck_assert_int_eq(rmdir(folder), 0);
}

static char *read_whole(const char *path) {
    FILE *f = fopen(path, "re");
    struct text t = {0};
    char part[4096];
    ck_assert_msg(f != NULL, "cannot read %s", path);
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        text_add_bytes(&t, part, n);
    fclose(f);
    return t.data ? t.data : xstrdup("");
}

/* The page; the caller frees it. */
static char *page(void) {
    char *path = xasprintf("%s/out.html", folder), why[256];
    struct options o = {.formats = 1, .format = {{.name = "html", .path = path}}};
    struct reporters r;
    ck_assert(exhibit_wanted(&o));
    ck_assert_msg(reporters_open(&r, &o, why, sizeof why), "%s", why);
    reporters_begin(&r, &g);
    for (size_t i = 0; i < g.result_count; i++)
        reporters_case(&r, &g, &g.results[i]);
    ck_assert_msg(reporters_end(&r, &g, why, sizeof why), "%s", why);
    char *text = read_whole(path);
    free(path);
    return text;
}

TEST(the_page_is_as_it_was) {
    char *is = page();
    char *style = strstr(is, html_style); /* which needs no second copy */
    ck_assert_ptr_nonnull(style);
    memmove(style, style + strlen(html_style), strlen(style + strlen(html_style)) + 1);
    if (getenv("UPDATE")) {
        FILE *f = fopen(GOLDEN, "we");
        ck_assert_ptr_nonnull(f);
        fputs(is, f);
        fclose(f);
    }
    char *was = read_whole(GOLDEN);
    for (size_t i = 0; was[i] || is[i]; i++) {
        if (was[i] != is[i])
            ck_abort_msg("differs from " GOLDEN " (UPDATE=1 rewrites it) at byte %zu: '%.60s'", i,
                         is + i);
    }
    free(was);
    free(is);
}

/* Every tag of the page is one of ours, closed in order, and no attribute is an event's. */
TEST(nothing_becomes_a_tag) {
    char *text = page();
    ck_assert_ptr_null(strstr(text, "<script"));
    ck_assert_ptr_null(strstr(text, "<img"));
    ck_assert_ptr_null(strchr(text, '\033'));
    ck_assert_ptr_null(strstr(text, "\xe2\x80\xae"));
    ck_assert_ptr_null(strstr(text, "0x123456789ab"));
    ck_assert_ptr_nonnull(strstr(text, "&lt;script&gt;alert(1)"));
    static const char *const empty[] = {"meta", "link", "br", "!DOCTYPE"};
    char open[64][16];
    int depth = 0;
    for (char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        char name[16] = "";
        const bool closing = at[1] == '/';
        sscanf(at + 1 + closing, "%15[A-Za-z0-9!]", name);
        const char *end = strchr(at, '>');
        ck_assert_ptr_nonnull(end);
        bool is_empty = end[-1] == '/';
        for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
            is_empty = is_empty || strcmp(name, empty[i]) == 0;
        for (const char *on = at; (on = memmem(on, (size_t)(end - on), " on", 3)) != NULL; on++)
            ck_assert(on[strcspn(on + 1, "= >") + 1] != '=');
        if (closing) {
            ck_assert_int_gt(depth, 0);
            ck_assert_str_eq(open[--depth], name);
        } else if (!is_empty) {
            ck_assert_int_lt(depth, 64);
            memcpy(open[depth++], name, sizeof name);
        }
    }
    ck_assert_int_eq(depth, 0);
    free(text);
}

TEST(all_parts_are_there) {
    static const char *const parts[] = {"verdicts", "failure",  "map",    "unmet",
                                        "source",   "launches", "access", "roofline"};
    char *text = page();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char mark[48];
        snprintf(mark, sizeof mark, "<section id=\"%s\">", parts[i]);
        ck_assert_msg(strstr(text, mark) != NULL, "no part %s", parts[i]);
    }
    /* The line's counters and its finding; a line of the same number in another file is not it. */
    ck_assert_ptr_nonnull(strstr(text, "<td class=\"n h4\">90</td><td class=\"n h4\">90 %</td>"));
    ck_assert_ptr_nonnull(strstr(text, "<b>error: race, RAW</b>"));
    ck_assert_ptr_nonnull(strstr(text, "Likely cause: guard missing</h3>"));
    ck_assert_ptr_nonnull(strstr(text, "<td>0.1</td><td>nan</td>"));
    ck_assert_ptr_null(strstr(text, "%."));
    ck_assert_ptr_nonnull(strstr(text, "A[0][0] … A[0][2]"));
    ck_assert_ptr_nonnull(strstr(text, "2 sectors of 32 bytes, 19 % of their bytes used"));
    ck_assert_ptr_nonnull(strstr(text, "Bank conflicts: one pass for each row"));
    free(text);
}

/* The first screen: what went wrong, the cause, its line, the picture of that case, what to do. */
TEST(the_cause_comes_first) {
    static const char *const order[] = {"<b>5</b> of 20 points",
                                        "First failure: ",
                                        "Likely cause: guard missing",
                                        "<a href=\"#L3\">",
                                        "<pre class=\"excerpt\"",
                                        "&gt;    3",
                                        "Where C is wrong",
                                        "What to do next",
                                        "The first wrong elements",
                                        "Not met",
                                        "Right products",
                                        "line by line"};
    char *text = page(), *at = text;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        char *next = strstr(at, order[i]);
        ck_assert_msg(next != NULL, "not there, or before the others: %s", order[i]);
        at = next;
    }
    free(text);
}

/* C of another case than the first failure stands by itself, below. */
TEST(the_picture_is_of_that_case) {
    g.exhibit->wrong = &g.results[1];
    char *text = page(), *map = strstr(text, "Where C is wrong</h2>");
    ck_assert_ptr_nonnull(map);
    ck_assert_ptr_null(strstr(text, "Where C is wrong</h3>"));
    ck_assert(strstr(text, "Right products") < map);
    free(text);
}

/* Grey is for what nobody judged. */
TEST(what_waits_for_cases_is_no_failure) {
    g.checks[0].premature = true;
    char *text = page();
    ck_assert_ptr_nonnull(strstr(text, "<td class=\"none\">– cases first</td>"));
    ck_assert_ptr_null(strstr(text, "✗ cases first"));
    g.checks[0].premature = false;
    free(text);
}

TEST(a_line_and_its_neighbours) {
    struct submission s = {.name = (char *)"a.cu",
                           .bytes = (char *)"1\n2\r\n\t3 \033[2J\n\n5\n6\n"};
    s.length = strlen(s.bytes);
    struct excerpt x;
    ck_assert(excerpt_of(&x, &s, "/tmp/a.cu", 3));
    struct text t = {0};
    excerpt_add(&t, &x, 40);
    ck_assert_str_eq(text_get(&t), "         1 | 1\n         2 | 2\n    >    3 |     3 ?[2J\n"
                                   "         4 |\n         5 | 5\n");
    text_clear(&t);
    ck_assert(excerpt_of(&x, &s, "a.cu", 1));
    ck_assert_int_eq(x.first, 1);
    ck_assert_int_eq(x.count, 3);
    ck_assert(excerpt_of(&x, &s, "a.cu", 6));
    ck_assert_int_eq(x.count, 3);
    static const struct {
        const char *file;
        int line;
    } none[] = {{"a.cu", 7}, {"a.cu", 8}, {"a.cu", 0}, {"b.cu", 3}, {NULL, 3}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert(!excerpt_of(&x, &s, none[i].file, none[i].line));
    text_free(&t);
}

/* The launch says how large its blocks are; an exchanged grid changes nothing about that. */
TEST(borders_are_those_of_the_launch) {
    static const struct {
        int tile, block, axis, size;
        uint64_t grid[2], threads[2], side;
    } rows[] = {
        {32, 32, 0, 224, {7, 8}, {32, 8}, 32},    {32, 32, 1, 64, {7, 8}, {32, 8}, 8},
        {32, 32, 0, 224, {2, 28}, {32, 8}, 32},   {32, 32, 1, 224, {7, 2}, {32, 8}, 8},
        {32, 32, 0, 20, {1, 3}, {32, 8}, 0},      {32, 32, 0, 224, {7, 1}, {256, 1}, 0},
        {32, 32, 0, 224, {7, 1}, {32, 1}, 0},     {32, 32, 0, 224, {0, 0}, {0, 0}, 0},
        {32, 128, 0, 300, {3, 2}, {256, 1}, 128}, {32, 128, 1, 200, {3, 2}, {256, 1}, 128},
        {32, 128, 0, 300, {5, 2}, {16, 16}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct lab_spec lab = {.tile = rows[i].tile, .block = rows[i].block};
        struct work w = {0};
        for (int axis = 0; axis < 2; axis++) {
            w.of[WORK_GRID_X + axis] = rows[i].grid[axis];
            w.of[WORK_BLOCK_X + axis] = rows[i].threads[axis];
        }
        const uint64_t side = error_map_block(&w, &lab, rows[i].axis, rows[i].size);
        ck_assert_msg(side == rows[i].side, "row %zu: %llu", i, (unsigned long long)side);
    }
}

TEST(never_written) {
    float fresh;
    memset(&fresh, 0xff, sizeof fresh);
    ck_assert(element_unwritten(ENTRY_DEVICE, 7, 7));
    ck_assert(element_unwritten(ENTRY_DEVICE, NAN, NAN));
    ck_assert(!element_unwritten(ENTRY_DEVICE, 7, 8));
    ck_assert(!element_unwritten(ENTRY_DEVICE, 7, fresh));
    ck_assert(element_unwritten(ENTRY_HOST, 7, fresh)); /* copied back from fresh memory */
    ck_assert(!element_unwritten(ENTRY_HOST, 7, NAN));
}

static void make_file(const char *below) {
    char *path = xasprintf("%s/%s", folder, below);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    fclose(fopen(path, "we"));
    free(path);
}

/* The page beside the kit's, else the one that was built, else the Markdown; else nothing. */
TEST(sections_lead_to_what_is_there) {
    static const char *const places[] = {"handouts/lab4.md", "site/handouts/lab4.html",
                                         "pages/handouts/lab4.html"};
    struct text t = {0};
    g.own_file = true;
    address_section(&t, &g, "lab4.md#edges");
    ck_assert_str_eq(text_get(&t), "");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        make_file(places[i]);
        text_clear(&t);
        address_section(&t, &g, "lab4.md#edges");
        char *want = xasprintf("file://%s/%s#edges", folder, places[i]);
        ck_assert_str_eq(text_get(&t), want);
        free(want);
    }
    cause.section = (char *)"lab4.md#edges";
    char *text = page();
    ck_assert_ptr_nonnull(strstr(text, "Read <a href=\"file:///tmp/"));
    ck_assert_ptr_nonnull(strstr(text, "#edges\">handouts/lab4.md#edges</a>"));
    free(text);
    /* Whoever gets the page of another's file has another machine. */
    g.own_file = false;
    text_clear(&t);
    address_section(&t, &g, "lab4.md#edges");
    ck_assert_str_eq(text_get(&t), "");
    text = page();
    ck_assert_ptr_nonnull(strstr(text, "Read <code>handouts/lab4.md#edges</code>"));
    free(text);
    cause.section = NULL;
    text_free(&t);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = xasprintf("%s/%s", folder, places[i]);
        for (unlink(path); strlen(path) > strlen(folder) + 1; rmdir(path))
            *strrchr(path, '/') = '\0';
        free(path);
    }
}

/* A page in the middle of a run, and one of a run that built nothing. */
TEST(an_unfinished_run_says_so) {
    char *path = xasprintf("%s/out.html", folder), why[256];
    struct options o = {.formats = 1, .format = {{.name = "html", .path = path}}};
    struct reporters r;
    ck_assert(reporters_open(&r, &o, why, sizeof why));
    reporters_case(&r, &g, &g.results[0]);
    char *text = read_whole(path);
    ck_assert_ptr_nonnull(strstr(text, "not graded"));
    ck_assert_ptr_nonnull(strstr(text, "The run has not finished."));
    ck_assert_ptr_null(strstr(text, "5</b> of 20"));
    reporters_drop(&r);
    free(text);
    free(path);
}

TEST(without_an_exhibit_there_is_still_a_page) {
    exhibit_free(g.exhibit);
    g.exhibit = NULL;
    text_add(&g.refused, "does not compile: " EVIL);
    char *text = page();
    ck_assert_ptr_nonnull(strstr(text, "<section id=\"source\">"));
    ck_assert_ptr_null(strstr(text, "<section id=\"map\">"));
    ck_assert_ptr_null(strstr(text, "<section id=\"roofline\">"));
    text_free(&g.refused);
    free(text);
}

TEST(hidden_cases_stay_hidden) {
    struct case_spec hidden = *g.results[0].spec;
    hidden.hidden = true;
    g.results[0].spec = &hidden;
    g.exhibit->wrong = g.exhibit->counted = NULL;
    char *text = page();
    ck_assert_ptr_null(strstr(text, "0.1"));
    ck_assert_ptr_null(strstr(text, "error: race"));
    ck_assert_ptr_nonnull(strstr(text, "A hidden case"));
    free(text);
}

/* Damaged reports give a view or none, and never more than there is room for. */
TEST(damaged_reports_do_no_harm) {
    char *json = report_json();
    const size_t n = strlen(json);
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 4000; i++) {
        char *bad = xstrdup(json);
        for (int k = 0; k < 1 + i % 3; k++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            bad[x % n] = "0123456789-.eE[]{}\",nt "[x / n % 23];
        }
        struct view v;
        if (view_parse(&v, bad, n, "evil.cu")) {
            struct view before = g.exhibit->view;
            g.exhibit->view = v;
            struct text t = {0};
            html_source(&t, &g);
            html_launches(&t, g.exhibit);
            html_access(&t, g.exhibit);
            html_roofline(&t, g.exhibit);
            ck_assert_ptr_nonnull(t.data);
            ck_assert_ptr_null(strstr(t.data, "<script"));
            text_free(&t);
            g.exhibit->view = before;
            view_free(&v);
        }
        free(bad);
    }
    struct view v;
    ck_assert(!view_parse(&v, "[]", 2, "x"));
    ck_assert(!view_parse(&v, "{\"format\": 2, \"launches\": []}", 29, "x"));
    ck_assert(!view_parse(&v, json, n / 2, "x"));
    free(json);
}

TEST(names_of_files) {
    ck_assert(view_same_file("a.cu", "a.cu"));
    ck_assert(view_same_file("/x/y/a.cu", "a.cu"));
    ck_assert(view_same_file("/x/a\\\"b'.cu", "a\"b'.cu"));
    ck_assert(view_same_file("/x/a\\b.cu", "a\\b.cu"));
    ck_assert(!view_same_file("ba.cu", "a.cu"));
    ck_assert(!view_same_file("a.cu", "a.cub"));
    ck_assert(!view_same_file("a.cu\\", "a.cu"));
    ck_assert(!view_same_file("a.cu/", "a.cu"));
    ck_assert(!view_same_file("\\", "a"));
}

TEST(brief_numbers) {
    static const struct {
        double x;
        const char *text;
    } rows[] = {{0, "0"}, {99999, "99999"}, {100000, "100k"}, {1234567, "1235k"}, {1.5e9, "1500M"}};
    char into[16];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_str_eq(html_brief(into, rows[i].x), rows[i].text);
}

int main(void) {
    return run_tests(
        (struct suite){.name = "grading/html", .set_up = set_up, .tear_down = tear_down});
}
