// args: --index nodes.next=uniform:20:20 --index where=seq
// What arrays hold is declared by the host's names for them, one number for all elements too; a name that a parameter of the kernel bears is that parameter's.
struct node { float v; int next; };
__global__ void k(const node *n, const int *index, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = n[n[i].next].v + n[index[i]].v;
}
__global__ void l(const node *where, const int *index, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = where[index[i]].v;
}
int main()
{
	node *nodes;
	int *where;
	float *out;
	cudaMalloc(&nodes, 65536 * sizeof(node));
	cudaMalloc(&where, 65536 * sizeof(int));
	cudaMalloc(&out, 65536 * sizeof(float));
	k<<<256, 256>>>(nodes, where, out);
	l<<<256, 256>>>(nodes, where, out);
}
