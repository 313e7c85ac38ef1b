// Objects of the host: members, members that begin with a value, objects on the heap, records passed by value.
#include <cstdlib>
#include <memory>
struct field {
	int nx, ny;
	float *rho, *u;
};
__global__ void k(field f, float w) { f.u[threadIdx.x] = f.rho[threadIdx.x] * w * f.nx; }
__global__ void step(float *a, int n) { a[threadIdx.x] = n; }
struct settings {
	int block = 64;
	struct {
		int halo = 2;
	} edge;
};
class solver {
public:
	solver(int nx, int ny) : nx_(nx), ny_(ny) {
		f_.nx = nx;
		f_.ny = ny + 2 * s_.edge.halo;
		cudaMalloc(&f_.rho, bytes());
		cudaMalloc(&f_.u, bytes());
	}
	size_t bytes() const { return sizeof(float) * nx_ * ny_; }
	void run(int steps) {
		for (int i = 0; i < steps; i++)
			k<<<(nx_ * ny_ + s_.block - 1) / s_.block, s_.block>>>(f_, 0.5f);
	}

private:
	int nx_, ny_;
	settings s_;
	field f_;
};
struct particles {
	int n;
	float *data;
	explicit particles(int count) : n(count) { cudaMalloc(&data, n * sizeof(float)); }
	void advance();
};
void particles::advance() { step<<<n / 32, 32>>>(data, n); }
struct image {
	int width;
	float *data;
};
static image *create(int width) {
	image *made = (image *)malloc(sizeof(image));
	made->width = width;
	cudaMalloc(&made->data, width * sizeof(float));
	return made;
}
int main() {
	solver s(40, 20);
	s.run(3);
	particles *p = new particles(64);
	p->advance();
	auto q = std::make_unique<particles>(96);
	q->advance();
	std::unique_ptr<particles> r(new particles(128));
	r->advance();
	image *a = create(160), *b = create(192);
	step<<<a->width / 32, 32>>>(b->data, b->width);
	settings plain, braced{}, given = {96};
	step<<<plain.block, braced.block>>>(a->data, given.block + given.edge.halo);
}
