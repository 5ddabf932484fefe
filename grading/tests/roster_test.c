/* roster_test.c: tables as platforms export them, read and written back; who is whose on them. */
#include "grading/src/batch/batch_anonymous.h"
#include "grading/src/batch/batch_roster.h"
#include "grading/src/batch/spelling.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct lab_spec lab = {.name = "lab3"};
static struct roster r;
static struct text why, out;

static void clear(void) {
    roster_free(&r);
    text_free(&why);
    text_free(&out);
}

static bool parse_bytes(const char *bytes, size_t n, const char *column) {
    clear();
    return roster_parse(&r, bytes, n, "class.csv", column, &lab, &why);
}

static void parse(const char *csv) {
    ck_assert_msg(parse_bytes(csv, strlen(csv), NULL), "%s", text_get(&why));
}

static void refuse(const char *csv, const char *column, const char *sentence) {
    ck_assert(!parse_bytes(csv, strlen(csv), column));
    ck_assert_str_eq(text_get(&why), sentence);
}

static void expect(const char *kind, size_t students, const char *heading) {
    ck_assert_str_eq(r.kind, kind);
    ck_assert_uint_eq(r.students, students);
    ck_assert_str_eq(table_cell(&r.table, r.head, r.points), heading);
}

/* The student of this name has the number `student`, and is found by these ids. */
static void is_called(size_t student, const char *name, const char *id) {
    bool several;
    char *is = roster_name(&r, student);
    ck_assert_str_eq(is, name);
    free(is);
    ck_assert_uint_eq(roster_by_id(&r, id, &several), student);
    ck_assert(!several);
}

/* With points for the first student, it is written as this. */
static void writes(const char *points, const char *csv) {
    roster_set_points(&r, 0, points);
    table_write(&out, &r.table);
    ck_assert_str_eq(text_get(&out), csv);
}

START_TEST(canvas) {
    parse("Student,ID,SIS User ID,SIS Login ID,Section,Lab 31 (6),Lab 3 (7),Final Score\n"
          "    Points Possible,,,,,100,50.00,(read only)\n"
          "\"Lovelace, Ada\",12,A1,ada@x.org,S1,7,,\n"
          "\"Student, Test\",13,,,S1,,,\n");
    expect("canvas", 2, "Lab 3 (7)");
    ck_assert(r.points_most == 50.0);
    is_called(0, "Lovelace, Ada", "12");
    is_called(0, "Lovelace, Ada", "a1");
    is_called(0, "Lovelace, Ada", "ada");
    bool several;
    ck_assert_uint_eq(roster_by_name(&r, "lovelaceada", &several), 0);
    ck_assert_uint_eq(roster_by_name(&r, "Ada Lovelace", &several), 0);
    ck_assert_uint_eq(roster_by_name(&r, "Ada", &several), ROSTER_NONE);
    writes("87.5", "Student,ID,SIS User ID,SIS Login ID,Section,Lab 31 (6),Lab 3 (7),Final Score\n"
                   "    Points Possible,,,,,100,50.00,(read only)\n"
                   "\"Lovelace, Ada\",12,A1,ada@x.org,S1,7,87.5,\n"
                   "\"Student, Test\",13,,,S1,,,\n");
}
END_TEST

START_TEST(moodle) {
    parse(
        "\xef\xbb\xbfIdentifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\"\r\n"
        "\"Participant 101\",\"Zo\xc3\xab \"\"Z\"\" N\",z@x.org,\"\",,10.00\r\n");
    expect("moodle", 1, "Grade");
    ck_assert(r.points_most == 10.0);
    is_called(0, "Zo\xc3\xab \"Z\" N", "101");
    writes(
        "9",
        "\xef\xbb\xbfIdentifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\"\r\n"
        "\"Participant 101\",\"Zo\xc3\xab \"\"Z\"\" N\",z@x.org,\"\",9,10.00\r\n");
    parse("First name;Last name;ID number;Email address;Assignment: Lab 3 (Real)\n"
          "Ada;Lovelace;;ada@x.org;-\n");
    expect("moodle", 1, "Assignment: Lab 3 (Real)");
    is_called(0, "Ada Lovelace", "ada");
}
END_TEST

