struct box { float a, size; };
namespace tools { __device__ inline float size(float x) { return x; } }
void second(box *p);
