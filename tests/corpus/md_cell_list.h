#pragma once
struct Vec3 { float x, y, z; };
struct Atom { Vec3 pos, vel, force; float mass; };
struct SimBox { float edge, inv; int cells; };
__host__ __device__ inline Vec3 sub(const Vec3 &a, const Vec3 &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline int cell_index(const Vec3 &p, const SimBox &b)
{
    int x = (int)(p.x * b.inv), y = (int)(p.y * b.inv), z = (int)(p.z * b.inv);
    x = min(max(x, 0), b.cells - 1); y = min(max(y, 0), b.cells - 1); z = min(max(z, 0), b.cells - 1);
    return (z * b.cells + y) * b.cells + x;
}
