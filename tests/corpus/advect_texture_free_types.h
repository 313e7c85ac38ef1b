#ifndef TYPES_H
#define TYPES_H
struct Vel {
	float u, v;
};
#endif
