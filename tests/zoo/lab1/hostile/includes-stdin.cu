// Includes the standard input of the compiler: it must not wait for a terminal.
#include "/dev/stdin"
#include "lab.h"
