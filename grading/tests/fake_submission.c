/* fake_submission.c: a submission for run_test that does what m tells it to. The numbers are those
 * of enum misdeed in run_test.c. */
#include "common/lab.h"
#include "grading/tests/misdeeds.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_everywhere(void) {
    for (int fd = 3; fd < 300; fd++) {
        static const char junk[] = "{\"score\": 100}, and enough bytes to pass for a header";
        if (write(fd, junk, sizeof junk) < 0)
            continue;
    }
}

/* Leaves a process behind that belongs to another session, and writes its number to a file. */
static void leave_daemon(void) {
    if (fork() != 0) {
        for (int i = 0; i < 200 && access("daemon.pid", F_OK) != 0; i++)
            usleep(10000);
        FILE *told = fopen("daemon.pid", "r");
        long pid = 0;
        if (told && fscanf(told, "%ld", &pid) == 1)
            printf("daemon %ld\n", pid); /* the folder goes with this process */
        if (told)
            fclose(told);
        return;
    }
    setsid();
    const pid_t daemon = fork();
    if (daemon == 0)
        sleep(600);
    FILE *f = fopen("daemon.tmp", "w");
    if (f && daemon > 0)
        fprintf(f, "%ld\n", (long)daemon);
    if (f)
        fclose(f);
    rename("daemon.tmp", "daemon.pid");
    _exit(0);
}

/* Writes once the call is over. */
static void *write_later(void *unused) {
    (void)unused;
    usleep(200000);
    write_everywhere();
    return NULL;
}

static void start_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, write_later, NULL) == 0)
        pthread_detach(thread);
}

static void speak(void) {
    for (int i = 0; i < 1000; i++)
        fake_say(VGPU_LAUNCH_EMPTY);
    fake_say(VGPU_HOST_ACCESS);
}

static void *speak_on(void *unused) {
    for (int i = 0; i < 100000; i++)
        fake_say((enum vgpu_says)(1 + i % (VGPU_SAYS_COUNT - 1)));
    return unused;
}

static void speak_in_threads(void) {
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, speak_on, NULL) == 0)
            pthread_detach(thread);
    }
}

static void speak_in_copy(void) {
    if (fork() == 0) {
        speak();
        _exit(0);
    }
    wait(NULL);
}

static volatile int never;

static void *compute(void *unused) {
    while (!never)
        ;
    return unused;
}

/* Waits for a thread that computes without end. */
static void wait_for_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, compute, NULL) == 0)
        pthread_join(thread, NULL);
}

/* The kernel holds it until its child ends, which sleeps. */
static void wait_for_copy(void) {
    if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) == 0)
        for (;;)
            pause();
}

/* Child after child computes for a moment, and nobody waits for them: their processor time is
 * nowhere to be found. */
static void compute_in_children(void) {
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        if (fork() == 0) {
            for (volatile int i = 0; i < 20000000; i++)
                ;
            _exit(0);
        }
        wait(NULL); /* returns when none is left, and takes none */
    }
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    switch (m) {
    case MISDEED_CRASH: raise(SIGSEGV); break;
    case MISDEED_EXIT: exit(7);
    case MISDEED_LOOP:
        for (;;)
            pause();
    case MISDEED_FLOOD:
        for (;;)
            puts("this line is printed without end");
    case MISDEED_DAEMON: leave_daemon(); break;
    case MISDEED_FORGE: write_everywhere(); break;
    case MISDEED_CLOSE:
        for (int fd = 3; fd < 300; fd++)
            close(fd);
        break;
    case MISDEED_FREE: free((void *)A); return;
    case MISDEED_REALLOC: C = realloc(C, 4); break;
    case MISDEED_STEP_OUT: C[(size_t)m * (size_t)n + 16] = 1.0f; break;
    case MISDEED_FORK:
        if (fork() == 0) { /* the copy comes back first, with a wrong answer */
            C[0] = 12345.0f;
            return;
        }
        usleep(200000);
        break;
    case MISDEED_LATE: start_thread(); break;
    case MISDEED_COMPUTE: compute(NULL); break;
    case MISDEED_THREAD: wait_for_thread(); break;
    case MISDEED_VFORK: wait_for_copy(); break;
    case MISDEED_CHILDREN: compute_in_children(); break;
    case MISDEED_STOP: raise(SIGSTOP); break;
    case MISDEED_SPEAK:
        speak();
        raise(SIGKILL);
        break;
    case MISDEED_SPEAK_LATER: speak_in_threads(); break;
    case MISDEED_SPEAK_COPY: speak_in_copy(); break;
    default: break;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
    }
    fprintf(stderr, "computed %d rows\n", m);
}
