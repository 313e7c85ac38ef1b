#ifndef COMMON_H
#define COMMON_H
#define FACTOR 2
struct pair { float a, b; };
void second(pair *p);
#endif
