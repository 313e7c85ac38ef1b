#ifndef TYPES_H
#define TYPES_H
struct RGBA {
	float r, g, b, a;
};
#endif
