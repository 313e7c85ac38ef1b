__device__ inline float twice(float x) { return 2 * x; }
static int floor_power(int n) { return n & -n; }