/* Moodle's headings, marks and numbers are in the language of whoever exports. */
START_TEST(moodle_german) {
    parse("\xef\xbb\xbfID;\"Vollst\xc3\xa4ndiger Name\";\"E-Mail-Adresse\";Status;Bewertung;"
          "Bestwertung;\"Bewertung kann ge\xc3\xa4ndert werden\"\n"
          "Teilnehmer/in205;\"Ann Lee\";a@x.de;;;100,00;Ja\n"
          "Teilnehmer/in206;\"Bob Lee\";b@x.de;;;50,00;Nein\n");
    expect("moodle", 2, "Bewertung");
    is_called(0, "Ann Lee", "205");
    ck_assert_str_eq(roster_id(&r, 0), "205");
    ck_assert(roster_most(&r, 0) == 100.0 && roster_most(&r, 1) == 50.0);
    ck_assert(!roster_is_closed(&r, 0) && roster_is_closed(&r, 1));
    roster_set_points(&r, 0, "87.5");
    ck_assert_str_eq(table_cell(&r.table, 1, r.points), "87,5");
}
END_TEST

START_TEST(moodle_languages) {
    parse("Identifiant,Nom complet,Note,Note maximale,La note peut \xc3\xaatre modifi\xc3\xa9"
          "e\nParticipant 3,Ann Lee,,100.00,Non\n");
    expect("moodle", 1, "Note");
    is_called(0, "Ann Lee", "3");
    ck_assert(roster_is_closed(&r, 0));
    parse("Identificador,Nombre completo,Calificaci\xc3\xb3n,Calificaci\xc3\xb3n m\xc3\xa1xima\n"
          "Participante4,Ann Lee,,100\n");
    expect("moodle", 1, "Calificaci\xc3\xb3n");
    is_called(0, "Ann Lee", "4");
    parse("Identificador,Nome completo,Nota,Nota m\xc3\xa1xima,Nota pode ser alterada\n"
          "Participante 5,Ann Lee,,100,Sim\n");
    expect("moodle", 1, "Nota");
    is_called(0, "Ann Lee", "5");
    ck_assert(!roster_is_closed(&r, 0));
}
END_TEST

/* UTF-16, tabs, all quoted. */
START_TEST(blackboard) {
    static const char narrow[] =
        "\"Last Name\"\t\"First Name\"\t\"Username\"\t\"Student ID\"\t\"Last Access\"\t"
        "\"lab3 [Total Pts: 100 Score] |664617\"\n"
        "\"Lovelace\"\t\"Ada\"\t\"ada_17\"\t\"000\"\t\"\"\t\"\"\n";
    for (int big = 0; big < 2; big++) {
        char wide[2 * sizeof narrow];
        size_t n = 2;
        wide[0] = big ? '\xfe' : '\xff';
        wide[1] = big ? '\xff' : '\xfe';
        for (const char *s = narrow; *s; s++) {
            wide[n++] = big ? '\0' : *s;
            wide[n++] = big ? *s : '\0';
        }
        ck_assert_msg(parse_bytes(wide, n, NULL), "%s", text_get(&why));
        expect("blackboard", 1, "lab3 [Total Pts: 100 Score] |664617");
        ck_assert(r.points_most == 100.0);
        is_called(0, "Ada Lovelace", "ada_17");
        table_write(&out, &r.table);
        ck_assert_uint_eq(out.length, n);
        ck_assert_mem_eq(text_get(&out), wide, n);
        roster_set_points(&r, 0, "x\xf0\x9f\x98\x80");
        text_clear(&out);
        table_write(&out, &r.table);
        ck_assert_uint_eq(out.length, n + 6); /* four bytes are a pair */
        struct text again = {0};
        text_add_bytes(&again, text_get(&out), out.length);
        ck_assert(parse_bytes(text_get(&again), again.length, NULL));
        ck_assert_str_eq(table_cell(&r.table, 1, r.points), "x\xf0\x9f\x98\x80");
        text_free(&again);
    }
}
END_TEST

