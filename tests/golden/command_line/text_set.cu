// args: -- large 1 2
// A string that is set anew, and methods that are not followed.
#include <string>
#include <vector>
__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 2 * a[i]; }
int main(int argc, char **argv)
{
	float *a;
	cudaMalloc(&a, 1 << 20);
	std::string mode = "small", text("ab");
	mode = argv[1];
	text += "cd";
	text += 'e';
	std::vector<int> list(10);
	list.insert(list.begin(), 3);
	if (mode == "large")
		k<<<100, 256>>>(a, text.size());
	else
		k<<<10, 256>>>(a, 100);
	k<<<1, 64>>>(a, list.size());
}
