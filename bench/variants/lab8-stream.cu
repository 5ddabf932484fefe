// lab8-balanced.cu with all tiles shared (stream-K): wherever the tiles do not fill whole waves, the
// slabs of all of them are dealt out evenly to the multiprocessors. README.md tells what it is for.
#define WAYS STREAM
#include "lab8-balanced.cu"
