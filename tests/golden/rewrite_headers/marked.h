#pragma once
struct pair { float a, b; };
__global__ void add(pair *p)
{
    p[threadIdx.x].a += p[threadIdx.x].b;
}
