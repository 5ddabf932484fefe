/*
 * wire.h: what the debugger's front end and the program that is debugged say to each other, over
 * one socket that the program inherits (VGPU_DEBUG holds its number).
 *
 *     1 byte kind, 4 bytes length (the lowest first), that many bytes of UTF-8
 *
 *     program to front end   'o'  text to show; the program waits for an 's'
 *                            'e'  the same: what was wrong with a command
 *                            'k'  the commands that make the breakpoints and displays again
 *                            'p'  the program is held, and waits for a command
 *                            'g'  it goes on
 *                            'w'  how a line's last word may go on, one a line
 *                            'a'  the answer to a question, in JSON (asked.c)
 *                            'f'  a fact that nobody asked for, in JSON (told.c)
 *     front end to program   'c'  a command
 *                            'j'  an editor's question ('a' answers, then 'p' comes)
 *                            's'  the text is shown
 *                            'q'  a line so far: how may it go on? ('w' answers, no 'p' comes)
 *
 * Contract: the one whose partner is gone ends: the program dies with its front end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { DBG_TEXT_MAX = 1 << 24 };

static inline bool dbg_send_all(int fd, const void *bytes, size_t len) {
    const char *at = bytes;
    while (len > 0) {
        const ssize_t n = send(fd, at, len, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static inline bool dbg_receive_all(int fd, void *bytes, size_t len) {
    char *at = bytes;
    while (len > 0) {
        const ssize_t n = recv(fd, at, len, 0);
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

/* False: the partner is gone. A signal interrupts neither: SA_RESTART. */
static inline bool dbg_say(int fd, char kind, const char *text, size_t len) {
    const uint8_t head[5] = {(uint8_t)kind, (uint8_t)len, (uint8_t)(len >> 8), (uint8_t)(len >> 16),
                             (uint8_t)(len >> 24)};
    return len <= DBG_TEXT_MAX && dbg_send_all(fd, head, sizeof head) &&
           dbg_send_all(fd, text, len);
}

/* The text is the caller's to free, and ends with a zero byte. NULL: the partner is gone. */
static inline char *dbg_hear(int fd, char *kind, size_t *len) {
    uint8_t head[5];
    if (!dbg_receive_all(fd, head, sizeof head))
        return NULL;
    *kind = (char)head[0];
    *len = (size_t)head[1] | (size_t)head[2] << 8 | (size_t)head[3] << 16 | (size_t)head[4] << 24;
    char *text = *len <= DBG_TEXT_MAX ? malloc(*len + 1) : NULL;
    if (text == NULL || !dbg_receive_all(fd, text, *len)) {
        free(text);
        return NULL;
    }
    text[*len] = '\0';
    return text;
}
