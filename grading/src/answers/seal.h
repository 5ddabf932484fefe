/*
 * seal.h: answers and hints that can be recognised and opened, but not read.
 *
 * An answer's hash is yescrypt (by the system's crypt) of its canonical spelling, with a salt made
 * of the place it stands in: slow, and needing 16 MB, for every try. Of the hash only what is
 * derived from it stands in the file. A seal is
 *
 *     tag       11 characters: does this seal belong to that answer?
 *     contents  22 characters, readable with the hash only: which hint, and its key;
 *               or that the answer is right
 *
 * and a hint is a text that its key opens. So right answers, mistakes with a hint, and what the
 * hint says, all look alike to who has not found the answer.
 *
 * What this is worth: nobody stumbles over an answer, and no formula can be read off. It does not
 * keep out who tries all answers that are possible: that takes as long as there are answers, times
 * the hash. docs/answers.md has the figures.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    SEAL_TAG = 11,
    SEAL_KEY = 21, /* characters of a hint's key */
    SEAL_LENGTH = SEAL_TAG + 1 + SEAL_KEY,
    SEAL_HASH = 44,  /* of an answer's hash, with its NUL */
    SEAL_TEXT = 300, /* bytes of a hint at most */
    SEAL_TEXT_SEALED = SEAL_TEXT / 3 * 4 + 8,
    SEAL_RIGHT = 0, /* what a right answer's seal holds; else 1 + number of the hint */
    SEAL_COST_MOST = 8,
};

/* The hash of an answer's spelling at a place. cost: 1 to SEAL_COST_MOST, each step twice as slow.
 * False: this system's crypt cannot. */
bool seal_hash(char hash[SEAL_HASH], const char *place, int cost, const char *spelling);

/* Opens a seal with the hash of what a student answered. False: it belongs to another answer. */
bool seal_open(const char *seal, const char hash[SEAL_HASH], int *holds, char key[SEAL_KEY + 1]);

/* Opens a hint. False: the key is another's, or it is no text. */
bool seal_open_text(char text[SEAL_TEXT + 1], const char *sealed, const char key[SEAL_KEY + 1]);

/* Is it made of the letters, digits, '.' and '/' that seals consist of? */
bool seal_looks_right(const char *seal, size_t length);

/* For instructors: the same backwards. A hint's key is made of the place and the hint. */
bool seal_make(char seal[SEAL_LENGTH + 1], const char hash[SEAL_HASH], int holds, const char *key);
bool seal_make_key(char key[SEAL_KEY + 1], const char *place, const char *text);
bool seal_make_text(char sealed[SEAL_TEXT_SEALED], const char *text, const char key[SEAL_KEY + 1]);

/* A part of the book's answer to a question of the handouts, "Q3.8". No secret opens it: it is
 * hidden from who reads the file, and from nobody else. Texts are UTF-8, SEAL_TEXT bytes a part. */
bool seal_make_book(char sealed[SEAL_TEXT_SEALED], const char *text, const char *question,
                    int part);
bool seal_open_book(char text[SEAL_TEXT + 1], const char *sealed, const char *question, int part);
