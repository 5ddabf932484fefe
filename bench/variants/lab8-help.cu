// lab8-balanced.cu with helpers only: wherever one wave of Large tiles leaves multiprocessors idle, these
// take a few slabs of each tile. README.md tells what it is for.
#define WAYS HELP
#include "lab8-balanced.cu"
