#ifndef TYPES_H
#define TYPES_H
struct Pixel {
	unsigned char r, g, b;
};
#endif
