#include <vector>
#include <string>
#include <stdexcept>
struct P { float x, y, z; };
namespace { __global__ void k(P *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x += p[i].y; }
template <typename T> struct Buf { T *p; int n; Buf(int n) : n(n) { if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) throw std::runtime_error("x"); } ~Buf() { cudaFree(p); } T *get() const { return p; } auto size() const { return n; } }; }
class Sim { public: Sim(int n); ~Sim(); void step(float dt); int size() const { return n; } Sim &operator=(const Sim &) = delete; private: int n; Buf<P> b; static int count; const std::string name; };
int Sim::count = 0;
Sim::Sim(int n) : n(n), b(n), name("sim") { count++; }
Sim::~Sim() { count--; }
void Sim::step(float dt) { k<<<(n + 255) / 256, 256>>>(b.get(), n); }
static std::vector<int> sizes() { return {1, 2, 3}; }
static const std::vector<int> global_sizes = sizes();
auto half(int n) { return n / 2; }
int main(int argc, char **argv) { Sim s(half(2048)); s.step(0.1f); return global_sizes.size(); }
