// Its macro is 1,000,000 terms, which libclang reads for longer than 0.1 s.
#define TEN(x) x + x + x + x + x + x + x + x + x + x
#define MANY(x) TEN(TEN(TEN(TEN(TEN(TEN(x))))))
struct pair {
	int a, b;
};
__global__ void sum(pair *p) { p[threadIdx.x].a = MANY(1); }
int main() { sum<<<1, 32>>>(nullptr); }