START_TEST(others) {
    parse("First Name,Last Name,SID,Email,Sections\nAda,Lovelace,17,a@x.org,1\n");
    expect("gradescope", 1, "lab3");
    writes("3", "First Name,Last Name,SID,Email,Sections,lab3\nAda,Lovelace,17,a@x.org,1,3\n");
    parse("OrgDefinedId,Username,Lab 3 Points Grade <Numeric MaxPoints:100>,End-of-Line Indicator\n"
          "#12345,#ada,,#\n");
    expect("brightspace", 1, "Lab 3 Points Grade <Numeric MaxPoints:100>");
    is_called(0, "12345", "ada");
    parse("OrgDefinedId,Last Name,First Name,End-of-Line Indicator\n#12345,Lovelace,Ada,#\n");
    expect("brightspace", 1, "lab3 Points Grade");
    ck_assert(r.points_new);
    writes("3", "OrgDefinedId,Last Name,First Name,lab3 Points Grade,End-of-Line Indicator\n"
                "#12345,Lovelace,Ada,3,#\n");
    parse("Lab 3,SCORE_GRADE_TYPE,,,\n,,,,\nDisplay ID,ID,Last Name,First Name,grade\n"
          "ada17,ada17,Lovelace,Ada,\n");
    expect("sakai", 1, "grade");
    is_called(0, "Ada Lovelace", "ada17");
    parse("\"identifier\",\"github_username\",\"github_id\",\"name\"\n"
          "\"a@x.org\",\"ada\",\"1\",\"\"\n");
    expect("github", 1, "lab3");
    is_called(0, "a@x.org", "ada");
    parse("name\nAda Lovelace\n\n");
    expect("roster", 1, "lab3");
    ck_assert_uint_eq(r.ids, 0);
}
END_TEST

/* A table that Excel saved on Windows is neither UTF-8 nor UTF-16. */
START_TEST(latin1) {
    parse("id;name\r\n1;Zo\xeb\r\n2;\xc3");
    ck_assert_int_eq(r.table.encoding, TABLE_LATIN1);
    is_called(0, "Zo\xc3\xab", "1");
    writes("5", "id;name;lab3\r\n1;Zo\xeb;5\r\n2;\xc3");
}
END_TEST

/* What Excel writes on Windows is not quite Latin-1; on a Mac lines may end as they once did. */
START_TEST(spreadsheets) {
    parse("id;name\n1;\x8aimon \x80\x92\x81\n");
    ck_assert_int_eq(r.table.encoding, TABLE_LATIN1);
    is_called(0, "\xc5\xa0imon \xe2\x82\xac\xe2\x80\x99\xc2\x81", "1");
    writes("5", "id;name;lab3\n1;\x8aimon \x80\x92\x81;5\n");
    parse("id,name,Lab 3\r1,\"A\rB\",\r2,C,7\r");
    expect("roster", 2, "Lab 3");
    is_called(1, "C", "2");
    writes("5", "id,name,Lab 3\r1,\"A\rB\",5\r2,C,7\r");
    parse("id,name\n1,\"A\rB\"\n2,C\rD\n"); /* where lines end otherwise, it is part of a cell */
    expect("roster", 2, "lab3");
}
END_TEST

