#ifndef TYPES_H
#define TYPES_H
struct P3 {
	float x, y, z;
};
#endif
