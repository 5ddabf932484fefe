#include "check.cuh"
struct Node { int value; Node *next; };
__global__ void sum(Node *n, int *out) { int s = 0; for (; n; n = n->next) s += n->value; *out = s; }
int main() {
    Node *head = nullptr; int *out; for (int i = 1; i <= 10; i++) { Node *n; CUDA(cudaMallocManaged(&n, sizeof *n)); n->value = i; n->next = head; head = n; }
    CUDA(cudaMallocManaged(&out, 4)); sum<<<1, 1>>>(head, out); CUDA(cudaDeviceSynchronize()); MUST(*out == 55);
    while (head) { Node *n = head->next; cudaFree(head); head = n; } cudaFree(out);
}
