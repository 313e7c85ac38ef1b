/* Two files have different types of one name, and operators of one text. */
struct row { float a, b; };
inline __host__ __device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__global__ void first(row *p, float2 *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	p[i].a += (v[i] + v[i]).x;
}
void second(float *p, float2 *v);
int main()
{
	row *p;
	float2 *v;

	cudaMalloc(&p, 4096 * sizeof(row));
	cudaMalloc(&v, 4096 * sizeof(float2));
	first<<<16, 256>>>(p, v);
	second((float *)p, v);
	return 0;
}
