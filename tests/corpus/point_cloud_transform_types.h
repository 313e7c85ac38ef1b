#ifndef TYPES_H
#define TYPES_H
struct Point {
	float x, y, z, intensity;
};
struct Pose {
	float m[12];
};
#endif
