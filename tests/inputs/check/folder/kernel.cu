#include "../two_folders.h"
#include "limits.h"
__global__ void move(body *p)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < COUNT)
		p[i].x += p[i].y;
}
