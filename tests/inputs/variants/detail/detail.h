#ifndef DETAIL_H
#define DETAIL_H
#include <math.h>
__host__ __device__ inline float sq(float x)
{
	return x * x;
}
#endif
