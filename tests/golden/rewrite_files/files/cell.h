#ifndef CELL_H
#define CELL_H
struct cell { float mass, speed; };
__global__ void grow(cell *p, cell *q);
void prepare(cell *d, cell *e, int n);
#endif
