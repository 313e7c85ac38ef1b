// args: --index n.next=seq
// What a record's member holds is declared.
struct node { float v; int next; };
__global__ void k(const node *n, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = n[n[i].next].v;
}
int main() { node *n; float *out; cudaMalloc(&n, 4096 * sizeof(node)); cudaMalloc(&out, 4096 * 4); k<<<16, 256>>>(n, out); }
