// Members whose records cannot be taken apart move as they are: unions, bit-fields, private members, arrays of arrays.
struct vec3 { union { struct { float x, y, z; }; float e[3]; }; };
class angle {
	float radians_;
public:
	__host__ __device__ angle(float r = 0) : radians_(r) {}
	__host__ __device__ float radians() const { return radians_; }
	__host__ __device__ angle &operator+=(const angle &o) { radians_ += o.radians_; return *this; }
};
struct state { unsigned alive : 1, kind : 7, id : 24; };
struct corner { float at[3], w; };
struct body { vec3 place, speed; angle turn; state s; corner c[2]; float mass; };

__device__ void advance(vec3 &v, float dt) { v.x += dt; }

__global__ void move(body *b, float *out, float dt, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n || !b[i].s.alive)
		return;
	b[i].place.x += b[i].speed.e[0] * dt;
	b[i].speed = b[i].place;
	advance(b[i].place, dt);
	b[i].turn += angle(dt);
	b[i].s.kind = 3;
	for (int k = 0; k < 2; k++)
		b[i].c[k].at[0] *= b[i].c[k].w;
	body *q = &b[i];
	q->place.y = q->turn.radians();
	body copy = b[i];
	out[i] = copy.mass;
}

int main(void)
{
	int n = 1 << 20;
	body *b;
	float *out;

	cudaMalloc(&b, n * sizeof(body));
	cudaMalloc(&out, n * sizeof(float));
	move<<<n / 256, 256>>>(b, out, 0.1f, n);
	cudaDeviceSynchronize();
	cudaFree(b);
	cudaFree(out);
}
