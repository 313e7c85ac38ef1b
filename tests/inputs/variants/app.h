#pragma once
#include <vector>
namespace app
{
namespace io
{
struct Rec {
	float a, b, c;
};
inline __host__ __device__ float sq(float x)
{
	return x * x;
}
} // namespace io
struct Cfg {
	int n;
};
} // namespace app
