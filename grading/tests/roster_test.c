/* roster_test.c: tables as platforms export them, read and written back; who is whose on them. */
#include "grading/src/batch/batch_roster.h"

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

START_TEST(mistakes) {
    refuse("a,b\n1,2\n", NULL,
           "class.csv has no column of ids or names: its first line must have headings, as your "
           "platform exports them, or 'id' and 'name'");
    refuse("", NULL,
           "class.csv has no column of ids or names: its first line must have headings, as your "
           "platform exports them, or 'id' and 'name'");
    refuse("id,name\n", NULL, "class.csv lists no students below its headings");
    refuse("id,name\n1,\"Ada\n2,Bob\n", NULL, "class.csv: line 2: a quote (\") does not end");
    refuse("id,Lab 3,lab-3 late\n1,,\n", NULL,
           "class.csv has several columns that could be lab3's: 'Lab 3' and 'lab-3 late'; say "
           "which: --column 'lab-3 late'");
    refuse("id,Lab 3\n1,\n", "Lab 4", "class.csv has no column 'Lab 4'; it has 'id', 'Lab 3'");
    refuse("PK\3\4", NULL, "class.csv: it is no table of text: save it as CSV");
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
                     "not on the roster by this name alone: several are called so");
    ck_assert_str_eq(list.of[7].note, "not on the roster");
}
END_TEST

START_TEST(handed_in_twice) {
    add(PLATFORM_BLACKBOARD, "a1", "ada", "ada", "2026-11-02-10-00-00");
    add(PLATFORM_BRIGHTSPACE, "a2", "Ada L", "7", "2026-11-01-10-00-00");
    add(PLATFORM_NONE, "bob", "bob", "", "");
    add(PLATFORM_MOODLE, "Bob B_5", "Bob B", "5", "");
    add(PLATFORM_NONE, "empty", "empty", "", "");
    add(PLATFORM_NONE, "Full E", "Full E", "", "");
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
    tcase_add_test(tables, blackboard);
    tcase_add_test(tables, others);
    tcase_add_test(tables, latin1);
    tcase_add_test(tables, mistakes);
    tcase_add_checked_fixture(whose, NULL, clear_match);
    tcase_add_test(whose, matching);
    tcase_add_test(whose, handed_in_twice);
    Suite *s = suite_create("roster");
    suite_add_tcase(s, tables);
    suite_add_tcase(s, whose);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
