#ifndef TYPES_H
#define TYPES_H
struct Conserved {
	float rho, mx, my, mz, e;
};
#endif
