// Each assertion walks 100,000 steps: libclang takes many seconds on any machine.
constexpr int walk(int n)
{
	int sum = 0;
	for (int i = 0; i < 100000; i++)
		sum += i & n;
	return sum;
}
#define FOUR(n) static_assert(walk(n) + walk(n + 1) + walk(n + 2) + walk(n + 3) >= 0, "")
FOUR(0);
FOUR(4);
FOUR(8);
FOUR(12);
FOUR(16);
FOUR(20);
FOUR(24);
FOUR(28);
struct pair {
	int a, b;
};
__global__ void sum(pair *p) { p[threadIdx.x].a = p[threadIdx.x].b; }
int main() { sum<<<1, 32>>>(nullptr); }
