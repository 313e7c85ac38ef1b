// A switch over a known value is decided; one over an unknown value joins what its cases set.
template <int B> __global__ void k(int *a, int n) { a[threadIdx.x] = B + n; }
int main(int argc, char **argv) {
	int *a = 0, threads = 128, n = 5, m, q = 1;
	switch (threads) {
	case 64: k<64><<<1, 64>>>(a, n); break;
	case 128: k<128><<<1, 128>>>(a, n);
	case 256:
		k<256><<<1, 256>>>(a, n);
		n = 7;
		break;
	default: k<512><<<1, 512>>>(a, n);
	}
	switch (threads / 2) {
	case 1 ... 31: n++; break;
	case 32 ... 64: n += 2;
	}
	switch (argc) {
	case 1: m = 2; break;
	case 2: m = 3; break;
	default: m = 4;
	}
	switch (argc) {
	case 1: q = 9; break;
	case 2: q = 9; break;
	default: q = 9;
	}
	k<64><<<n, q>>>(a, m);
	for (int i = 0; i < 4; i++) {
		switch (i) {
		case 1: continue;
		case 2: break;
		}
		k<1024><<<2, 1024>>>(a, 0);
	}
}
