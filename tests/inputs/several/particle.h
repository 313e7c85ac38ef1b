#ifndef PARTICLE_H
#define PARTICLE_H
struct Particle {
	float x, y, z;
	float vx, vy, vz;
	float mass;
};
void push(Particle *p, int n, float dt);
float energy(const Particle *p, float *out, int n);
#endif
