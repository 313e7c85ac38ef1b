#pragma once
struct item { float a, b, c; int n; };
__global__ void step(item *p);
void finish(item *h, item *d, int n);
