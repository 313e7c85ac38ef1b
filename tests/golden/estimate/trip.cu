// In a loop: a record's second member hits, an access that no loop moves is one transaction, and each access is matched with the one in its loop
struct cell {
	float a, b, sum;
};

__global__ void trip(const struct cell *in, struct cell *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i].sum *= 2.0f;
#pragma unroll 2
	for (int k = 0; k < 64; k++) {
		float product = in[k].a * 2.0f;
		asm volatile("" ::: "memory");
		out[i].sum += product * in[k].b;
	}
}

int main(void)
{
	trip<<<4, 64>>>(0, 0);
	return 0;
}
