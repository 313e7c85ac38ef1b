struct v2 { int x, y; };
__device__ v2 mk(int a) { return v2{a, a + 1}; }
__device__ float rd(const float *p, const int &i, const v2 &o) { return p[i + o.y]; }
__global__ void k(const float *p, float *q) {
	int t = threadIdx.x;
	const v2 &w = mk(t);
	q[w.x] = rd(p, t + 1, mk(2 * t)) + rd(p, t, w);
}
