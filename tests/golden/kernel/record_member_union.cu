// The reason that a record keeps its layout names the member that has it.
struct vec3 {
	union { float x, r; };
	union { float y, g; };
};
struct bits { unsigned flag : 3, rest : 29; };
struct derived : bits { int more; };
struct boid { vec3 place; float size; };
struct holder { bits what; float size; };
struct deeper { derived what; float size; };

__global__ void move(boid *b, holder *h, deeper *d)
{
	int i = threadIdx.x;
	b[i].place.x += b[i].size;
	h[i].size += 1;
	d[i].size += d[i].what.more;
}
