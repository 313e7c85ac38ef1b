/* Long while loops that step their variable once in the body, or in the condition, are walked by stretches as for loops are. */
#include <cstdlib>
struct cell {
	float x;
	int kind;
};
static cell cells[6000];
__global__ void use(cell *c, int made, int even, int after) { c[threadIdx.x].x = made + even + after; }
int main()
{
	int made = 0, even = 0, i = 0, skipped = 0, lost = 0, back = 50000, steps = 0;
	cell *device;

	cudaMalloc(&device, sizeof(cells));
	while (made < 6000) {
		int kind = made % 3;

		cells[made].kind = kind;
		cells[made].x = kind;
		even += 2;
		made++;
	}
	use<<<1, 32>>>(device, made, even, 0);
	while (i++ < 5000) {
		int kind = i % 3;

		cells[i].kind = kind;
	}
	use<<<2, 32>>>(device, i, 0, 0);
	while (skipped < 5000) {
		skipped += 1;
		if (rand() % 2)
			continue;
		lost++;
	}
	use<<<3, 32>>>(device, skipped, lost, 0);
	while (back > 0) {
		int kind = back;

		cells[kind % 7].kind = kind;
		back -= 4;
		steps++;
	}
	use<<<4, 32>>>(device, back, steps, 0);
}
