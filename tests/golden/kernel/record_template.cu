// An instance of a record template.
template <typename T> struct point { T x, y; };
__global__ void k(point<double> *p) { p[threadIdx.x].x = p[threadIdx.x].y; }
