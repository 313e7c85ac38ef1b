#ifndef TYPES_H
#define TYPES_H
struct Logit {
	float value, mask;
};
#endif
