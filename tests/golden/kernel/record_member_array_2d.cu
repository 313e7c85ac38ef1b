// A member array of two dimensions: the inner index is row * 3 + column.
struct tensor { float m[2][3]; };
__global__ void k(tensor *t) {
	for (int r = 0; r < 2; r++)
		for (int c = 0; c < 3; c++)
			t[threadIdx.x].m[r][c] *= 2;
}