/* One name in the spellings that platforms, unpackers and spreadsheets give it. */
START_TEST(spellings) {
    static const char *const alike[][2] = {
        {"Jos\xc3\xa9 M\xc3\xbcller", "Jose\xcc\x81 Mu\xcc\x88ller"}, /* composed, and not */
        {"Zo\xc3\xab \xc3\x85ngstr\xc3\xb6m", "ZO\xc3\x8b \xc3\x85NGSTR\xc3\x96M"},
        {"\xd7\x93\xd7\x95\xd7\x93",
         "\xe2\x80\x8f\xd7\x93\xd7\x95\xd7\x93"}, /* a mark for its direction */
        {"Sin\xc3\xa9"
         "ad O'Neil",
         "Sin\xc3\xa9"
         "ad O\xe2\x80\x99Neil"},
        {"\xc3\x98 Space", "\xc3\x98\xc2\xa0Space"}, /* one that does not break */
        {"\xe5\xb1\xb1 Ken", "\xe5\xb1\xb1 \xef\xbc\xab\xef\xbd\x85\xef\xbd\x8e"}, /* wide */
        {"20017", "\xe2\x80\x8e"
                  "20017\xc2\xa0"},
    };
    for (size_t i = 0; spelling_knows_unicode() && i < sizeof alike / sizeof *alike; i++) {
        for (int k = 0; k < 2; k++) {
            struct text csv = {0};
            text_addf(&csv, "id,name\n%s,%s\n7,Somebody Else\n", alike[i][k], alike[i][k]);
            parse(text_get(&csv));
            text_free(&csv);
            bool several;
            ck_assert_msg(roster_by_name(&r, alike[i][!k], &several) == 0, "name %s", alike[i][k]);
            ck_assert_msg(roster_by_id(&r, alike[i][!k], &several) == 0 || strchr(alike[i][k], ' '),
                          "id %s", alike[i][k]);
        }
    }
    bool several;
    parse("name\nJose\nJos\xc3\xa9\n"); /* an accent makes another name */
    ck_assert(roster_by_name(&r, "jose", &several) == 0 && !several);
    ck_assert(roster_by_name(&r, "Jos\xc3\xa9", &several) == 1 && !several);
    parse("id,name\nZ\xff,B\xff\n"); /* Latin-1 becomes UTF-8; a file's name stays what it is */
    ck_assert(roster_by_name(&r, "b\xff", &several) == ROSTER_NONE && !several);
}
END_TEST

START_TEST(mistakes) {
    refuse("a,b\n1,2\n", NULL,
           "class.csv has no column of ids or names: its first line must have headings, as your "
           "platform exports them, or 'id' and 'name'");
    refuse("", NULL, "class.csv is empty: export it again");
    refuse("id,name\n", NULL, "class.csv lists no students below its headings");
    refuse("id,name\n1,\"Ada\n2,Bob\n", NULL, "class.csv: line 2: a quote (\") does not end");
    refuse("id,Lab 3,lab-3 late\n1,,\n", NULL,
           "class.csv has 2 columns that could be lab3's: say which one, --column 'Lab 3' or "
           "--column 'lab-3 late'");
    refuse("id,Lab 3 extra (5554),Lab 3 (5553)\n1,,\n", NULL,
           "class.csv has 2 columns that could be lab3's: say which one, --column 'Lab 3 (5553)' "
           "or --column 'Lab 3 extra (5554)'");
    refuse("id,Lab 3\n1,\n", "Lab 4", "class.csv has no column 'Lab 4'; it has 'id', 'Lab 3'");
    refuse("PK\3\4", NULL,
           "class.csv: it is not a table of text in UTF-8 or marked UTF-16: save it as CSV");
    ck_assert(!parse_bytes("\xff\xfe\x41", 3, NULL));
    ck_assert(parse_bytes("id,Lab 3,other\n1,,\n", 18, "other"));
    expect("roster", 1, "other");
}
END_TEST

/* ---- Whose submission it is ---- */

static struct class_list list;
static struct batch_roster br;

