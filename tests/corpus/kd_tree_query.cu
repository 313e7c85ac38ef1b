// args: 131072 1000000
#include <cstdio>
#include <cstdlib>
#include <cmath>
struct Node { float split; int axis, left, right; float px, py, pz; int id; };
struct Query { float x, y, z; };
struct Hit { int id; float dist2; };
__global__ void nearest(const Node *tree, const Query *queries, Hit *hits, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    Query q = queries[t];
    float best = 3.4e38f;
    int best_id = -1, stack[32], top = 0;
    stack[top++] = 0;
    while (top > 0) {
        int i = stack[--top];
        float dx = tree[i].px - q.x, dy = tree[i].py - q.y, dz = tree[i].pz - q.z;
        float d2 = dx * dx + dy * dy + dz * dz;
        if (d2 < best) { best = d2; best_id = tree[i].id; }
        int axis = tree[i].axis;
        float diff = (axis == 0 ? q.x : axis == 1 ? q.y : q.z) - tree[i].split;
        int near_child = diff < 0 ? tree[i].left : tree[i].right, far_child = diff < 0 ? tree[i].right : tree[i].left;
        if (far_child >= 0 && diff * diff < best && top < 32) stack[top++] = far_child;
        if (near_child >= 0 && top < 32) stack[top++] = near_child;
    }
    hits[t].id = best_id;
    hits[t].dist2 = best;
}
int main(int argc, char **argv)
{
    int points = atoi(argv[1]), queries = atoi(argv[2]);
    Node *tree; Query *q; Hit *h;
    cudaMalloc(&tree, points * sizeof(Node));
    cudaMalloc(&q, queries * sizeof(Query));
    cudaMalloc(&h, queries * sizeof(Hit));
    nearest<<<(queries + 127) / 128, 128>>>(tree, q, h, queries);
    cudaDeviceSynchronize();
}
