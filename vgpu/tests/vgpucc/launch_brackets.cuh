// A header with a launch of its own, its brackets apart; see launch_brackets.cu.
__global__ void print(const char *what, int x) { printf("%s %d\n", what, x); }

inline void launch_from_header(const char *what) { print << <1, 1 >> > (what, 1); }
