// args: --grid 256 --block 256 --arg n=16777216 --arg m=65536 --extent list=16777216
// A search that data end after half of the list on average: 8388608 trips, which are not run one by one.
__global__ void find(const float *list, const float *want, int *out, int n, int m)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, found = -1;

	if (t >= m)
		return;
	for (int i = 0; i < n; i++)
		if (list[i] >= want[t]) {
			found = i;
			break;
		}
	out[t] = found;
}
