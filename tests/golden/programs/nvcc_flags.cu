// args: -arch=sm_90 -O3 --use_fast_math -std c++17 -isystem tests/golden/programs -include flags.h -DWRONG -UWRONG --extended-lambda --expt-relaxed-constexpr -rdc=true -Xcompiler -fopenmp -lcurand -g
#ifdef WRONG
#error -U comes behind
#endif
constexpr int square(int n) { return n * n; }
__global__ void k(const float *p, float *o) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = sinf(p[i]) * square(THREE); }
int main() { float *p, *o; cudaMalloc(&p, 4096); cudaMalloc(&o, 4096); k<<<4, 256>>>(p, o); }
