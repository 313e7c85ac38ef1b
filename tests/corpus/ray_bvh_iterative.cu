// args: 640 480 20000
#include <cstdio>
#include <cstdlib>
struct Aabb { float3 low, high; };
struct BvhNode { Aabb box; int left, right, primitive; };
struct Hit { float t; int primitive; };
__device__ bool overlaps(const Aabb &box, float3 origin, float3 inverse)
{
    float a = (box.low.x - origin.x) * inverse.x, b = (box.high.x - origin.x) * inverse.x;
    float near_ = fminf(a, b), far_ = fmaxf(a, b);
    a = (box.low.y - origin.y) * inverse.y;
    b = (box.high.y - origin.y) * inverse.y;
    near_ = fmaxf(near_, fminf(a, b));
    far_ = fminf(far_, fmaxf(a, b));
    return near_ <= far_;
}
__global__ void traverse(const BvhNode *nodes, Hit *hits, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float3 origin = make_float3(x, y, 0), inverse = make_float3(1, 1, 1);
    int stack[32], top = 0, best = -1;
    stack[top++] = 0;
    while (top > 0) {
        int node = stack[--top];
        if (!overlaps(nodes[node].box, origin, inverse)) continue;
        if (nodes[node].primitive >= 0) best = nodes[node].primitive;
        else { stack[top++] = nodes[node].left; stack[top++] = nodes[node].right; }
    }
    hits[y * width + x].primitive = best;
    hits[y * width + x].t = 1;
}
int main(int argc, char **argv)
{
    int width = atoi(argv[1]), height = atoi(argv[2]), triangles = atoi(argv[3]);
    BvhNode *nodes;
    Hit *hits;
    cudaMalloc(&nodes, (2 * triangles - 1) * sizeof(BvhNode));
    cudaMalloc(&hits, width * height * sizeof(Hit));
    const dim3 block(8, 8), grid((width + 7) / 8, (height + 7) / 8);
    traverse<<<grid, block>>>(nodes, hits, width, height);
    cudaDeviceSynchronize();
}
