/*
 * facts.c: tells the grader what the virtual GPU says, at the moment when it says it: a process may
 * end any time (see worker.h). On a real GPU there is nobody to listen to, and nothing is told.
 *
 * A message is told once the call is known that it belongs to; of each sort a few, and not all. A
 * process that the submission forked off keeps quiet.
 */
#include "grading/worker/worker.h"

#include "vgpu/include/vgpu.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

extern __typeof__(vgpu_listen) vgpu_listen __attribute__((weak));
extern __typeof__(vgpu_be_quiet) vgpu_be_quiet __attribute__((weak));

enum { EARLY_MOST = 8 };

static struct {
    pthread_mutex_t lock;
    pid_t process;
    bool open; /* a call is being made */
    uint32_t call;
    int told;
    unsigned char of_a_sort[VGPU_SAYS_COUNT];
    struct fact_body early[EARLY_MOST]; /* said before the first call, or between two */
    int early_count;
} facts = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void tell(struct fact_body *body) {
    if (facts.told == PROTOCOL_MAX_FACTS ||
        facts.of_a_sort[body->fact.says] == PROTOCOL_FACTS_OF_A_SORT)
        return;
    facts.told++;
    facts.of_a_sort[body->fact.says]++;
    body->id = facts.call;
    worker_send(MESSAGE_FACT, body, sizeof *body, NULL, 0);
}

static void hear(const struct vgpu_fact *fact, const char *words) {
    if (getpid() != facts.process)
        return;
    struct fact_body body = {.fact = *fact};
    const size_t n = strlen(words);
    memcpy(body.words, words, n < sizeof body.words ? n : sizeof body.words - 1);
    pthread_mutex_lock(&facts.lock);
    if (facts.open)
        tell(&body);
    else if (facts.early_count < EARLY_MOST)
        facts.early[facts.early_count++] = body;
    pthread_mutex_unlock(&facts.lock);
}

/* Before the submission's constructors. */
__attribute__((constructor(101))) static void listen_early(void) {
    facts.process = getpid();
    if (vgpu_listen)
        vgpu_listen(hear);
}

void worker_facts_begin(const struct call_body *call) {
    if (vgpu_be_quiet)
        vgpu_be_quiet(call->flags & CALL_QUIET);
    pthread_mutex_lock(&facts.lock);
    facts.open = true;
    facts.call = call->id;
    facts.told = 0;
    memset(facts.of_a_sort, 0, sizeof facts.of_a_sort);
    for (int i = 0; i < facts.early_count; i++)
        tell(&facts.early[i]);
    facts.early_count = 0;
    pthread_mutex_unlock(&facts.lock);
}

void worker_facts_end(const struct result_body *result, const struct worker_part *part, int parts) {
    pthread_mutex_lock(&facts.lock);
    facts.open = false;
    pthread_mutex_unlock(&facts.lock);
    worker_send(MESSAGE_RESULT, result, sizeof *result, part, parts);
}
