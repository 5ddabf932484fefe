// lab8-balanced.cu with whole waves of whole tiles first, and the last one or two waves' slabs shared,
// wherever the tiles do not fill whole waves. README.md tells what it is for.
#define WAYS HYBRID
#include "lab8-balanced.cu"
