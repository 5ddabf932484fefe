/*
 * declarations.h: how the names in a source text are declared.
 *
 * This is no compiler: it sees the words in front of a name, in any block of the file, and no
 * types. What is declared by a macro or in a header is not declared for it. So whoever asks must be
 * able to live with "no".
 */
#pragma once

#include "grading/src/diagnose/tokens.h"

/* Is token i the name of a function that is declared or defined here: NAME ( ... ) { or ; with a
 * type in front? */
bool declares_function(const struct tokens *t, int i, bool *has_body);
/* The function of this name; -1 when the file has none. */
int declared_function(const struct tokens *t, const struct token *name);
/* Does `word` stand in front of the name that is declared at token i? */
bool declared_with(const struct tokens *t, int i, const char *word);
/* Is this the name of a kernel? Not for -1. */
bool declared_kernel(const struct tokens *t, int i);
/* The name of the function whose body holds token i; -1 outside of all. */
int declared_around(const struct tokens *t, int i);

/* Is the name declared as a pointer to numbers, "float *C", and nowhere as something that takes two
 * indices? *constant: to numbers that may not be changed. */
bool declared_pointer(const struct tokens *t, const struct token *name, bool *constant);
/* Is it declared somewhere as a pointer to numbers without const? */
bool declared_changeable(const struct tokens *t, const struct token *name);
/* Is it declared as a number, "float alpha"? */
bool declared_number(const struct tokens *t, const struct token *name);
/* Does a type stand in front of the name at token i? In "int x, y" this is so for x only. */
bool declares_name(const struct tokens *t, int i);
/* Is the name of token i that of a variable or a parameter, anywhere? */
bool declared_variable(const struct tokens *t, int i);
/* A word of C that no declaration names. */
bool declared_keyword(const struct tokens *t, int i);
/* Is the name of token i declared so anywhere? */
bool declared_anywhere(const struct tokens *t, int i);
/* Does the source #define it? */
bool declared_macro(const char *source, const struct token *name);
