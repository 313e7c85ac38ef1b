// Base classes and their constructors, virtual methods, delegating constructors, methods of class templates that stand outside.
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
struct base {
	int n;
	float *data;
	base(int count) : n(count), data(nullptr) { cudaMalloc(&data, n * sizeof(float)); }
	virtual ~base() {}
	virtual void run() = 0;
};
struct derived : public base {
	int block;
	derived(int count, int block) : base(count), block(block) {}
	explicit derived(int count) : derived(2 * count, 32) {}
	void run() override { k<<<n / block, block>>>(data, n); }
};
template <class T> class grid {
public:
	grid(int w, int h) : w_(w), h_(h) {}
	void run(int mode);
	template <int X> void launch(T *data);

private:
	int w_, h_;
};
template <class T> template <int X> void grid<T>::launch(T *data) { k<<<w_ / X, X>>>(data, h_); }
template <class T> void grid<T>::run(int mode) {
	switch (mode) {
	case 0: launch<16>(nullptr); break;
	case 1: launch<8>(nullptr); break;
	default: return;
	}
}
static int twice(int n) { return 2 * n; }
static int larger(int a, int b) {
	int first = twice(a), second = twice(b);
	return first > second ? first : second;
}
int main() {
	derived direct(640, 64), small(96);
	base *pointer = new derived(1000, 100), &reference = small;
	grid<float> g(160, 7);
	direct.run();
	pointer->run();
	reference.run();
	g.run(0);
	g.run(1);
	k<<<larger(3, 4), 1>>>(direct.data, 0);
}
