/* Pointers to records that change places: by macros, in parentheses, and one that is assigned to another. */
#define SWAP(a, b, type) { type hold = (a); (a) = (b); (b) = hold; }
#define TURN(a, b) \
	do { \
		auto *kept = a; \
		a = b; \
		b = kept; \
	} while (0)

struct point {
	float x, y;
};

__global__ void move(point *to, const point *from, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		to[i].x = from[i].x + from[i].y;
		to[i].y = from[i].y;
	}
}

class track {
	point *points, *spare;
	int size;

public:
	track(int n)
	{
		size = n;
		cudaMalloc(&points, n * sizeof(point));
		cudaMalloc(&spare, n * sizeof(point));
		cudaMemset(points, 0, n * sizeof(point));
	}
	~track()
	{
		cudaFree(points);
		cudaFree(spare);
	}
	void grow()
	{
		point *larger;

		cudaMalloc(&larger, 2 * size * sizeof(point));
		cudaMemset(larger, 0, 2 * size * sizeof(point));
		move<<<(size + 127) / 128, 128>>>(larger, points, size);
		cudaFree(points);
		points = larger;
		size *= 2;
	}
};

int main()
{
	int n = 1 << 16;
	point *a, *b, *now;
	track t(n);

	t.grow();
	cudaMalloc(&a, n * sizeof(point));
	cudaMalloc(&b, n * sizeof(point));
	cudaMemset(a, 0, n * sizeof(point));
	for (int step = 0; step < 8; step++) {
		move<<<n / 128, 128>>>(b, a, n);
		SWAP(a, b, point *);
		move<<<n / 128, 128>>>(b, a, n);
		TURN(a, b);
		move<<<n / 128, 128>>>(b, a, n);
		point *old = (a);
		(a) = (b);
		(b) = old;
	}
	if (n > 7) {
		now = a;
	} else {
		now = b;
	}
	move<<<n / 128, 128>>>(now, b, n);
	cudaFree(a);
	cudaFree(b);
	return 0;
}