static void add(enum platform platform, const char *name, const char *student, const char *id,
                const char *attempt) {
    list.of = xrealloc(list.of, (list.count + 1) * sizeof *list.of);
    list.of[list.count] = (struct entry_in){.name = xstrdup(name),
                                            .student = xstrdup(student),
                                            .id = xstrdup(id),
                                            .owner = xstrdup(name),
                                            .attempt = xstrdup(attempt),
                                            .path = xstrdup(name),
                                            .platform = platform,
                                            .state = HANDED_IN};
    list.entries = xrealloc(list.entries, (list.entry_count + 1) * sizeof *list.entries);
    list.entries[list.entry_count++] =
        (struct dir_entry){.name = xstrdup(name), .fate = FATE_GRADED, .row = list.count++};
    list.seen++;
}

static void match(const char *csv) {
    text_free(&why);
    batch_roster_free(&br);
    ck_assert_msg(roster_parse(&br.roster, csv, strlen(csv), "c", NULL, &lab, &why), "%s",
                  text_get(&why));
    batch_roster_match(&br, &list);
    ck_assert_msg(batch_account(&list, &why), "%s", text_get(&why));
}

static const struct entry_in *of(size_t student) {
    return br.row[student] == ROSTER_NONE ? NULL : &list.of[br.row[student]];
}

static void clear_match(void) {
    batch_roster_free(&br);
    batch_list_free(&list);
    text_free(&why);
}

START_TEST(matching) {
    add(PLATFORM_CANVAS, "lovelaceada_12", "lovelaceada", "12", "1");
    add(PLATFORM_NONE, "lab3-ann-lee", "lab3-ann-lee", "", "");
    add(PLATFORM_BLACKBOARD, "Lab 3_x_17", "17", "17", "2026-11-01-10-00-00");
    add(PLATFORM_BRIGHTSPACE, "5", "23304308 Angood", "5", "");
    add(PLATFORM_NONE, "submission_99", "Bo and Cy", "b1 and c1", "");
    add(PLATFORM_NONE, "submission_77", "submission_77", "", "");
    add(PLATFORM_NONE, "Sam Twice", "Sam Twice", "", "");
    add(PLATFORM_NONE, "stranger", "stranger", "", "");
    match("id,username,name,submission id\n12,,Ada L,\n,ann-lee,,\n,x_17,,\n"
          "23304308,,,\nb1,,,\nc1,,,\n"
          ",,,77\n1,,Sam Twice,\n2,,Twice Sam,\nz,,Missing,\n");
    ck_assert_str_eq(of(0)->name, "lovelaceada_12");
    ck_assert_str_eq(of(1)->name, "lab3-ann-lee");
    ck_assert_str_eq(of(2)->name, "Lab 3_x_17");
    ck_assert_str_eq(of(3)->name, "5");
    ck_assert_str_eq(of(4)->name, "submission_99");
    ck_assert_ptr_eq(of(5), of(4));
    ck_assert_str_eq(of(6)->name, "submission_77");
    ck_assert(!of(7) && !of(8) && !of(9));
    ck_assert_uint_eq(batch_roster_missing(&br), 3);
    ck_assert_str_eq(list.of[6].note,
                     "not on the roster by its name and id alone: several students have them");
    ck_assert_str_eq(list.of[7].note, "not on the roster");
}
END_TEST

static void set_unknown(size_t row) {
    list.of[row].state = HANDED_IN_UNKNOWN;
    free(list.of[row].path);
    list.of[row].path = NULL;
    free(list.of[row].why);
    list.of[row].why = xasprintf(NOT_RECOGNISED "%s", list.of[row].name);
    list.entries[row].fate = FATE_UNKNOWN;
}

