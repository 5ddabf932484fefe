/*
 * tokens.h: a source text as the words it is made of, each with its place.
 *
 * Comments and directives (#include, #define) are left out; a text between quotes is one token. No
 * macro is expanded and nothing is looked up: who asks gets what a person typed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum token_kind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_MARK };

struct token {
    enum token_kind kind;
    const char *text; /* in the source; not terminated */
    size_t length;
    int line, column; /* of its first character, from 1 */
    int depth;        /* so many ( are open in front of it, since the last brace */
};

struct tokens {
    struct token *of;
    int count;
    bool uneven; /* a directive may hold or skip braces: #if, or one in a #define */
};

/* The tokens of a NUL-terminated source, which must outlive them. tokens_free them. <<< and >>>
 * are marks of their own. */
struct tokens tokens_read(const char *source);
void tokens_free(struct tokens *t);

/* Is token i this word or mark? False for any i outside. */
bool token_is(const struct tokens *t, int i, const char *word);
bool token_is_name(const struct tokens *t, int i);
bool tokens_equal(const struct token *a, const struct token *b);

/* The mark that closes the (, [ or { at i; the number of tokens when none does. */
int token_closing(const struct tokens *t, int i);

/* The first token of the statement around i, and the first one behind it: statements end at {, }
 * and a ; that stands in no round brackets. */
int token_statement(const struct tokens *t, int i);
int token_statement_end(const struct tokens *t, int i);
/* Does token i stand between the brackets of NAME ( ... ), and no for's? */
bool token_in_call(const struct tokens *t, int i);
/* The last token of the body that begins at i, behind for (...): a block's }, or a statement's ;
 * also where the body is another loop or if. */
int token_body_end(const struct tokens *t, int i);
