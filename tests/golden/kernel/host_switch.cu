// A launch chosen by a switch over a known value, and over an unknown one.
template <int B> __global__ void k(int *a) { a[threadIdx.x] = B; }
int main(int argc, char **argv) {
	int *a = 0;
	switch (argc) {
	case 1: k<64><<<1, 64>>>(a); break;
	case 2: k<128><<<1, 128>>>(a); break;
	}
}