/* What is no submission, and holds somebody's id, is something that was handed in. */
START_TEST(something_else) {
    add(PLATFORM_NONE, "linklea_12370_99_lab3.cu", "linklea", "", "");
    add(PLATFORM_NONE, "u_12x-notes.pdf", "u_12x-notes.pdf", "", "");
    add(PLATFORM_NONE, "Ada Lovelace.pdf", "Ada Lovelace.pdf", "", "");
    add(PLATFORM_NONE, "notes 2026.pdf", "notes 2026.pdf", "", "");
    add(PLATFORM_NONE, "both.cu", "both", "", "");
    add(PLATFORM_NONE, "both.html", "both.html", "", "");
    for (size_t i = 0; i < 4; i++)
        set_unknown(i);
    set_unknown(5);
    match("id,user,name\n12370,lea,Lea Link\n12371,u_12x,Una Ux\n12372,ada,Ada Lovelace\n"
          "12373,bo,Both\n12,dd,Ed Ed\n");
    ck_assert_uint_eq(list.count, 5);
    ck_assert_str_eq(of(0)->name, "linklea_12370_99_lab3.cu");
    ck_assert_int_eq(of(0)->state, HANDED_IN_OTHER);
    ck_assert_str_eq(of(0)->student, "Lea Link");
    ck_assert_str_eq(of(0)->why, "something else handed in: linklea_12370_99_lab3.cu");
    ck_assert_int_eq(list.entries[0].fate, FATE_UNGRADED);
    ck_assert_str_eq(of(2)->name, "Ada Lovelace.pdf");
    ck_assert_str_eq(of(3)->name, "both.cu");
    ck_assert_int_eq(list.entries[5].fate, FATE_BESIDE);
    ck_assert_uint_eq(list.entries[5].row, br.row[3]);
    ck_assert_int_eq(list.entries[3].fate, FATE_UNKNOWN);
    ck_assert(!of(4));
    ck_assert_uint_eq(batch_roster_missing(&br), 2);
}
END_TEST

/* Who cannot be told from another is not said to have handed in nothing; nor who is called by a
 * number of which a spreadsheet kept the half. */
START_TEST(doubts) {
    add(PLATFORM_NONE, "John Smith", "John Smith", "", "");
    add(PLATFORM_NONE, "00123", "00123", "", "");
    add(PLATFORM_NONE, "Eva", "Eva", "", "");
    match("id,name\n7,John Smith\n8,John Smith\n123,Zed\n9,Eva\n");
    ck_assert_str_eq(br.doubt[0], "John Smith");
    ck_assert_str_eq(br.doubt[1], "John Smith");
    ck_assert_ptr_null(br.doubt[2]);
    ck_assert_str_eq(list.of[1].note, "not on the roster, where the id 123 differs only in leading "
                                      "zeros: put them back there");
    ck_assert_str_eq(list.of[2].id, "9");
    ck_assert(batch_roster_fits(&br, &list, "c", &why));
}
END_TEST

/* A student of two sections may stand on two lines: it is the same one, by all ids and the name. */
START_TEST(on_two_lines) {
    add(PLATFORM_CANVAS, "bobmiller_8", "bobmiller", "8", "1");
    add(PLATFORM_NONE, "9", "9", "", "");
    match("Student,ID,SIS Login ID,Section\n\"Miller, Bob\",8,bob,A\n\"Miller, Bob\",8,BOB,B\n"
          "Eve,9,eve,A\nAdam,9,adam,A\n\"Zed, Z\",5,z,A\n\"Zed, Z\",5,z,B\n");
    ck_assert_uint_eq(br.row[0], br.row[1]);
    ck_assert_str_eq(of(0)->name, "bobmiller_8");
    ck_assert_str_eq(of(1)->student, "Miller, Bob");
    ck_assert_ptr_null(of(0)->note);
    ck_assert_str_eq(br.doubt[2], "9"); /* two people with one id are not the same */
    ck_assert_str_eq(br.doubt[3], "9");
    ck_assert_uint_eq(batch_roster_missing(&br), 3); /* Eve, Adam and Zed once */
    ck_assert_uint_eq(br.roster.repeated, 2);
    match("name\nbobmiller\nbobmiller\n"); /* without ids there may be two */
    ck_assert_uint_eq(br.roster.repeated, 0);
}
END_TEST

