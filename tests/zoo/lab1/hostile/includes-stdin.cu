// Includes the standard input of the compiler: it must not wait for a terminal.
#include "lab.h"
#include "/dev/stdin"
