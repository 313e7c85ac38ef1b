#ifndef PARTICLE_H
#define PARTICLE_H
struct Particle {
	float3 pos;
	float3 vel;
	float mass;
	int alive;
};
#endif
