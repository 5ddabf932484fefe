/* seal.c: see seal.h. Everything secret is a string of six-bit characters, as crypt makes them:
 * they are combined character by character. */
#include "grading/src/answers/seal.h"

#include "grading/src/base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<crypt.h>)
#include <crypt.h>
#endif
/* Only libxcrypt has both yescrypt and this way to ask for a salt. */
#ifdef CRYPT_GENSALT_OUTPUT_SIZE
#define HAVE_CRYPT 1
#endif

static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
enum { BLOCK = 43, PHRASE = 500 }; /* crypt takes 511 bytes at most */

static int value_of(char c) {
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* a and b combined; twice is none. */
static char mixed(char a, char b) {
    return digits[(value_of(a) ^ value_of(b)) & 63];
}

bool seal_looks_right(const char *seal, size_t length) {
    return strlen(seal) == length && strspn(seal, digits) == length;
}

#ifdef HAVE_CRYPT

/* The last 43 characters of what crypt makes: the hash itself. */
static bool crypt_end(char end[BLOCK + 1], const char *phrase, const char *setting) {
    struct crypt_data *data = xcalloc(1, sizeof *data);
    const char *made = crypt_r(phrase, setting, data);
    const size_t length = made ? strlen(made) : 0;
    const bool good = made && made[0] == '$' && length > BLOCK;
    snprintf(end, BLOCK + 1, "%s", good ? made + length - BLOCK : "");
    free(data);
    return good && seal_looks_right(end, BLOCK);
}

/* 16 bytes that differ from place to place: a salt is no secret. */
static void salt_of(char salt[16], const char *place) {
    for (int half = 0; half < 2; half++) {
        uint64_t sum = half ? UINT64_C(0x84222325cbf29ce4) : UINT64_C(0xcbf29ce484222325);
        for (const char *c = place; *c; c++)
            sum = (sum ^ (uint64_t)(unsigned char)*c) * UINT64_C(0x100000001b3);
        memcpy(salt + (ptrdiff_t)8 * half, &sum, 8);
    }
}

bool seal_hash(char hash[SEAL_HASH], const char *place, int cost, const char *spelling) {
    char salt[16], setting[CRYPT_GENSALT_OUTPUT_SIZE], phrase[PHRASE];
    hash[0] = '\0';
    if (cost < 1 || cost > SEAL_COST_MOST)
        return false;
    salt_of(salt, place);
    if (!crypt_gensalt_rn("$y$", (unsigned long)cost, salt, sizeof salt, setting, sizeof setting))
        return false;
    snprintf(phrase, sizeof phrase, "%.120s:%.260s", place, spelling);
    return crypt_end(hash, phrase, setting);
}

/* A block of characters that only who has the secret can make. It is random already: this needs no
 * slow hash, and takes the least that crypt has. */
static bool derive(char block[BLOCK + 1], const char *secret, const char *purpose, int number) {
    char phrase[PHRASE];
    snprintf(phrase, sizeof phrase, "%.8s:%d:%.470s", purpose, number, secret);
    return crypt_end(block, phrase, "$5$rounds=1000$matmul");
}

#else

bool seal_hash(char hash[SEAL_HASH], const char *place, int cost, const char *spelling) {
    (void)place, (void)cost, (void)spelling;
    hash[0] = '\0';
    return false;
}

static bool derive(char block[BLOCK + 1], const char *secret, const char *purpose, int number) {
    (void)secret, (void)purpose, (void)number;
    block[0] = '\0';
    return false;
}

#endif

/* ---- Seals ---- */

bool seal_make(char seal[SEAL_LENGTH + 1], const char hash[SEAL_HASH], int holds, const char *key) {
    char block[BLOCK + 1];
    seal[0] = '\0';
    if (!derive(block, hash, "seal", 0) || holds < 0 || holds > 63)
        return false;
    memcpy(seal, block, SEAL_TAG);
    seal[SEAL_TAG] = mixed(block[SEAL_TAG], digits[holds]);
    for (int i = 0; i < SEAL_KEY; i++) /* a right answer's: '.', which is zero */
        seal[SEAL_TAG + 1 + i] = mixed(block[SEAL_TAG + 1 + i], key ? key[i] : '.');
    seal[SEAL_LENGTH] = '\0';
    return true;
}

bool seal_open(const char *seal, const char hash[SEAL_HASH], int *holds, char key[SEAL_KEY + 1]) {
    char block[BLOCK + 1];
    if (!seal_looks_right(seal, SEAL_LENGTH) || !derive(block, hash, "seal", 0) ||
        memcmp(seal, block, SEAL_TAG) != 0)
        return false;
    *holds = value_of(mixed(block[SEAL_TAG], seal[SEAL_TAG]));
    for (int i = 0; i < SEAL_KEY; i++)
        key[i] = mixed(block[SEAL_TAG + 1 + i], seal[SEAL_TAG + 1 + i]);
    key[SEAL_KEY] = '\0';
    return true;
}

/* ---- Hints ---- */

bool seal_make_key(char key[SEAL_KEY + 1], const char *place, const char *text) {
    char block[BLOCK + 1], secret[PHRASE];
    snprintf(secret, sizeof secret, "%.120s:%.300s", place, text);
    const bool good = derive(block, secret, "key", 0);
    snprintf(key, SEAL_KEY + 1, "%.*s", SEAL_KEY, block);
    return good;
}

/* Puts the key's stream over text, character by character. */
static bool stream(char *characters, size_t count, const char *key) {
    char block[BLOCK + 1];
    for (size_t i = 0; i < count; i++) {
        if (i % BLOCK == 0 && !derive(block, key, "hint", (int)(i / BLOCK)))
            return false;
        characters[i] = mixed(characters[i], block[i % BLOCK]);
    }
    return true;
}

bool seal_make_text(char sealed[SEAL_TEXT_SEALED], const char *text, const char key[SEAL_KEY + 1]) {
    size_t length = strlen(text), at = 0;
    if (length == 0 || length > SEAL_TEXT)
        return false;
    for (size_t i = 0; i < length; i += 3) { /* three bytes, four characters */
        uint32_t three = 0;
        for (size_t b = 0; b < 3; b++)
            three |= (uint32_t)(i + b < length ? (unsigned char)text[i + b] : 0) << (8 * b);
        for (int c = 0; c < 4; c++)
            sealed[at++] = digits[three >> (6 * c) & 63];
    }
    sealed[at] = '\0';
    return stream(sealed, at, key);
}

/* The text of a sealed one, whatever bytes it has. */
static bool open_bytes(char text[SEAL_TEXT + 1], const char *sealed, const char key[SEAL_KEY + 1]) {
    char plain[SEAL_TEXT_SEALED];
    const size_t length = strlen(sealed);
    text[0] = '\0';
    if (length == 0 || length % 4 || length > SEAL_TEXT / 3 * 4 ||
        !seal_looks_right(sealed, length) || !seal_looks_right(key, SEAL_KEY))
        return false;
    memcpy(plain, sealed, length + 1);
    if (!stream(plain, length, key))
        return false;
    size_t at = 0;
    for (size_t i = 0; i < length; i += 4) {
        uint32_t three = 0;
        for (int c = 0; c < 4; c++)
            three |= (uint32_t)value_of(plain[i + (size_t)c]) << (6 * c);
        for (int b = 0; b < 3; b++)
            text[at++] = (char)(three >> (8 * b) & 255);
    }
    text[at] = '\0';
    return text[0] != '\0';
}

bool seal_open_text(char text[SEAL_TEXT + 1], const char *sealed, const char key[SEAL_KEY + 1]) {
    if (!open_bytes(text, sealed, key))
        return false;
    for (const char *c = text; *c; c++) /* hints are of printable ASCII */
        if (*c < ' ' || *c > '~')
            return false;
    return true;
}

/* ---- The book ---- */

/* What anybody can make: it hides a text from the eye, and from nobody who looks here. */
static bool book_key(char key[SEAL_KEY + 1], const char *question, int part) {
    char place[64];
    snprintf(place, sizeof place, "%.40s/%d", question, part);
    return seal_make_key(key, place, "book");
}

bool seal_make_book(char sealed[SEAL_TEXT_SEALED], const char *text, const char *question,
                    int part) {
    char key[SEAL_KEY + 1];
    return book_key(key, question, part) && seal_make_text(sealed, text, key);
}

bool seal_open_book(char text[SEAL_TEXT + 1], const char *sealed, const char *question, int part) {
    char key[SEAL_KEY + 1];
    return book_key(key, question, part) && open_bytes(text, sealed, key);
}
