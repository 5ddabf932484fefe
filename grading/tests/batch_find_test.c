/* batch_find_test.c: whose submission is whose in a folder as platforms give it, and which file
 * counts. */
#include "grading/src/batch/batch.h"
#include "grading/src/batch/batch_names.h"

#include <check.h>
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
    ck_assert_msg(batch_find(&list, top, &lab, &why), "%s", text_get(&why));
    ck_assert_uint_eq(list.count, count);
}

static const struct entry_in *who(const char *student) {
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.of[i].student, student) == 0)
            return &list.of[i];
    ck_abort_msg("nobody is called %s", student);
}

/* The student has this id and handed in this file; NULL: nobody can tell which; "": none. */
static void expect(const char *student, const char *id, const char *file) {
    const struct entry_in *e = who(student);
    ck_assert_str_eq(e->id, id);
    ck_assert_int_eq(e->state, !file ? HANDED_IN_SEVERAL : !*file ? HANDED_IN_NONE : HANDED_IN);
    if (file && *file)
        ck_assert_str_eq(e->path + strlen(top) + 1, file);
    else
        ck_assert_ptr_null(e->path);
}

START_TEST(moodle) {
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
END_TEST

START_TEST(canvas) {
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
END_TEST

START_TEST(blackboard) {
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
}
END_TEST

START_TEST(clones_and_folders) {
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
    find(8);
    expect("lab3-alice", "", "lab3-alice/labs/lab3-tiled-square/lab3.cu");
    expect("both", "", NULL);
    expect("copy", "", "copy/lab3.cu");
    expect("numbered", "", "numbered/lab3 (1).cu");
    expect("other", "", NULL);
    expect("mac", "", "");
    expect("empty", "", "");
    expect("single", "", "single.cu");
}
END_TEST

START_TEST(only_ordinary_files) {
    char *path = xasprintf("%s/pipe.cu", top), *link_ = xasprintf("%s/a/lab3.cu", top);
    put("a/", "");
    put("folder.cu/", "");
    ck_assert_int_eq(mkfifo(path, 0666), 0);
    ck_assert_int_eq(symlink("/etc/passwd", link_), 0);
    find(2);
    expect("a", "", "");
    expect("folder", "", "");
    free(path);
    free(link_);
}
END_TEST

START_TEST(gradescope) {
    put("submission_11/lab3.cu", "");
    put("submission_12/lab3.cu", "");
    put("submission_metadata.yml", "---\n"
                                   "submission_11:\n"
                                   "  :submitters:\n"
                                   "  - :name: Grace Hopper\n"
                                   "    :sid: '17'\n"
                                   "  - :name: \"Mary Jackson\"\n"
                                   "    :sid: '18'\n"
                                   "  :created_at: 2026-11-20 10:00:00\n"
                                   "  :results:\n"
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
}
END_TEST

/* Results are files called after names: no two entries may share one. */
START_TEST(names_are_unique) {
    put("ada_5/lab3.cu", "");
    put("ada_5_678_lab3.cu", "");
    find(2);
    ck_assert_str_ne(list.of[0].name, list.of[1].name);
}
END_TEST

START_TEST(attempts) {
    ck_assert_int_lt(name_compare_attempts("9", "10"), 0);
    ck_assert_int_gt(name_compare_attempts("2026-11-21-00-00-00", "2026-11-20-23-59-59"), 0);
    ck_assert_int_eq(name_compare_attempts("", ""), 0);
    ck_assert(name_is_lab("lab3-12.cu", "lab3") && name_is_lab("Lab3.CU", "lab3"));
    ck_assert(!name_is_lab("lab31.cu", "lab3") && !name_is_lab("lab3-.txt", "lab3"));
    ck_assert(!name_is_lab("lab3-x.cu", "lab3") && !name_is_lab("lab", "lab3"));
    ck_assert(!name_is_source(".cu") && name_is_source("a.Cu"));
}
END_TEST

int main(void) {
    TCase *folders = tcase_create("folders");
    tcase_add_checked_fixture(folders, make_top, remove_top);
    tcase_add_test(folders, moodle);
    tcase_add_test(folders, canvas);
    tcase_add_test(folders, blackboard);
    tcase_add_test(folders, clones_and_folders);
    tcase_add_test(folders, only_ordinary_files);
    tcase_add_test(folders, gradescope);
    tcase_add_test(folders, names_are_unique);
    tcase_add_test(folders, attempts);
    Suite *s = suite_create("batch_find");
    suite_add_tcase(s, folders);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
