// Two non-blocking streams compute half of C each; events let them wait for the default stream, and the
// default stream for them.
#include "cuda_check.h"
#include "lab.h"
#define TILE 32
__global__ void mm(int m,int n,int k,const float*A,const float*B,float*C,int row0){
    __shared__ float a[TILE][TILE],b[TILE][TILE];
    int r=row0+blockIdx.x*TILE+threadIdx.y,c=blockIdx.y*TILE+threadIdx.x;float s=0;
    for(int t=0;t<k;t+=TILE){
        a[threadIdx.y][threadIdx.x]=r<m&&t+(int)threadIdx.x<k?A[(size_t)r*k+t+threadIdx.x]:0;
        b[threadIdx.y][threadIdx.x]=t+(int)threadIdx.y<k&&c<n?B[(size_t)(t+threadIdx.y)*n+c]:0;
        __syncthreads();
        for(int p=0;p<TILE;++p)s+=a[threadIdx.y][p]*b[p][threadIdx.x];
        __syncthreads();
    }
    if(r<m&&c<n)C[(size_t)r*n+c]=s;
}
void matmul_device(int m,int n,int k,const float*A,const float*B,float*C){
    cudaStream_t s[2]; cudaEvent_t start,end[2];
    int tiles=(m+TILE-1)/TILE, upper=(tiles+1)/2;
    CUDA_CHECK(cudaEventCreateWithFlags(&start,cudaEventDisableTiming));
    CUDA_CHECK(cudaEventRecord(start,0));            // what was in the default stream comes first
    for(int i=0;i<2;i++){
        int first=i?upper:0,count=i?tiles-upper:upper;
        CUDA_CHECK(cudaStreamCreateWithFlags(&s[i],cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&end[i],cudaEventDisableTiming));
        CUDA_CHECK(cudaStreamWaitEvent(s[i],start,0));
        if(count){ mm<<<dim3(count,(n+TILE-1)/TILE),dim3(TILE,TILE),0,s[i]>>>(m,n,k,A,B,C,first*TILE); CUDA_CHECK_LAUNCH(); }
        CUDA_CHECK(cudaEventRecord(end[i],s[i]));
        CUDA_CHECK(cudaStreamWaitEvent(0,end[i],0)); // and what comes after waits
    }
    for(int i=0;i<2;i++){ CUDA_CHECK(cudaStreamDestroy(s[i])); CUDA_CHECK(cudaEventDestroy(end[i])); }
    CUDA_CHECK(cudaEventDestroy(start));
}
