/*
 * IDW of the thesis's Table 4.2: a height at each of 1024 x 1024 queries from as many scattered points.
 *
 * The form that the columns ask for, where nvcc 13 would make other code: x and y of a record in one 8-byte load, z in a load of its own (it would load
 * the padding too, 16 bytes at once).
 */
#ifndef POINTS
#define POINTS (1024 * 1024)
#endif
#ifndef QUERIES
#define QUERIES (1024 * 1024)
#endif
/* Memory accesses stay on their side of it. It is no instruction. */
#define ORDER() asm volatile("" ::: "memory")

struct point {
	float x, y, z;
};

__global__ void idw(const struct point *data, const float *query_x, const float *query_y, float *height)
{
	int q = blockIdx.x * blockDim.x + threadIdx.x;

	if (q < QUERIES) {
		float x = query_x[q];
		float y = query_y[q];
		float weights = 0.0f;
		float sum = 0.0f;

#pragma unroll 4
		for (int i = 0; i < POINTS; i++) {
			float dx = data[i].x - x;
			float dy = data[i].y - y;
			float weight = 1.0f / (dx * dx + dy * dy);

			ORDER();
			weights += weight;
			sum += weight * data[i].z;
			ORDER();
		}
		height[q] = sum / weights;
	}
}

int main(void)
{
	struct point *data;
	float *query_x, *query_y, *height;

	cudaMalloc(&data, POINTS * sizeof(struct point));
	cudaMalloc(&query_x, QUERIES * sizeof(float));
	cudaMalloc(&query_y, QUERIES * sizeof(float));
	cudaMalloc(&height, QUERIES * sizeof(float));
	idw<<<QUERIES / 256, 256>>>(data, query_x, query_y, height);
	return cudaDeviceSynchronize() != cudaSuccess;
}
