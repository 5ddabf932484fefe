/* batch_find_test.c: whose submission is whose in a folder as platforms give it, and which file
 * counts. */
#include "common/tests/suite.h"
#include "grading/src/batch/batch.h"
#include "grading/src/batch/batch_names.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct lab_spec lab = {.name = "lab3"};
static char top[64];
static struct class_list list;

static void make_top(void) {
    strcpy(top, "/tmp/batch-find-test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(top));
}

static int unlink_one(const char *path, const struct stat *s, int type, struct FTW *f) {
    (void)s, (void)type, (void)f;
    return remove(path);
}

static void remove_top(void) {
    batch_list_free(&list);
    nftw(top, unlink_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A file, with the folders above it; a folder when the name ends in '/'. */
static void put(const char *name, const char *content) {
    char *path = xasprintf("%s/%s", top, name);
    for (char *c = path + strlen(top) + 1; (c = strchr(c, '/')); c++) {
        *c = '\0';
        ck_assert(mkdir(path, 0777) == 0 || errno == EEXIST);
        *c = '/';
    }
    if (path[strlen(path) - 1] != '/') {
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fputs(content, f);
        fclose(f);
    }
    free(path);
}

static void find(size_t count) {
    struct text why = {0};
    const struct batch_search search = {.folder = top, .lab = &lab};
    batch_list_free(&list);
    ck_assert_msg(batch_find(&list, &search, &why), "%s", text_get(&why));
    ck_assert_msg(batch_account(&list, &why), "%s", text_get(&why));
    ck_assert_uint_eq(list.count, count);
}

static const struct entry_in *who(const char *student) {
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.of[i].student, student) == 0)
            return &list.of[i];
    ck_abort_msg("nobody is called %s", student);
}

/* What became of an entry of the folder, and whose it is; NULL: nobody's. */
static void became(const char *entry, enum fate fate, const char *student) {
    for (size_t i = 0; i < list.entry_count; i++) {
        if (strcmp(list.entries[i].name, entry) != 0)
            continue;
        ck_assert_msg(list.entries[i].fate == fate, "%s: %s", entry,
                      fate_words[list.entries[i].fate].words);
        if (student)
            ck_assert_str_eq(list.of[list.entries[i].row].student, student);
        else
            ck_assert(!fate_words[fate].row);
        return;
    }
    ck_abort_msg("no entry %s", entry);
}

/* The student has this id and handed in this file; NULL: nobody can tell which; "": none. */
static void expect(const char *student, const char *id, const char *file) {
    const struct entry_in *e = who(student);
    ck_assert_str_eq(e->id, id);
    ck_assert_int_eq(e->state, !file ? HANDED_IN_SEVERAL
                               : !*file && strncmp(e->why, "no .cu file", 11) == 0 ? HANDED_IN_OTHER
                               : !*file                                            ? HANDED_IN_NONE
                               : name_kind_of(file) == NAME_ARCHIVE ? HANDED_IN_ARCHIVE
                                                                    : HANDED_IN);
    if (file && *file)
        ck_assert_str_eq(e->path + strlen(top) + 1, file);
    else
        ck_assert_ptr_null(e->path);
}

static void handed_in(const char *student, const char *time) {
    char *is = entry_handed_in(who(student));
    ck_assert_str_eq(is, time);
    free(is);
}

TEST(moodle) {
    put("Ada O'Neil_101_assignsubmission_file_/my file.cu", "");
    put("Ada O'Neil_101_assignsubmission_onlinetext_/onlinetext.html", "");
    put("Zo\xc3\xab \xc3\x9cn\xc3\xaf_5_assignsubmission_file_old.cu", "");
    put("Zo\xc3\xab \xc3\x9cn\xc3\xaf_5_assignsubmission_file_lab3.cu", "");
    put("Two_7_assignsubmission_file_a.cu", "");
    put("Two_7_assignsubmission_file_b.cu", "");
    put("Text Only_8_assignsubmission_onlinetext_/onlinetext.html", "");
    put("Blind_assignsubmission_file_/LAB3.CU", "");
    find(5);
    expect("Ada O'Neil", "101", "Ada O'Neil_101_assignsubmission_file_/my file.cu");
    expect("Zo\xc3\xab \xc3\x9cn\xc3\xaf", "5",
           "Zo\xc3\xab \xc3\x9cn\xc3\xaf_5_assignsubmission_file_lab3.cu");
    expect("Two", "7", NULL);
    expect("Text Only", "8", "");
    expect("Blind", "", "Blind_assignsubmission_file_/LAB3.CU");
}

TEST(canvas) {
    put("lovelaceada_12345_678910_lab3.cu", "");
    put("lovelaceada_12345_1678910_lab3-2.cu", "");
    put("turingalan_LATE_12346_678911_lab3-1.cu", "");
    put("hopper_12347_678912_helper.cu", "");
    put("hopper_12347_678901_lab3.cu", "");
    put("two_12348_678913_a.cu", "");
    put("two_12348_678914_b.cu", "");
    find(4);
    expect("lovelaceada", "12345", "lovelaceada_12345_1678910_lab3-2.cu");
    expect("turingalan", "12346", "turingalan_LATE_12346_678911_lab3-1.cu");
    expect("hopper", "12347", "hopper_12347_678901_lab3.cu");
    expect("two", "12348", NULL);
    ck_assert_str_eq(who("hopper")->name, "hopper_12347");
}

/* The first pair of numbers is Canvas's, whatever the student's name and the file's hold. */
TEST(canvas_underscores) {
    put("under_score_22_9002_lab3.cu", "");
    put("x2_y3_24_9006_lab3.cu", "");
    put("loren_25_9007_my_lab_3_4_v2.cu", "");
    put("late_one_LATE_26_9008_lab3.cu", "");
    put("anon_aB3de_9003_lab3.cu", "");
    put("anon_Zz9x1_LATE_9004_my_9_v2.cu", "");
    put("typed_27_text.html", "");
    put("linked_LATE_28_link.html", "");
    find(8);
    expect("under_score", "22", "under_score_22_9002_lab3.cu");
    expect("x2_y3", "24", "x2_y3_24_9006_lab3.cu");
    expect("loren", "25", "loren_25_9007_my_lab_3_4_v2.cu");
    expect("late_one", "26", "late_one_LATE_26_9008_lab3.cu");
    expect("anon_aB3de", "", "anon_aB3de_9003_lab3.cu");
    expect("anon_Zz9x1", "", "anon_Zz9x1_LATE_9004_my_9_v2.cu");
    expect("typed", "27", "");
    expect("linked", "28", "");
    ck_assert_str_eq(who("typed")->why, "no .cu file, but text.html");
}

/* What stands behind a platform's mark the student chose: another one's mark there, of this
 * platform or of another, makes the file nobody else's. */
TEST(no_file_is_called_into_another_row) {
    put("Ada_101_assignsubmission_file_Bob_102_assignsubmission_file_lab3.cu", "");
    put("Bob_102_assignsubmission_file_lab3.cu", "");
    put("Cy_103_assignsubmission_file_x_102_7_lab3.cu", "");
    find(3);
    expect("Ada", "101", "Ada_101_assignsubmission_file_Bob_102_assignsubmission_file_lab3.cu");
    expect("Bob", "102", "Bob_102_assignsubmission_file_lab3.cu");
    expect("Cy", "103", "Cy_103_assignsubmission_file_x_102_7_lab3.cu");
    remove_top();
    make_top();
#define TIME "_attempt_2026-11-21-09-30-00"
    put("L_1_2_ada" TIME "_L_1_2_bob_attempt_2026-11-22-00-00-00_lab3.cu", "");
    put("L_1_2_bob" TIME "_lab3.cu", "");
    put("L_1_2_cy" TIME "_L_1_2_bob_attempt_2026-11-22-00-00-00.txt", "Name: Bob (bob)\n");
    find(3);
    expect("ada", "ada", "L_1_2_ada" TIME "_L_1_2_bob_attempt_2026-11-22-00-00-00_lab3.cu");
    expect("bob", "bob", "L_1_2_bob" TIME "_lab3.cu");
    expect("cy", "cy", "");
    remove_top();
    make_top();
    put("1-9 - Ada - Nov 1, 2026 1020 AM - x - Bob - Nov 2, 2026 1020 AM - lab3.cu", "");
    put("2-9 - Bob - Nov 1, 2026 1020 AM - lab3.cu", "");
    find(2);
    expect("Ada", "1", "1-9 - Ada - Nov 1, 2026 1020 AM - x - Bob - Nov 2, 2026 1020 AM - lab3.cu");
    ck_assert_str_eq(who("Ada")->attempt, "2026-11-01-10-20-00");
    expect("Bob", "2", "2-9 - Bob - Nov 1, 2026 1020 AM - lab3.cu");
    remove_top();
    make_top();
    put("ada_101_900_Bob_102_assignsubmission_file_lab3.cu", "");
    put("bob_102_901_lab3.cu", "");
    put("cy_LATE_103_902_x_bob" TIME "_lab3.cu", "");
    find(3);
    expect("ada", "101", "ada_101_900_Bob_102_assignsubmission_file_lab3.cu");
    expect("bob", "102", "bob_102_901_lab3.cu");
    expect("cy", "103", "cy_LATE_103_902_x_bob" TIME "_lab3.cu");
#undef TIME
}

/* A wrong upload is told by its name. */
TEST(another_labs_file) {
    put("a/lab2.cu", "");
    put("lee_22_9002_lab4-1.cu", "");
    put("c/lab3.cu", "");
    put("d/lab03.cu", "");
    put("e/lab31.cu", "");
    put("f/lab2b.cu", "");
    put("g/lab.cu", "");
    find(7);
    ck_assert(who("a")->other_lab && who("lee")->other_lab && who("e")->other_lab);
    ck_assert(!who("c")->other_lab && !who("d")->other_lab && !who("f")->other_lab);
    ck_assert(!who("g")->other_lab);
    ck_assert_str_eq(who("lee")->note, "lab4-1.cu: another lab's file, by its name");
}

TEST(blackboard) {
    put("Lab 3_gradebook_as17_attempt_2026-11-20-10-11-12_lab3.cu", "");
    put("Lab 3_gradebook_as17_attempt_2026-11-21-10-11-12_final.cu", "");
    put("Lab 3_gradebook_as17_attempt_2026-11-21-10-11-12.txt", "");
    put("lab3_bq77_attempt_2026-11-21-01-02-03_file.cu", "");
    put("lab3_cr78_attempt_2026-11-21-01-02-03_a.cu", "");
    put("lab3_cr78_attempt_2026-11-21-01-02-03_Lab3.cu", "");
    find(3);
    expect("as17", "as17", "Lab 3_gradebook_as17_attempt_2026-11-21-10-11-12_final.cu");
    expect("bq77", "bq77", "lab3_bq77_attempt_2026-11-21-01-02-03_file.cu");
    expect("cr78", "cr78", "lab3_cr78_attempt_2026-11-21-01-02-03_Lab3.cu");
    became("Lab 3_gradebook_as17_attempt_2026-11-20-10-11-12_lab3.cu", FATE_EARLIER, "as17");
    became("Lab 3_gradebook_as17_attempt_2026-11-21-10-11-12.txt", FATE_RECEIPT, "as17");
    became("lab3_cr78_attempt_2026-11-21-01-02-03_a.cu", FATE_BESIDE, "cr78");
    ck_assert_str_eq(who("as17")->note,
                     "handed in 2 times: the last one counts (2026-11-21-10-11-12)");
    handed_in("as17", "2026-11-21 10:11:12");
    handed_in("bq77", "2026-11-21 01:02:03");
}

/* A user's name may hold "_": nobody becomes somebody else. Receipts know better than names. */
TEST(blackboard_receipts) {
    put("Lab 3_x_17_attempt_2026-11-21-10-11-12_lab3.cu", "");
    put("Lab 3_y_17_attempt_2026-11-21-10-11-12_lab3.cu", "");
    put("Lab 3_z_18_attempt_2026-11-21-10-11-12_lab3.cpp", "");
    put("Lab 3_z_18_attempt_2026-11-21-10-11-12.txt", "Name: Zo\xc3\xab (Z.) Nilsson (z_18)\r\n");
    put("Lab 3_w_19_attempt_2026-11-21-10-11-12.txt", "Nom : W. (w_19)\n");
    put("Lab 3_v_20_attempt_2026-11-21-10-11-12.txt", "Name: Eve (x_17)\n");
    put("Lab 3_u_attempt_2026-11-21-10-11-12_lab3.cpp", "");
    put("Lab 3_u_attempt_2026-11-20-10-11-12_lab3.cu", "");
    find(6);
    expect("Lab 3_x_17", "Lab 3_x_17", "Lab 3_x_17_attempt_2026-11-21-10-11-12_lab3.cu");
    expect("Lab 3_y_17", "Lab 3_y_17", "Lab 3_y_17_attempt_2026-11-21-10-11-12_lab3.cu");
    expect("Zo\xc3\xab (Z.) Nilsson", "z_18", "");
    ck_assert_str_eq(who("Zo\xc3\xab (Z.) Nilsson")->why, "no .cu file, but lab3.cpp");
    expect("W.", "w_19", "");
    expect("20", "20", "");
    expect("u", "u", "Lab 3_u_attempt_2026-11-20-10-11-12_lab3.cu");
    ck_assert_str_eq(who("u")->note, "the attempt of 2026-11-21-10-11-12 holds no .cu file: the "
                                     "one of 2026-11-20-10-11-12 counts");
}

TEST(brightspace) {
    put("100001-2000001 - Ada Lovelace - Oct 3, 2026 1020 AM/lab3.cu", "");
    put("100001-2000001 - Ada Lovelace - Oct 3, 2026 105 PM/lab3.cu", "");
    put("100002-2000001 - 23304308 Jean-Luc Po - 05 March 2026 612 PM/lab3.cu", "");
    put("100003-2000001 - Two - 3 f\xc3\xa9vrier 2026 1612/lab3.cu", "");
    put("100003-2000001 - Two - 4 f\xc3\xa9vrier 2026 1612/lab3.cu", "");
    put("100004-2000001 - Flat - Mar 12, 2026 219 PM - lab3.cu", "");
    put("index.html", "");
    find(4);
    expect("Ada Lovelace", "100001", "100001-2000001 - Ada Lovelace - Oct 3, 2026 105 PM/lab3.cu");
    became("100001-2000001 - Ada Lovelace - Oct 3, 2026 1020 AM", FATE_EARLIER, "Ada Lovelace");
    expect("23304308 Jean-Luc Po", "100002",
           "100002-2000001 - 23304308 Jean-Luc Po - 05 March 2026 612 PM/lab3.cu");
    expect("Two", "100003", NULL);
    expect("Flat", "100004", "100004-2000001 - Flat - Mar 12, 2026 219 PM - lab3.cu");
    became("index.html", FATE_PLATFORMS, NULL);
}

TEST(sakai) {
    put("Lab 3/Lovelace, Ada(ada17)/Submission attachment(s)/lab3.cu", "");
    put("Lab 3/Lovelace, Ada(ada17)/Feedback Attachment(s)/lab3.cu", "");
    put("Lab 3/Lovelace, Ada(ada17)/timestamp.txt", "");
    put("Lab 3/Turing, Alan (A.)(alan)/Submission attachment(s)/", "");
    put("Lab 3/grades.csv", "");
    put("Lab 3/numbered (1)/lab3.cu", "");
    put(".DS_Store", "");
    find(3);
    expect("Lovelace, Ada", "ada17", "Lab 3/Lovelace, Ada(ada17)/Submission attachment(s)/lab3.cu");
    expect("Turing, Alan (A.)", "alan", "");
    expect("numbered (1)", "", "Lab 3/numbered (1)/lab3.cu");
    became("grades.csv", FATE_PLATFORMS, NULL);
}

/* A roster may lie beside the platform's folder. */
TEST(beside_the_roster) {
    put("Lab 3/Ada_101_assignsubmission_file_/lab3.cu", "");
    put("class.csv", "id\n101\n");
    char *roster = xasprintf("%s/class.csv", top);
    const char *const ours[] = {roster, NULL};
    const struct batch_search search = {.folder = top, .lab = &lab, .ours = ours};
    struct text why = {0};
    ck_assert(batch_find(&list, &search, &why) && batch_account(&list, &why));
    expect("Ada", "101", "Lab 3/Ada_101_assignsubmission_file_/lab3.cu");
    free(roster);
}

/* What the platform packed into folders of its own is said to be no student. */
TEST(one_folder_too_deep) {
    put("class/ada/lab3.cu", "");
    put("class/bob/lab3.cu", "");
    find(1);
    ck_assert_ptr_nonnull(strstr(who("class")->note, "/class'"));
}

/* A folder with one student in it is a class of one. */
TEST(one_student) {
    put("ada/lab3.cu", "");
    put("ada/old/lab3.cu", "");
    find(1);
    expect("ada", "", "ada/lab3.cu");
}

/* Platforms and browsers call a .cu file .cu.txt. Nobody vanishes by it. */
TEST(as_text) {
    put("lovelace_12345_678910_lab3.cu", "");
    put("hopper_LATE_12346_678911_lab3.cu.txt", "");
    put("Alan Turing_103_assignsubmission_file_lab3.cu.txt", "");
    put("ada/lab3.cu (1).txt", "");
    put("bob/lab3.cu.txt", "");
    put("bob/lab3.cu", "");
    find(5);
    expect("lovelace", "12345", "lovelace_12345_678910_lab3.cu");
    expect("hopper", "12346", "hopper_LATE_12346_678911_lab3.cu.txt");
    ck_assert_str_eq(who("hopper")->note,
                     "hopper_LATE_12346_678911_lab3.cu.txt is taken as a .cu file");
    expect("Alan Turing", "103", "Alan Turing_103_assignsubmission_file_lab3.cu.txt");
    expect("ada", "", "ada/lab3.cu (1).txt");
    expect("bob", "", "bob/lab3.cu");
}

/* Whatever lies there has a row, or is a system's or the platform's, or the batch's own. */
TEST(everything_is_accounted_for) {
    char *out = xasprintf("%s/results", top);
    const char *const ours[] = {out, NULL};
    const struct batch_search search = {.folder = top, .lab = &lab, .ours = ours};
    struct text why = {0};
    put("ada.cu", "");
    put("bob.cpp", "");
    put("cy.c", "");
    put("dora.cuh", "");
    put("eve.zip", "");
    put("fay.tar.gz", "");
    put("gil/lab3.zip", "");
    put("hal/lab3.cpp", "");
    put(".hidden.cu", "");
    put(".git/config", "");
    put(".DS_Store", "");
    put("__MACOSX/._ada.cu", "");
    put("results/gradebook.csv", "");
    put("grades.csv", "");
    ck_assert(batch_find(&list, &search, &why) && batch_account(&list, &why));
    ck_assert_uint_eq(list.seen, 14);
    ck_assert_uint_eq(list.count, 11);
    static const char *const unknown[] = {"bob.cpp",    "cy.c", "dora.cuh",
                                          ".hidden.cu", ".git", "grades.csv"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        became(unknown[i], FATE_UNKNOWN, unknown[i]);
        ck_assert_int_eq(strncmp(who(unknown[i])->why, "not recognised: ", 16), 0);
    }
    expect("eve", "", "eve.zip");
    expect("fay", "", "fay.tar.gz");
    expect("gil", "", "gil/lab3.zip");
    expect("hal", "", "");
    ck_assert_str_eq(who("hal")->why, "no .cu file, but lab3.cpp");
    became("results", FATE_OURS, NULL);
    became("__MACOSX", FATE_SYSTEMS, NULL);
    free(out);
}

/* A finder that forgets something does not get by unnoticed. */
TEST(what_is_forgotten_is_found) {
    struct text why = {0};
    put("ada.cu", "");
    put("bob.cu", "");
    find(2);
    list.seen++;
    ck_assert(!batch_account(&list, &why));
    ck_assert_ptr_nonnull(strstr(text_get(&why), "a mistake in the grader"));
    list.seen--;
    list.entries[1].row = list.entries[0].row;
    ck_assert(!batch_account(&list, &why));
    list.entries[1].row = 7;
    ck_assert(!batch_account(&list, &why));
    list.entries[1].fate = FATE_COUNT;
    ck_assert(!batch_account(&list, &why));
    text_free(&why);
}

TEST(clones_and_folders) {
    put("lab3-alice/labs/lab3-tiled-square/lab3.cu", "");
    put("lab3-alice/old/lab3.cu", "");
    put("lab3-alice/labs/lab4-tiled-any-size/lab4.cu", "");
    put("lab3-alice/.git/lab3.cu", "");
    put("both/lab3.cu", "");
    put("both/labs/lab3-tiled-square/lab3.cu", "");
    put("copy/lab3.cu", "");
    put("copy/backup/lab3.cu", "");
    put("numbered/lab3 (1).cu", "");
    put("other/lab33.cu", "");
    put("other/lab3x.cu", "");
    put("mac/__MACOSX/lab3.cu", "");
    put("mac/._lab3.cu", "");
    put("empty/", "");
    put("single.cu", "");
    put("notes.txt", "");
    find(9);
    ck_assert_int_eq(who("notes.txt")->state, HANDED_IN_UNKNOWN);
    ck_assert_str_eq(who("notes.txt")->why, "not recognised: notes.txt");
    became("mac", FATE_UNGRADED, "mac");
    became("single.cu", FATE_GRADED, "single");
    expect("lab3-alice", "", "lab3-alice/labs/lab3-tiled-square/lab3.cu");
    expect("both", "", NULL);
    expect("copy", "", "copy/lab3.cu");
    expect("numbered", "", "numbered/lab3 (1).cu");
    expect("other", "", NULL);
    expect("mac", "", "");
    expect("empty", "", "");
    expect("single", "", "single.cu");
}

TEST(only_ordinary_files) {
    char *path = xasprintf("%s/pipe.cu", top), *link_ = xasprintf("%s/a/lab3.cu", top);
    char *inner = xasprintf("%s/b/lab3.cu", top);
    put("a/", "");
    put("b/", "");
    put("folder.cu/", "");
    ck_assert_int_eq(mkfifo(path, 0666), 0);
    ck_assert_int_eq(mkfifo(inner, 0666), 0);
    ck_assert_int_eq(symlink("/etc/passwd", link_), 0);
    find(4);
    ck_assert_str_eq(who("b")->why, "no .cu file, but lab3.cu (not an ordinary file)");
    free(inner);
    expect("a", "", "");
    ck_assert_str_eq(who("a")->why, "no .cu file, but lab3.cu (a link)");
    expect("folder", "", "");
    ck_assert_str_eq(who("pipe.cu")->why,
                     "not recognised: pipe.cu, which is neither a file nor a folder");
    free(path);
    free(link_);
}

/* Nobody is said to have handed in nothing whose file lies where nobody looks for it. */
TEST(what_is_not_looked_at_is_told) {
    put("deep/1/2/3/4/5/6/7/8/lab3.cu", "");
    put("hidden/.lab3.cu", "");
    put("tools/.git/lab3.cu", "");
    put("mac/._lab3.cu", "");
    find(4);
    expect("deep", "", "");
    ck_assert_str_eq(who("deep")->why,
                     "no .cu file, but 1/2/3/4/5/6/7/8 (more than 6 folders down)");
    expect("hidden", "", "");
    ck_assert_str_eq(who("hidden")->why, "no .cu file, but .lab3.cu (hidden)");
    ck_assert_str_eq(who("tools")->why, "nothing handed in: an empty folder");
    ck_assert_str_eq(who("mac")->why, "nothing handed in: an empty folder");
}

TEST(what_cannot_be_read_is_told) {
    const bool root = geteuid() == 0; /* whom no mode stops */
    ck_assert(!root || (chown(top, 65534, (gid_t)-1) == 0 && seteuid(65534) == 0));
    put("closed/lab3.cu", "");
    put("within/sub/lab3.cu", "");
    char *closed = xasprintf("%s/closed", top), *sub = xasprintf("%s/within/sub", top);
    ck_assert(chmod(closed, 0) == 0 && chmod(sub, 0) == 0);
    find(2);
    ck_assert(chmod(closed, 0700) == 0 && chmod(sub, 0700) == 0);
    ck_assert(!root || seteuid(0) == 0);
    expect("closed", "", "");
    ck_assert_str_eq(who("closed")->why,
                     "no .cu file, but closed (cannot be read: Permission denied)");
    ck_assert_str_eq(who("within")->why,
                     "no .cu file, but sub (cannot be read: Permission denied)");
    free(closed);
    free(sub);
}

TEST(gradescope) {
    put("submission_11/lab3.cu", "");
    put("submission_12/lab3.cu", "");
    put("submission_metadata.yml", "---\n"
                                   "submission_11:\n"
                                   "  :submitters:\n"
                                   "  - :name: Grace Hopper\n"
                                   "    :sid: '17'\n"
                                   "  - :name: \"Mary Jackson\"\n"
                                   "    :sid: '18'\n"
                                   "  :created_at: 2026-11-20 10:00:00.250000000 Z\n"
                                   "  :results:\n"
                                   "    :created_at: 2026-11-22 10:00:00\n"
                                   "    :tests:\n"
                                   "    - :name: Somebody Else\n"
                                   "      :output: |\n"
                                   "        :submitters:\n"
                                   "        - :name: Eve\n"
                                   "submission_12:\n"
                                   "  :submitters:\n"
                                   "  - :name: Alan Turing\n"
                                   "    :sid:\n");
    find(2);
    expect("Grace Hopper and Mary Jackson", "17 and 18", "submission_11/lab3.cu");
    expect("Alan Turing", "", "submission_12/lab3.cu");
    handed_in("Grace Hopper and Mary Jackson", "2026-11-20 10:00:00.250000000 Z");
    handed_in("Alan Turing", "");
    became("submission_metadata.yml", FATE_PLATFORMS, NULL);
}

/* Names become parts of paths of ours. */
TEST(no_name_leads_elsewhere) {
    static const char *const names[] = {"..", ".", "/", "../x", "a/b", "a\nb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *safe = batch_file_name(names[i]);
        ck_assert(*safe != '.' && !strchr(safe, '/') && !strchr(safe, '\n'));
        ck_assert_str_ne(safe, names[i]);
        free(safe);
    }
    char *same = batch_file_name("Zo\xc3\xab O'Neil_5");
    ck_assert_str_eq(same, "Zo\xc3\xab O'Neil_5");
    free(same);
}

/* Results are files called after names: no two entries may share one. */
TEST(names_are_unique) {
    put("ada_5/lab3.cu", "");
    put("ada_5_678_lab3.cu", "");
    find(2);
    ck_assert_str_ne(list.of[0].name, list.of[1].name);
}

TEST(attempts) {
    ck_assert_int_lt(name_compare_attempts("9", "10"), 0);
    ck_assert_int_gt(name_compare_attempts("2026-11-21-00-00-00", "2026-11-20-23-59-59"), 0);
    ck_assert_int_eq(name_compare_attempts("", ""), 0);
    ck_assert(name_is_lab("lab3-12.cu", "lab3") && name_is_lab("Lab3.CU", "lab3"));
    ck_assert(!name_is_lab("lab31.cu", "lab3") && !name_is_lab("lab3-.txt", "lab3"));
    ck_assert(!name_is_lab("lab3-x.cu", "lab3") && !name_is_lab("lab", "lab3"));
    ck_assert(name_is_lab("lab3.cu.txt", "lab3") && name_is_lab("lab3-1.cu-2.txt", "lab3"));
    ck_assert(name_kind_of(".cu") == NAME_OTHER && name_kind_of("a.Cu") == NAME_SOURCE);
    ck_assert(name_kind_of("a.cu.TXT") == NAME_SOURCE_AS_TEXT &&
              name_kind_of("cu.txt") == NAME_OTHER);
    ck_assert(name_kind_of("a.TGZ") == NAME_ARCHIVE && name_kind_of("a.gz") == NAME_OTHER);
}

int main(void) {
    return run_tests(
        (struct suite){.name = "batch_find", .set_up = make_top, .tear_down = remove_top});
}
