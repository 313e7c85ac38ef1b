#pragma once
template <typename T> struct vec { T x, y, z; };
template <typename T> __device__ T length2(const vec<T> &v) { return v.x * v.x + v.y * v.y + v.z * v.z; }
