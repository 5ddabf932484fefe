extern "C" int curandCreateGenerator(void *, int);
extern "C" int cuInit(int);
int main() { return curandCreateGenerator(0, 0) + cuInit(0); }
