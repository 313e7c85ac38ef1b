#ifndef LIMITS_H
#define LIMITS_H
__device__ inline float limited(float x) { return x < 1 ? x : 1; }
#endif
