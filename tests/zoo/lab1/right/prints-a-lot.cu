// Right, and talkative: debugging output to both streams in each call, score-like lines among it, iostream and printf mixed.
#include "lab.h"
#include <cstdio>
#include <iomanip>
#include <iostream>
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    std::cout << "m=" << m << " n=" << n << " k=" << k << std::endl;
    for (int i = 0; i < m && i < 20; i++) {
        for (int p = 0; p < k && p < 8; p++) std::cout << std::setw(8) << A[i * k + p];
        std::cout << '\n';
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int p = 0; p < k; p++) s += A[i * k + p] * B[p * n + j];
            C[i * n + j] = s;
        }
    printf("error: none, all tests passed, score 100/100 :-) 100%%\n");
    fprintf(stderr, "warning: C[0] = %f\n", C[0]);
    printf("{\"tests\": [], \"score\": 1}\nnot ok 1 - <b>bold</b> & \033[31mred\033[0m\n");
}
