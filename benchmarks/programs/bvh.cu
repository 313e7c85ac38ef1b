// Ray casting against a triangle soup with a host-built BVH.
// Primary rays -> closest hit -> shadow rays -> any hit -> shading.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cfloat>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                      \
    do {                                                                      \
        cudaError_t err_ = (call);                                            \
        if (err_ != cudaSuccess) {                                            \
            fprintf(stderr, "%s:%d CUDA error: %s\n", __FILE__, __LINE__,     \
                    cudaGetErrorString(err_));                                \
            exit(EXIT_FAILURE);                                               \
        }                                                                     \
    } while (0)

struct Vec3 { float x, y, z; };

__host__ __device__ inline Vec3 make_vec(float x, float y, float z) { Vec3 v; v.x = x; v.y = y; v.z = z; return v; }
__host__ __device__ inline Vec3 operator+(const Vec3& a, const Vec3& b) { return make_vec(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline Vec3 operator-(const Vec3& a, const Vec3& b) { return make_vec(a.x - b.x, a.y - b.y, a.z - b.z); }
__host__ __device__ inline Vec3 operator*(const Vec3& a, float s) { return make_vec(a.x * s, a.y * s, a.z * s); }
__host__ __device__ inline float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ inline Vec3 cross(const Vec3& a, const Vec3& b)
{
    return make_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__host__ __device__ inline Vec3 normalize(const Vec3& a) { return a * (1.0f / sqrtf(dot(a, a))); }

struct Triangle {
    Vec3 v0, v1, v2;
    Vec3 normal;
    int  material;
};

struct BVHNode {
    Vec3 bmin, bmax;
    int  left, right;    // children, -1 for leaf
    int  first, count;   // triangle range for leaf
};

struct Ray { Vec3 org; Vec3 dir; float tmin, tmax; };
struct Hit { float t, u, v; int tri; };
struct Camera { Vec3 eye, lowerLeft, du, dv; };

static const int MAX_STACK = 64;
static const int LEAF_SIZE = 4;

__device__ bool intersectBox(const BVHNode& n, const Vec3& o, const Vec3& inv, float tmin, float tmax, float* tnear)
{
    float tx1 = (n.bmin.x - o.x) * inv.x, tx2 = (n.bmax.x - o.x) * inv.x;
    float lo = fmaxf(tmin, fminf(tx1, tx2)), hi = fminf(tmax, fmaxf(tx1, tx2));
    float ty1 = (n.bmin.y - o.y) * inv.y, ty2 = (n.bmax.y - o.y) * inv.y;
    lo = fmaxf(lo, fminf(ty1, ty2)); hi = fminf(hi, fmaxf(ty1, ty2));
    float tz1 = (n.bmin.z - o.z) * inv.z, tz2 = (n.bmax.z - o.z) * inv.z;
    lo = fmaxf(lo, fminf(tz1, tz2)); hi = fminf(hi, fmaxf(tz1, tz2));
    *tnear = lo;
    return lo <= hi;
}

__device__ bool intersectTri(const Triangle& tri, const Vec3& o, const Vec3& d, float tmin, float tmax, Hit* h)
{
    Vec3 e1 = tri.v1 - tri.v0, e2 = tri.v2 - tri.v0;
    Vec3 p = cross(d, e2);
    float det = dot(e1, p);
    if (fabsf(det) < 1e-12f) return false;
    float inv = 1.0f / det;
    Vec3 s = o - tri.v0;
    float u = dot(s, p) * inv;
    if (u < 0.0f || u > 1.0f) return false;
    Vec3 q = cross(s, e1);
    float v = dot(d, q) * inv;
    if (v < 0.0f || u + v > 1.0f) return false;
    float t = dot(e2, q) * inv;
    if (t <= tmin || t >= tmax) return false;
    h->t = t; h->u = u; h->v = v;
    return true;
}

template <bool ANY_HIT>
__device__ Hit traverse(const BVHNode* nodes, const Triangle* tris, const Ray& ray)
{
    Hit best; best.t = ray.tmax; best.u = best.v = 0.0f; best.tri = -1;
    if (ray.tmax <= ray.tmin) return best;
    Vec3 inv = make_vec(1.0f / ray.dir.x, 1.0f / ray.dir.y, 1.0f / ray.dir.z);
    int stack[MAX_STACK];
    int sp = 0;
    stack[sp++] = 0;
    while (sp > 0) {
        const BVHNode& node = nodes[stack[--sp]];
        float tn;
        if (!intersectBox(node, ray.org, inv, ray.tmin, best.t, &tn)) continue;
        if (node.left < 0) {
            for (int i = 0; i < node.count; ++i) {
                Hit h;
                if (intersectTri(tris[node.first + i], ray.org, ray.dir, ray.tmin, best.t, &h)) {
                    h.tri = node.first + i;
                    best = h;
                    if (ANY_HIT) return best;
                }
            }
        } else {
            float tl, tr;
            bool hl = intersectBox(nodes[node.left], ray.org, inv, ray.tmin, best.t, &tl);
            bool hr = intersectBox(nodes[node.right], ray.org, inv, ray.tmin, best.t, &tr);
            if (hl && hr) {
                bool leftFirst = tl < tr;
                stack[sp++] = leftFirst ? node.right : node.left;
                stack[sp++] = leftFirst ? node.left : node.right;
            } else if (hl) stack[sp++] = node.left;
            else if (hr) stack[sp++] = node.right;
        }
    }
    return best;
}

__global__ void generateRays(Ray* rays, Camera cam, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    Ray r;
    r.org = cam.eye;
    r.dir = normalize(cam.lowerLeft + cam.du * ((x + 0.5f) / w) + cam.dv * ((y + 0.5f) / h) - cam.eye);
    r.tmin = 1e-4f;
    r.tmax = 1e4f;
    rays[y * w + x] = r;
}

__global__ void traceClosest(const BVHNode* nodes, const Triangle* tris, const Ray* rays, Hit* hits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) hits[i] = traverse<false>(nodes, tris, rays[i]);
}

__global__ void makeShadowRays(const Ray* rays, const Hit* hits, Ray* shadow, Vec3 light, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Ray s;
    if (hits[i].tri >= 0) {
        Vec3 p = rays[i].org + rays[i].dir * hits[i].t;
        Vec3 d = light - p;
        float dist = sqrtf(dot(d, d));
        s.org = p; s.dir = d * (1.0f / dist); s.tmin = 1e-3f; s.tmax = dist;
    } else {
        s.org = rays[i].org; s.dir = make_vec(0.0f, 1.0f, 0.0f); s.tmin = 1.0f; s.tmax = 0.0f;
    }
    shadow[i] = s;
}

__global__ void traceShadow(const BVHNode* nodes, const Triangle* tris, const Ray* rays, int* occluded, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) occluded[i] = traverse<true>(nodes, tris, rays[i]).tri >= 0 ? 1 : 0;
}

__global__ void shade(const Triangle* tris, const Hit* hits, const Ray* shadow, const int* occluded, Vec3* image, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Vec3 c = make_vec(0.4f, 0.6f, 0.9f);
    if (hits[i].tri >= 0) {
        const Triangle& t = tris[hits[i].tri];
        float nl = fabsf(dot(t.normal, shadow[i].dir));
        float k = 0.1f + (occluded[i] ? 0.0f : 0.9f * nl);
        Vec3 base = t.material == 0 ? make_vec(0.5f, 0.7f, 0.3f)
                  : t.material == 1 ? make_vec(0.8f, 0.3f, 0.2f) : make_vec(0.7f, 0.7f, 0.7f);
        c = base * k;
    }
    image[i] = c;
}

// ---------------------------------------------------------------- host
static float frand() { return rand() / (float)RAND_MAX; }

static void addTri(std::vector<Triangle>& out, Vec3 a, Vec3 b, Vec3 c, int mat)
{
    Triangle t; t.v0 = a; t.v1 = b; t.v2 = c; t.material = mat;
    Vec3 n = cross(b - a, c - a);
    float l = sqrtf(dot(n, n));
    t.normal = l > 0.0f ? n * (1.0f / l) : make_vec(0, 1, 0);
    out.push_back(t);
}

static float height(float x, float z) { return 2.0f * sinf(0.13f * x) * cosf(0.17f * z) + 0.5f * sinf(0.7f * x + 0.4f * z); }

static float axisOf(const Vec3& v, int a) { return a == 0 ? v.x : a == 1 ? v.y : v.z; }

static int build(std::vector<BVHNode>& nodes, std::vector<Triangle>& tris, int first, int count)
{
    int id = (int)nodes.size();
    nodes.push_back(BVHNode());
    BVHNode n;
    n.bmin = make_vec(FLT_MAX, FLT_MAX, FLT_MAX);
    n.bmax = make_vec(-FLT_MAX, -FLT_MAX, -FLT_MAX);
    for (int i = first; i < first + count; ++i) {
        const Vec3* p[3] = { &tris[i].v0, &tris[i].v1, &tris[i].v2 };
        for (int k = 0; k < 3; ++k) {
            n.bmin = make_vec(std::min(n.bmin.x, p[k]->x), std::min(n.bmin.y, p[k]->y), std::min(n.bmin.z, p[k]->z));
            n.bmax = make_vec(std::max(n.bmax.x, p[k]->x), std::max(n.bmax.y, p[k]->y), std::max(n.bmax.z, p[k]->z));
        }
    }
    n.left = n.right = -1; n.first = first; n.count = count;
    if (count > LEAF_SIZE) {
        Vec3 e = n.bmax - n.bmin;
        int axis = e.x > e.y ? (e.x > e.z ? 0 : 2) : (e.y > e.z ? 1 : 2);
        int mid = count / 2;
        std::nth_element(tris.begin() + first, tris.begin() + first + mid, tris.begin() + first + count,
            [axis](const Triangle& a, const Triangle& b) {
                return axisOf(a.v0, axis) + axisOf(a.v1, axis) + axisOf(a.v2, axis)
                     < axisOf(b.v0, axis) + axisOf(b.v1, axis) + axisOf(b.v2, axis); });
        n.left = build(nodes, tris, first, mid);
        n.right = build(nodes, tris, first + mid, count - mid);
    }
    nodes[id] = n;
    return id;
}

int main()
{
    const int W = 1280, H = 960, FRAMES = 6, N = W * H;
    srand(1234);
    std::vector<Triangle> tris;
    const int G = 256;
    const float s = 100.0f / G;
    for (int j = 0; j < G; ++j)
        for (int i = 0; i < G; ++i) {
            float x0 = i * s - 50, x1 = x0 + s, z0 = j * s - 50, z1 = z0 + s;
            Vec3 a = make_vec(x0, height(x0, z0), z0), b = make_vec(x1, height(x1, z0), z0);
            Vec3 c = make_vec(x1, height(x1, z1), z1), d = make_vec(x0, height(x0, z1), z1);
            addTri(tris, a, b, c, 0);
            addTri(tris, a, c, d, 0);
        }
    for (int k = 0; k < 60000; ++k) {   // debris
        Vec3 p = make_vec(frand() * 96 - 48, 0, frand() * 96 - 48);
        p.y = height(p.x, p.z) + frand() * 6.0f;
        Vec3 q = p + make_vec(frand() - 0.5f, frand() - 0.5f, frand() - 0.5f);
        Vec3 r = p + make_vec(frand() - 0.5f, frand() - 0.5f, frand() - 0.5f);
        addTri(tris, p, q, r, 1 + (k & 1));
    }
    std::vector<BVHNode> nodes;
    nodes.reserve(tris.size());
    build(nodes, tris, 0, (int)tris.size());

    Triangle* d_tris; BVHNode* d_nodes; Ray *d_rays, *d_shadow; Hit* d_hits; int* d_occ; Vec3* d_img;
    CUDA_CHECK(cudaMalloc(&d_tris, tris.size() * sizeof(Triangle)));
    CUDA_CHECK(cudaMalloc(&d_nodes, nodes.size() * sizeof(BVHNode)));
    CUDA_CHECK(cudaMalloc(&d_rays, N * sizeof(Ray)));
    CUDA_CHECK(cudaMalloc(&d_shadow, N * sizeof(Ray)));
    CUDA_CHECK(cudaMalloc(&d_hits, N * sizeof(Hit)));
    CUDA_CHECK(cudaMalloc(&d_occ, N * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&d_img, N * sizeof(Vec3)));
    CUDA_CHECK(cudaMemcpy(d_tris, tris.data(), tris.size() * sizeof(Triangle), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_nodes, nodes.data(), nodes.size() * sizeof(BVHNode), cudaMemcpyHostToDevice));

    dim3 tb(16, 16), gb((W + 15) / 16, (H + 15) / 16);
    const int threads = 128, blocks = (N + threads - 1) / threads;
    for (int f = 0; f < FRAMES; ++f) {
        float ang = 0.3f * f;
        Camera cam;
        cam.eye = make_vec(40.0f * cosf(ang), 14.0f, 40.0f * sinf(ang));
        Vec3 fwd = normalize(make_vec(0, 0, 0) - cam.eye);
        Vec3 right = normalize(cross(fwd, make_vec(0, 1, 0)));
        Vec3 up = cross(right, fwd);
        cam.du = right * 1.6f; cam.dv = up * 1.2f;
        cam.lowerLeft = cam.eye + fwd - cam.du * 0.5f - cam.dv * 0.5f;
        generateRays<<<gb, tb>>>(d_rays, cam, W, H);
        traceClosest<<<blocks, threads>>>(d_nodes, d_tris, d_rays, d_hits, N);
        makeShadowRays<<<blocks, threads>>>(d_rays, d_hits, d_shadow, make_vec(10.0f, 40.0f, -20.0f), N);
        traceShadow<<<blocks, threads>>>(d_nodes, d_tris, d_shadow, d_occ, N);
        shade<<<blocks, threads>>>(d_tris, d_hits, d_shadow, d_occ, d_img, N);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaDeviceSynchronize());

    std::vector<Vec3> img(N);
    std::vector<int> occ(N);
    CUDA_CHECK(cudaMemcpy(img.data(), d_img, N * sizeof(Vec3), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(occ.data(), d_occ, N * sizeof(int), cudaMemcpyDeviceToHost));
    double sum = 0; long nocc = 0;
    for (int i = 0; i < N; ++i) { sum += img[i].x + img[i].y + img[i].z; nocc += occ[i]; }
    printf("tris %zu nodes %zu  mean %.6f  shadowed %ld\n", tris.size(), nodes.size(), sum / (3.0 * N), nocc);
    void* all[] = { d_tris, d_nodes, d_rays, d_shadow, d_hits, d_occ, d_img };
    for (void* p : all) cudaFree(p);
    return 0;
}
