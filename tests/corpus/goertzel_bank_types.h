#ifndef TYPES_H
#define TYPES_H
struct Tone {
	float coeff, q1, q2;
};
#endif
