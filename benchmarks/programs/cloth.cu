// Mass-spring cloth: structural, shear and bend springs (12 neighbours per node)
// semi-implicit Euler, collision against a static sphere and the ground plane.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#define CLOTH_W 1536
#define CLOTH_H 1024
#define BLOCK_X 16
#define BLOCK_Y 16

#define checkCudaErrors(val) checkResult((val), #val, __LINE__)
static void checkResult(cudaError_t r, const char *func, int line)
{
    if (r) {
        fprintf(stderr, "CUDA error at line %d code=%d(%s) \"%s\"\n", line, (int)r,
                cudaGetErrorName(r), func);
        exit(EXIT_FAILURE);
    }
}

typedef struct ClothNode {
    float3 position;
    float3 oldPosition;
    float3 velocity;
    float3 force;
    float3 normal;
    float  invMass;
    int    pinned;
    short  contacts;
    short  material;
} ClothNode;

typedef struct ClothParams {
    float restX, restY;
    float ks[3];          // structural, shear, bend
    float kd;
    float airDrag;
    float dt;
    float3 gravity, wind;
} ClothParams;

typedef struct Sphere {
    float3 centre;
    float  radius;
    float  friction;
} Sphere;

__host__ __device__ inline float3 v3(float x, float y, float z) { return make_float3(x, y, z); }
__device__ inline float3 operator+(float3 a, float3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ inline float3 operator-(float3 a, float3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ inline float3 operator*(float3 a, float s)  { return v3(a.x * s, a.y * s, a.z * s); }
__device__ inline float  dot3(float3 a, float3 b)      { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float3 cross3(float3 a, float3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__constant__ int springDx[12] = { 1, -1, 0,  0, 1,  1, -1, -1, 2, -2, 0,  0 };
__constant__ int springDy[12] = { 0,  0, 1, -1, 1, -1,  1, -1, 0,  0, 2, -2 };

__device__ float3 springForce(const ClothNode &a, const ClothNode &b, float rest, float ks, float kd)
{
    float3 d = b.position - a.position;
    float len = sqrtf(dot3(d, d)) + 1e-9f;
    float3 dir = d * (1.0f / len);
    float stretch = ks * (len - rest);
    float damp = kd * dot3(b.velocity - a.velocity, dir);
    return dir * (stretch + damp);
}

__global__ void computeNormals(ClothNode *nodes, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;

    int xl = max(x - 1, 0), xr = min(x + 1, w - 1);
    int yl = max(y - 1, 0), yr = min(y + 1, h - 1);
    float3 tx = nodes[y * w + xr].position - nodes[y * w + xl].position;
    float3 ty = nodes[yr * w + x].position - nodes[yl * w + x].position;
    float3 n = cross3(tx, ty);
    nodes[y * w + x].normal = n * rsqrtf(dot3(n, n) + 1e-20f);
}

__global__ void computeForces(ClothNode *nodes, int w, int h, ClothParams prm)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;

    int id = y * w + x;
    const ClothNode &me = nodes[id];
    float3 f = v3(0, 0, 0);

    for (int s = 0; s < 12; s++) {
        int nx = x + springDx[s], ny = y + springDy[s];
        if (nx < 0 || ny < 0 || nx >= w || ny >= h) continue;
        float rx = springDx[s] * prm.restX, ry = springDy[s] * prm.restY;
        f = f + springForce(me, nodes[ny * w + nx], sqrtf(rx * rx + ry * ry), prm.ks[s >> 2], prm.kd);
    }
    if (me.invMass > 0.0f)
        f = f + prm.gravity * (1.0f / me.invMass);

    // wind acts along the normal, drag along the velocity
    float3 rel = prm.wind - me.velocity;
    f = f + me.normal * (prm.airDrag * dot3(rel, me.normal));
    f = f - me.velocity * (0.1f * prm.airDrag);

    nodes[id].force = f;
}

__global__ void integrateNodes(ClothNode *nodes, int w, int h, float dt)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;

    ClothNode *n = &nodes[y * w + x];
    if (n->pinned) return;
    n->velocity = n->velocity + n->force * (n->invMass * dt);
    n->oldPosition = n->position;
    n->position = n->position + n->velocity * dt;
}

__global__ void collideSphere(ClothNode *nodes, int count, Sphere s, float groundY)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    if (nodes[i].pinned) return;

    float3 p = nodes[i].position;
    float3 d = p - s.centre;
    float dist2 = dot3(d, d);
    if (dist2 < s.radius * s.radius) {
        float3 n = d * rsqrtf(dist2 + 1e-12f);
        nodes[i].position = s.centre + n * s.radius;
        float3 v = nodes[i].velocity;
        float vn = dot3(v, n);
        if (vn < 0.0f) {
            float3 vt = v - n * vn;
            nodes[i].velocity = vt * (1.0f - s.friction);
        }
        nodes[i].contacts++;
    } else if (p.y < groundY) {
        nodes[i].position.y = groundY;
        nodes[i].velocity.y = 0.0f;
        nodes[i].contacts++;
    }
}

static unsigned int lcgState = 20240517u;
static float lcg(void)
{
    lcgState = lcgState * 1664525u + 1013904223u;
    return (float)(lcgState >> 8) / 16777216.0f;
}

static void initCloth(ClothNode *c, int w, int h, float dx, float dy)
{
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            ClothNode *n = &c[y * w + x];
            memset(n, 0, sizeof(*n));
            n->position = v3((x - 0.5f * (w - 1)) * dx,
                             1.0f + 0.002f * sinf(0.05f * x) * cosf(0.03f * y),
                             (y - 0.5f * (h - 1)) * dy);
            n->position.y += 1e-5f * (lcg() - 0.5f);
            n->oldPosition = n->position;
            n->velocity = v3(0.0f, -1.0f, 0.0f);
            n->normal = v3(0.0f, 1.0f, 0.0f);
            n->material = (short)((x / 64 + y / 64) & 1);
            n->pinned = (y == 0) && (x % 128 == 0);
            n->invMass = n->pinned ? 0.0f : 1.0f / (n->material ? 1.2e-3f : 1.0e-3f);
        }
    }
}

