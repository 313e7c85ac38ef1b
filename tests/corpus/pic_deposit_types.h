#ifndef TYPES_H
#define TYPES_H
struct Charge {
	float x;
	float q;
};
#endif
