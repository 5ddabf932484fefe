/*
 * compile_rules.h: what the rules about compile errors share (see compile_cause.h).
 *
 *     compile_signs.c   what is typed wrong: signs, brackets, directives
 *     compile_names.c   names that the compiler does not know, or knows twice
 *     compile_calls.c   calls and launches: how many arguments, of which types
 *     compile_cause.c   the rules in their order
 */
#pragma once

#include "grading/src/diagnose/compile_cause.h"
#include "grading/src/diagnose/declarations.h"

struct view {
    const struct compile_error *e;
    struct tokens t;
    int at;         /* the token at the error, or the first one behind it */
    int begin, end; /* the statement around it */
    struct text *to;
};

/* For %.*s. */
#define SAY(v, i) (int)(v)->t.of[i].length, (v)->t.of[i].text

/* Holds it? Then the view's text has the sentence. A rule that is not sure is silent. */
typedef bool compile_rule(struct view *v);

/* The first token of each argument of the call whose ( is token `open`, and how many there are; the
 * one behind the last is where the next would begin. */
enum { ARGUMENTS = 16 };
int compile_arguments(const struct tokens *t, int open, int first[ARGUMENTS + 1]);

/* Does the compiler point at the token v->at itself? Not where it tells no column. */
bool compile_points(const struct view *v);

/* compile_signs.c */
compile_rule compile_curly_quotes, compile_quote_missing, compile_include_bare,
    compile_include_missing, compile_open_comment, compile_macro_text, compile_semicolon_missing,
    compile_condition_split, compile_no_operator, compile_two_operands, compile_else_alone,
    compile_decimal_comma, compile_sizeof_type, compile_brackets, compile_braces,
    compile_for_with_commas, compile_nested_function, compile_comma_index;

/* compile_names.c */
compile_rule compile_macro_hides, compile_header_missing, compile_misspelt, compile_check_unknown,
    compile_check_bare, compile_index_without_member, compile_no_such_member, compile_used_before,
    compile_declared_twice, compile_function_type, compile_brought_along, compile_returns_value,
    compile_not_declared, compile_no_such_function;

/* compile_calls.c */
compile_rule compile_checked_launch, compile_template_argument, compile_template_missing,
    compile_api_arguments, compile_void_pointer, compile_const_target, compile_handle_address,
    compile_checks_wrong_kind, compile_cublas_types, compile_launch_sizes, compile_dim3_brackets,
    compile_shared_value, compile_malloc_cast, compile_stores_into_pointer, compile_call_arguments,
    compile_argument_order, compile_argument_kind, compile_vector_index;
