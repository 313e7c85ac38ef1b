#include <cstdio>

#define COUNT 4096
/* Variables, members and a parameter have the records' names: there the types need `struct` or `::`. */
enum kind { WORKER, DRONE };
struct bee {
	int flower;
	enum kind kind;
	float nectar;
};
typedef struct {
	float x, bee;
} spot;

bee bees[COUNT];
bee *hive;

__global__ void fly(bee *bee, spot *spots)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	bee[i].flower++;
	bee[i].kind = WORKER;
	bee[i].nectar += spots[i].x;
	spots[i].bee = bee[i].nectar;
}

int main()
{
	spot *spots, *there = new spot[COUNT];
	int bee, spot = 0, kind;
	float sum = 0;

	cudaMalloc((void **)&hive, sizeof(bees));
	cudaMemset(hive, 0, sizeof(bees));
	cudaMalloc((void **)&spots, COUNT * sizeof(*spots));
	cudaMemset(spots, spot, COUNT * sizeof(*spots));
	cudaMemcpy(spots, there, COUNT * sizeof(*spots), cudaMemcpyHostToDevice);
	fly<<<COUNT / 128, 128>>>(hive, spots);
	cudaMemcpy(bees, hive, sizeof(bees), cudaMemcpyDeviceToHost);
	for (bee = 0, kind = 1; bee < COUNT; bee += kind)
		sum += bees[bee].nectar;
	printf("%g\n", sum);
	cudaFree(hive);
	cudaFree(spots);
	delete[] there;
}
