// A source that would like to be a page: </script><script>document.title="owned"</script>
// <img src=x onerror="document.title='owned'"> </textarea> <!-- &lt; ]]> @@script@@
#define NAME "</script><script>document.title='owned'</script>"
template <int N> struct odd { int value[N]; };
__global__ void mark(int *öut, odd<2> o) {
    int i = threadIdx.x; // "quotes" 'and' \u003c
    öut[i] = o.value[i % 2] + sizeof(NAME);
}
int main() {
    int *d;
    cudaMalloc(&d, 32 * sizeof(int));
    mark<<<1, 32>>>(d, odd<2>{{1, 2}});
    cudaDeviceSynchronize();
    cudaFree(d);
}
