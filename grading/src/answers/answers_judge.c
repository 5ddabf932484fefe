/* answers_judge.c: judges answers by their hashes; see answers.h. */
#include "grading/src/answers/answers.h"
#include "grading/src/answers/canonical.h"
#include "grading/src/answers/seal.h"
#include "grading/src/base/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *answer_verdict_name(enum answer_verdict v) {
    static const char *const names[] = {"right", "wrong", "no answer", "unreadable", "not judged"};
    return names[v];
}

static void verdict(struct answer_result *r, enum answer_verdict v, const char *hint) {
    r->verdict = v;
    snprintf(r->hint, sizeof r->hint, "%s", hint);
}

/* Looks for a seal that the answer's hash opens. None does: wrong, in a way nobody expected. */
static void unseal(struct answer_result *r, const struct sealed_blank *s, const char *hash) {
    char key[SEAL_KEY + 1], hint[SEAL_TEXT + 1];
    int holds;
    verdict(r, ANSWER_WRONG, r->blank->hint);
    for (size_t i = 0; i < s->count; i++) {
        if (!seal_open(s->seals[i], hash, &holds, key))
            continue;
        if (holds == SEAL_RIGHT)
            verdict(r, ANSWER_RIGHT, "");
        else if (holds <= (int)r->blank->hint_count &&
                 seal_open_text(hint, r->blank->hints[holds - 1], key))
            verdict(r, ANSWER_WRONG, hint);
        return;
    }
}

void answer_judge(struct answer_result *r, const struct question_set *set, size_t question,
                  size_t blank, const char *student, uint64_t seed, const char *given) {
    const struct question *q = &set->all[question];
    const struct blank *b = &q->blanks[blank];
    const struct variant *v = question_variant(set, q, student, seed);
    char spelling[CANONICAL], why[CANONICAL_WHY], place[SEAL_PLACE], hash[SEAL_HASH];
    *r = (struct answer_result){.question = q, .blank = b, .given = given ? given : ""};
    if (!*r->given) {
        verdict(r, ANSWER_NONE, "");
        return;
    }
    const enum canonical_state state =
        canonical_answer(q, b, v, &v->blanks[blank], r->given, spelling, why);
    if (state != CANONICAL_OK) {
        verdict(r, state == CANONICAL_NOWHERE ? ANSWER_WRONG : ANSWER_UNREADABLE, why);
        return;
    }
    question_place(place, set->edition, q->key,
                   question_sealed_as(q, (size_t)(v - q->variants), blank), b->name);
    if (seal_hash(hash, place, set->cost, spelling))
        unseal(r, &v->blanks[blank], hash);
    else
        verdict(r, ANSWER_NOT_JUDGED,
                "This machine's libcrypt does not know yescrypt: install libxcrypt.");
}

void answers_judge(struct answer_sheet *s, uint64_t seed) {
    const struct question_set *q = &s->questions;
    s->results = xcalloc(questions_blanks(q) + 1, sizeof *s->results);
    s->count = s->right = 0;
    s->judged = true;
    progress_start((int)questions_blanks(q), PROGRESS_PATIENCE);
    for (size_t i = 0; i < q->count; i++)
        for (size_t b = 0; b < q->all[i].blank_count; b++) {
            const struct given_answer *g = answers_find(&s->answers, q->all[i].blanks[b].name);
            struct answer_result *r = &s->results[s->count];
            progress_at((int)s->count++, q->all[i].blanks[b].name);
            progress_tick();
            answer_judge(r, q, i, b, s->student, seed, g ? g->value : "");
            s->right += r->verdict == ANSWER_RIGHT;
            s->judged = s->judged && r->verdict != ANSWER_NOT_JUDGED;
        }
    progress_end();
}

void answer_sheet_free(struct answer_sheet *s) {
    free(s->results);
    answers_free(&s->answers);
    questions_free(&s->questions);
    *s = (struct answer_sheet){0};
}
