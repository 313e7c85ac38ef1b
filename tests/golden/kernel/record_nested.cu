// Nested records are flattened into leaves: pos.x.
struct vec { float x, y, z; };
struct body { vec pos, vel; float mass; };
__global__ void k(body *b, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		b[i].pos.y += b[i].vel.y * b[i].mass;
}
