// The same by nvcc, whose host code has these variables among others: what is written is told at the next launch.
// only: nvcc
#include "host_names.cu"
