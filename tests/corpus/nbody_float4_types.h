#ifndef TYPES_H
#define TYPES_H
typedef float4 Body;
#endif
