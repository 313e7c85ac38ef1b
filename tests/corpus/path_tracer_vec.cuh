#ifndef PT_VEC_H
#define PT_VEC_H
struct vec3 {
    float x, y, z;
    __host__ __device__ vec3() : x(0), y(0), z(0) {}
    __host__ __device__ vec3(float x, float y, float z) : x(x), y(y), z(z) {}
    __host__ __device__ vec3 &operator+=(const vec3 &o) { x += o.x; y += o.y; z += o.z; return *this; }
};
__host__ __device__ inline vec3 operator+(const vec3 &a, const vec3 &b) { return vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline vec3 operator-(const vec3 &a, const vec3 &b) { return vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
__host__ __device__ inline vec3 operator*(const vec3 &a, float s) { return vec3(a.x * s, a.y * s, a.z * s); }
__host__ __device__ inline vec3 operator*(const vec3 &a, const vec3 &b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }
__host__ __device__ inline vec3 operator/(const vec3 &a, float s) { return a * (1.0f / s); }
__host__ __device__ inline float dot(const vec3 &a, const vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline vec3 normalize(const vec3 &a) { return a * rsqrtf(dot(a, a)); }
struct Ray { vec3 o, d; };
#endif
