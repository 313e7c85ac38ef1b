// Nothing is known of what differs between two copies, of what a file says, or of one of two variables that bear the same name.
#include <cstdio>
#include <cstdlib>
struct cell { float a, b, c, d; };
namespace one { __constant__ int stride; }
namespace two { __constant__ int stride; }
__constant__ int twice, read;
__global__ void spread(cell *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i * one::stride].a = 1;
    out[i * two::stride].b = 1;
    out[i * twice].c = 1;
    out[i * read].d = 1;
}
int main()
{
    int a = 1, b = 2, c;
    FILE *file = fopen("numbers", "r");
    fscanf(file, "%d", &c);
    cudaMemcpyToSymbol(one::stride, &a, sizeof a);
    cudaMemcpyToSymbol(read, &c, sizeof c);
    cell *out;
    cudaMalloc(&out, 1 << 24);
    cudaMemcpyToSymbol(twice, &a, sizeof a);
    spread<<<1024, 256>>>(out);
    cudaMemcpyToSymbol(twice, &b, sizeof b);
    spread<<<1024, 256>>>(out);
}
