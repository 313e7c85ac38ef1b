#ifndef TYPES_H
#define TYPES_H
struct Token {
	int id;
	float weight;
};
#endif
