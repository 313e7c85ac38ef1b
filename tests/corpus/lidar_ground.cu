// args: 120000 4
#include <cstdio>
#include <cstdlib>
#include <memory>
struct PointXYZI { float x, y, z, intensity; };
struct Plane { float a, b, c, d; };
struct Scored { Plane plane; int inliers; };
class Ransac {
    struct Impl; std::unique_ptr<Impl> p;
public:
    Ransac(int points, int rounds); ~Ransac();
    void run();
};
__global__ void score(const PointXYZI *pts, int n, Scored *s, int hypotheses, float tol)
{
    int h = blockIdx.x;
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    Plane pl = s[h].plane; int local = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) local += fabsf(pl.a * pts[i].x + pl.b * pts[i].y + pl.c * pts[i].z + pl.d) < tol;
    atomicAdd(&count, local);
    __syncthreads();
    if (threadIdx.x == 0) s[h].inliers = count;
}
struct Ransac::Impl { int n, rounds; PointXYZI *pts; Scored *s; };
Ransac::Ransac(int points, int rounds) : p(new Impl) { p->n = points; p->rounds = rounds; cudaMalloc(&p->pts, points * sizeof(PointXYZI)); cudaMalloc(&p->s, 512 * sizeof(Scored)); }
Ransac::~Ransac() { cudaFree(p->pts); cudaFree(p->s); }
void Ransac::run() { for (int r = 0; r < p->rounds; ++r) score<<<512, 256>>>(p->pts, p->n, p->s, 512, 0.2f); }
int main(int argc, char **argv)
{
    Ransac ransac(argc > 1 ? atoi(argv[1]) : 1000, argc > 2 ? atoi(argv[2]) : 1);
    ransac.run();
    return cudaDeviceSynchronize();
}
