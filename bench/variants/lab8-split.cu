// lab8-balanced.cu with each tile divided evenly among several blocks (split-k), wherever there are at
// least twice as many multiprocessors as tiles. README.md tells what it is for.
#define WAYS SPLIT
#include "lab8-balanced.cu"