int main(void)
{
    const int count = CLOTH_W * CLOTH_H, steps = 10;
    ClothParams prm;
    prm.restX = prm.restY = 0.002f;
    prm.ks[0] = 400.0f;
    prm.ks[1] = 150.0f;
    prm.ks[2] = 60.0f;
    prm.kd = 0.02f;
    prm.airDrag = 2e-4f;
    prm.dt = 2e-4f;
    prm.gravity = v3(0.0f, -9.81f, 0.0f);
    prm.wind = v3(0.3f, 0.0f, 1.5f);

    Sphere ball;
    ball.centre = v3(0.1f, 0.502f, -0.05f);
    ball.radius = 0.5f;
    ball.friction = 0.25f;

    ClothNode *hNodes = (ClothNode *)malloc(count * sizeof(ClothNode));
    initCloth(hNodes, CLOTH_W, CLOTH_H, prm.restX, prm.restY);

    ClothNode *dNodes;
    checkCudaErrors(cudaMalloc((void **)&dNodes, count * sizeof(ClothNode)));
    checkCudaErrors(cudaMemcpy(dNodes, hNodes, count * sizeof(ClothNode), cudaMemcpyHostToDevice));

    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid((CLOTH_W + BLOCK_X - 1) / BLOCK_X, (CLOTH_H + BLOCK_Y - 1) / BLOCK_Y);
    for (int t = 0; t < steps; t++) {
        computeNormals<<<grid, block>>>(dNodes, CLOTH_W, CLOTH_H);
        computeForces<<<grid, block>>>(dNodes, CLOTH_W, CLOTH_H, prm);
        integrateNodes<<<grid, block>>>(dNodes, CLOTH_W, CLOTH_H, prm.dt);
        collideSphere<<<(count + 255) / 256, 256>>>(dNodes, count, ball, 0.0f);
        checkCudaErrors(cudaGetLastError());
    }
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(hNodes, dNodes, count * sizeof(ClothNode), cudaMemcpyDeviceToHost));

    double sy = 0.0, sv = 0.0;
    long contacts = 0;
    for (int i = 0; i < count; i++) {
        sy += hNodes[i].position.y;
        sv += hNodes[i].velocity.x + hNodes[i].velocity.y + hNodes[i].velocity.z;
        contacts += hNodes[i].contacts;
    }
    printf("cloth: mean y %.7f mean v %.6f contacts %ld\n", sy / count, sv / count, contacts);

    cudaFree(dNodes);
    free(hNodes);
    return 0;
}
