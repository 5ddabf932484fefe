/*
 * pseudonym.c: names by which nobody can be told who has no key: HMAC-SHA-256, from nettle.
 *
 *     pseudonym KEYFILE <IDENTITIES
 *
 * reads identities that end in a zero byte and prints a line for each: the first 64 bits as 16
 * hexadecimal digits. The key is the file's one line, 64 hexadecimal digits. A file that is not
 * there is made, with a new key, for its owner's eyes only; one that others may read, or that is no
 * key, is refused. Status 0; 1: what it printed is the reason, a line.
 *
 *     printf 'Ada Lovelace\n17' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$(cat KEYFILE)
 *
 * gives the same digits to whoever has the key.
 */
#include "grading/src/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_BYTES = 32, NAME_BYTES = 8 };

__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    exit(1);
}

static void make_key(const char *path) {
    unsigned char key[KEY_BYTES];
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        return;
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f || getrandom(key, sizeof key, 0) != (ssize_t)sizeof key)
        refuse("cannot make the key %s: %s", path, strerror(errno));
    for (size_t i = 0; i < sizeof key; i++)
        fprintf(f, "%02x", key[i]);
    fputc('\n', f);
    if (fclose(f) != 0)
        refuse("cannot write the key %s: %s", path, strerror(errno));
}

static void read_key(unsigned char key[KEY_BYTES], const char *path) {
    char line[2 * KEY_BYTES + 2] = "";
    struct stat s;
    FILE *f = fopen(path, "re");
    if (!f || fstat(fileno(f), &s) != 0)
        refuse("cannot read the key %s: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode))
        refuse("the key %s is not a file", path);
    if (s.st_mode & 077)
        refuse("others may read the key %s: run chmod 600 on it if nobody has read it, else make a "
               "new one",
               path);
    const size_t n = fread(line, 1, sizeof line, f);
    fclose(f);
    if (n != sizeof line - 1 || line[n - 1] != '\n' ||
        strspn(line, "0123456789abcdef") != (size_t)2 * KEY_BYTES)
        refuse("%s is not a key: name a file that does not exist, and the grader makes it", path);
    for (size_t i = 0; i < KEY_BYTES; i++) {
        const char two[3] = {line[2 * i], line[2 * i + 1], '\0'};
        key[i] = (unsigned char)strtoul(two, NULL, 16);
    }
}

int main(int argc, char **argv) {
    unsigned char key[KEY_BYTES], name[NAME_BYTES];
    if (argc != 2) {
        fputs("usage: pseudonym KEYFILE <IDENTITIES\n", stderr);
        return 2;
    }
    make_key(argv[1]);
    read_key(key, argv[1]);
    struct hmac_sha256_ctx hash;
    hmac_sha256_set_key(&hash, sizeof key, key);
    for (int c; (c = getchar()) != EOF;) {
        const uint8_t byte = (uint8_t)c;
        if (byte) {
            hmac_sha256_update(&hash, 1, &byte);
            continue;
        }
        hmac_sha256_digest(&hash, sizeof name, name); /* and begins anew */
        for (size_t i = 0; i < sizeof name; i++)
            printf("%02x", name[i]);
        putchar('\n');
    }
    return fflush(stdout) == 0 ? 0 : 2;
}
