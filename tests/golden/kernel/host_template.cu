// A host template that launches a kernel template.
template <typename T, int B> __global__ void k(T *a, int n) { a[threadIdx.x * B] = n; }
template <typename T> void run(T *a, int n) { k<T, 32><<<n / 32, 32>>>(a, n); }
int main() {
	run((float *)0, 320);
	run((double *)0, 640);
}