/* A name is taken out of a text in every spelling. */
START_TEST(nobody_is_named) {
    struct anonymous a = {0};
    struct text t = {0};
    anonymous_add_words(&a, "Jos\xc3\xa9 M\xc3\xbcller", "lab3");
    anonymous_add_words(&a, "lab3 Lovelace", "lab3");
    char name[201]; /* as long as some platform allows */
    memset(name, 'x', sizeof name - 1);
    name[200] = '\0';
    anonymous_add_words(&a, name, "lab3");
    anonymous_sort_words(&a);
    anonymous_text(&t, &a, name);
    ck_assert_str_eq(text_get(&t), "[name]");
    text_clear(&t);
    anonymous_text(&t, &a, "kernel lovelaceKernel of LOVELACE in lab3: nothing else");
    ck_assert_str_eq(text_get(&t), "kernel [name] of [name] in lab3: nothing else");
    text_clear(&t);
    anonymous_text(&t, &a, "Jos\xc3\xa9, kernelM\xc3\xbcller");
    ck_assert_str_eq(text_get(&t), "[name], [name]");
    text_clear(&t);
    anonymous_text(&t, &a, "JOS\xc3\x89 Jose\xcc\x81 KERNELM\xc3\x9cLLER2");
    if (spelling_knows_unicode())
        ck_assert_str_eq(text_get(&t), "[name] [name] [name]");
    text_free(&t);
    batch_anonymous_free(&a);
}
END_TEST

/* "TITLE_USER" and "TITLE-USER": what most names begin with is the title, the rest the user. So no
 * "x_17" is 17, and no account called "evil-bob" is bob. */
START_TEST(titles_and_users) {
    add(PLATFORM_BLACKBOARD, "Lab 3_x_17", "17", "17", "");
    add(PLATFORM_BLACKBOARD, "Lab 3_ann", "ann", "ann", "");
    add(PLATFORM_BLACKBOARD, "Lab 3_evil_cy", "cy", "cy", "");
    add(PLATFORM_NONE, "lab3-eve-bob", "lab3-eve-bob", "", "");
    add(PLATFORM_NONE, "lab3-dan", "lab3-dan", "", "");
    add(PLATFORM_NONE, "lab3-lee-ann", "lab3-lee-ann", "", "");
    add(PLATFORM_BLACKBOARD, "untitled", "untitled", "untitled", "");
    match("username\n17\nx_17\nann\ncy\nbob\ndan\nlee-ann\nuntitled\n");
    ck_assert_uint_eq(br.row[0], ROSTER_NONE);
    ck_assert_str_eq(of(1)->name, "Lab 3_x_17");
    ck_assert_str_eq(of(2)->name, "Lab 3_ann");
    ck_assert_uint_eq(br.row[3], ROSTER_NONE);
    ck_assert_uint_eq(br.row[4], ROSTER_NONE);
    ck_assert_str_eq(of(5)->name, "lab3-dan");
    ck_assert_str_eq(of(6)->name, "lab3-lee-ann");
    ck_assert_str_eq(of(7)->name, "untitled");
    ck_assert_str_eq(list.of[2].note, "not on the roster");
    ck_assert_str_eq(list.of[2].student, "Lab 3_evil_cy");
    ck_assert_str_eq(list.of[3].note, "not on the roster");
}
END_TEST

/* Who a receipt names is that one, whatever the names begin with. */
START_TEST(receipts) {
    add(PLATFORM_BLACKBOARD, "Lab 3_a_17", "Ada L", "17", "");
    add(PLATFORM_BLACKBOARD, "Lab 3 late_bob", "Bob B", "bob", "");
    list.of[0].told = list.of[1].told = true;
    match("username\n17\na_17\nbob\n");
    ck_assert_str_eq(of(0)->name, "Lab 3_a_17");
    ck_assert_uint_eq(br.row[1], ROSTER_NONE);
    ck_assert_str_eq(of(2)->name, "Lab 3 late_bob");
}
END_TEST

