#include "point_type.h"
__global__ void move(point *p);
void load(point *h, point *d, int n);
void store(point *h, point *d, int n);
