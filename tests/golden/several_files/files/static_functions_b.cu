/* A comment. */
struct quote {
	float strike, rate; // the same text
};
#define real float
const int calls = 2;
static __device__ real factor(real r) { return 1 / (1 + r); }
__global__ void value(quote *q)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	q[i].strike *= factor(q[i].rate);
}
void price(quote *q, int n) { value<<<n / 256 / calls, 256>>>(q); }
