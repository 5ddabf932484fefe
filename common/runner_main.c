/* runner_main.c: main of a lab program. LAB and BACKEND_NAME come from the compile command. */
#include "common/runner.h"

int main(int argc, char **argv) {
    const struct run_build build = {.lab = LAB, .backend = BACKEND_NAME};
    return runner_main(&build, argc, argv);
}
