// constexpr, const, enum and #define constants.
#define ROWS 16
constexpr int COLUMNS = ROWS * 2;
const int OFFSET = COLUMNS + 1;
enum { PAD = 3 };
enum class mode : int { fast = 5 };
static constexpr int square(int n) { return n * n; }
__global__ void k(float *a) {
	const int width = COLUMNS + PAD;
	a[threadIdx.x * width + OFFSET] = 0;
	a[(int)mode::fast] = 0;
	a[square(4) + threadIdx.x] = 0;
}
