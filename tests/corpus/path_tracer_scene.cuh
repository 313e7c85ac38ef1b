#pragma once
#include "path_tracer_vec.cuh"
struct Sphere { vec3 centre; float radius; vec3 colour, emission; };
inline Sphere make_sphere(int i) { return Sphere{vec3(i % 8, i / 8, 5), 0.4f, vec3(0.8f, 0.8f, 0.8f), vec3(i == 0, i == 0, i == 0)}; }
__device__ inline float rnd(unsigned &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s * 2.3283064e-10f; }
__device__ inline Ray camera_ray(int px, int py, int w, int h, unsigned &rng)
{
    Ray r;
    r.o = vec3(4, 4, -6);
    r.d = normalize(vec3((px + rnd(rng)) / w - 0.5f, (py + rnd(rng)) / h - 0.5f, 1.0f));
    return r;
}
__device__ inline bool hit(const Sphere &s, const Ray &r, float &t)
{
    vec3 oc = r.o - s.centre;
    float b = dot(oc, r.d), c = dot(oc, oc) - s.radius * s.radius, d = b * b - c;
    if (d < 0) return false;
    float q = -b - sqrtf(d);
    if (q < 1e-3f || q > t) return false;
    t = q;
    return true;
}
__device__ inline vec3 trace(const Sphere *spheres, int count, Ray ray, unsigned &rng)
{
    vec3 through(1, 1, 1), light(0, 0, 0);
    for (int bounce = 0; bounce < 5; bounce++) {
        float t = 1e30f;
        int best = -1;
        for (int i = 0; i < count; i++)
            if (hit(spheres[i], ray, t)) best = i;
        if (best < 0) return light + through * vec3(0.1f, 0.1f, 0.2f);
        light += through * spheres[best].emission;
        through = through * spheres[best].colour;
        vec3 p = ray.o + ray.d * t, n = normalize(p - spheres[best].centre);
        ray.o = p;
        ray.d = normalize(n + vec3(rnd(rng) - 0.5f, rnd(rng) - 0.5f, rnd(rng) - 0.5f));
    }
    return light;
}
