/*
 * facts.c: what an instructor's file says of a term's course, for the program that writes it.
 *
 *     course-facts VARIANT
 *
 * reads the file and prints a fact a line (variant.h). In the kit's folder. Status 0; 2: it is
 * refused, and a line says where and why.
 */
#include "grading/src/lab/variant.h"

#include <stdio.h>

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: course-facts VARIANT\n", stderr);
        return 2;
    }
    struct labs labs = labs_open(".");
    struct variant v;
    struct text why = {0}, facts = {0};
    const bool good = variant_read(&v, &labs, argv[1], &why);
    if (good) {
        variant_facts(&facts, &v);
        fputs(text_get(&facts), stdout);
        variant_free(&v);
    } else {
        fprintf(stderr, "course: %s\n", text_get(&why));
    }
    text_free(&facts);
    text_free(&why);
    labs_free(&labs);
    return good ? 0 : 2;
}
