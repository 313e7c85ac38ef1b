// if constexpr leaves only one branch.
template <bool B> __global__ void k(float *a) {
	if constexpr (B)
		a[threadIdx.x] = 0;
	else
		a[2 * threadIdx.x] = 0;
}
int main() { k<true><<<1, 1>>>(nullptr); k<false><<<1, 1>>>(nullptr); }
