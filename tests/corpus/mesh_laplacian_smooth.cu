// args: mesh.obj 10
#include <cstdio>
#include <cstdlib>
#include <cstring>
struct Point { float x, y, z; };
struct Ring { int first, count; };
__global__ void smooth(const Point *in, Point *out, const Ring *rings, const int *neighbours, int n, float lambda)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sx = 0, sy = 0, sz = 0;
    Ring r = rings[i];
    for (int k = 0; k < r.count; k++) {
        const Point &q = in[neighbours[r.first + k]];
        sx += q.x; sy += q.y; sz += q.z;
    }
    float w = r.count ? 1.0f / r.count : 0;
    out[i].x = in[i].x + lambda * (sx * w - in[i].x);
    out[i].y = in[i].y + lambda * (sy * w - in[i].y);
    out[i].z = in[i].z + lambda * (sz * w - in[i].z);
}
static int count_vertices(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) return -1;
    char line[256];
    int n = 0;
    while (fgets(line, sizeof line, f)) n += line[0] == 'v' && line[1] == ' ';
    fclose(f);
    return n;
}
int main(int argc, char **argv)
{
    if (argc < 3) return 1;
    int n = count_vertices(argv[1]);
    if (n < 0) { perror(argv[1]); return 1; }
    int rounds = atoi(argv[2]);
    Point *a, *b; Ring *rings; int *neighbours;
    cudaMalloc(&a, n * sizeof(Point));
    cudaMalloc(&b, n * sizeof(Point));
    cudaMalloc(&rings, n * sizeof(Ring));
    cudaMalloc(&neighbours, 6 * n * sizeof(int));
    for (int r = 0; r < rounds; r++) {
        smooth<<<(n + 255) / 256, 256>>>(a, b, rings, neighbours, n, 0.5f);
        Point *t = a; a = b; b = t;
    }
    cudaDeviceSynchronize();
}