/* Canvas's own student is in every export. */
START_TEST(test_student) {
    add(PLATFORM_CANVAS, "lovelaceada_12", "lovelaceada", "12", "1");
    match("Student,ID,SIS Login ID,Section\n\"Lovelace, Ada\",12,a,S\n\"Student, Test\",13,b,S\n");
    ck_assert_uint_eq(batch_roster_missing(&br), 0);
    ck_assert_str_eq(of(0)->student, "Lovelace, Ada");
}
END_TEST

/* Another class's roster, or one whose headings say nothing to us, is told before anybody waits. */
START_TEST(nobody) {
    add(PLATFORM_MOODLE, "Ann Lee_205", "Ann Lee", "205", "");
    match("id,Nimi,Lab 3\n9,Ann Lee,\n");
    ck_assert(!batch_roster_fits(&br, &list, "class.csv", &why));
    ck_assert_str_eq(text_get(&why),
                     "none of those who handed in (1, such as Ann Lee, 205) is on the roster "
                     "class.csv. Its headings: understood as ids and names: 'id'; not understood: "
                     "'Nimi'. Is it this class's? If it is, rename its headings to 'id', 'name' "
                     "and 'email' in a copy");
}
END_TEST

START_TEST(handed_in_twice) {
    add(PLATFORM_BLACKBOARD, "a1", "ada", "ada", "2026-11-02-10-00-00");
    add(PLATFORM_BRIGHTSPACE, "a2", "Ada L", "7", "2026-11-01-10-00-00");
    add(PLATFORM_NONE, "bob", "bob", "", "");
    add(PLATFORM_MOODLE, "Bob B_5", "Bob B", "5", "");
    add(PLATFORM_NONE, "empty", "empty", "", "");
    add(PLATFORM_NONE, "Full E", "Full E", "", "");
    list.of[0].told = true;
    list.of[4].state = HANDED_IN_NONE;
    list.entries[4].fate = FATE_UNGRADED;
    match("username,name\nada,Ada L\nbob,Bob B\nempty,Full E\n");
    ck_assert_uint_eq(list.count, 3);
    ck_assert_str_eq(of(0)->name, "a1");
    ck_assert_str_eq(of(0)->note, "handed in twice: a1 counts, a2 does not");
    ck_assert_int_eq(list.entries[1].fate, FATE_EARLIER);
    ck_assert_uint_eq(list.entries[1].row, br.row[0]);
    ck_assert_int_eq(of(1)->state, HANDED_IN_SEVERAL);
    ck_assert_str_eq(of(1)->why,
                     "handed in twice, as bob and as Bob B_5, and nothing says which is the later");
    ck_assert_int_eq(list.entries[2].fate, FATE_UNGRADED);
    ck_assert_str_eq(of(2)->name, "Full E");
    ck_assert_int_eq(of(2)->state, HANDED_IN);
}
END_TEST

int main(void) {
    TCase *tables = tcase_create("tables"), *whose = tcase_create("whose");
    tcase_add_checked_fixture(tables, NULL, clear);
    tcase_add_test(tables, canvas);
    tcase_add_test(tables, moodle);
    tcase_add_test(tables, moodle_german);
    tcase_add_test(tables, moodle_languages);
    tcase_add_test(tables, blackboard);
    tcase_add_test(tables, others);
    tcase_add_test(tables, latin1);
    tcase_add_test(tables, spreadsheets);
    tcase_add_test(tables, spellings);
    tcase_add_test(tables, mistakes);
    tcase_add_checked_fixture(whose, NULL, clear_match);
    tcase_add_test(whose, matching);
    tcase_add_test(whose, handed_in_twice);
    tcase_add_test(whose, something_else);
    tcase_add_test(whose, doubts);
    tcase_add_test(whose, titles_and_users);
    tcase_add_test(whose, receipts);
    tcase_add_test(whose, nobody_is_named);
    tcase_add_test(whose, on_two_lines);
    tcase_add_test(whose, test_student);
    tcase_add_test(whose, nobody);
    Suite *s = suite_create("roster");
    suite_add_tcase(s, tables);
    suite_add_tcase(s, whose);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
