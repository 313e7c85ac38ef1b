// args: 200 100000
#include <cstdio>
#include <cstdlib>
struct Item { int weight, value; };
struct Slot { int best; unsigned char taken; };
__global__ void row(const Slot *prev, Slot *cur, const Item *items, int i, int capacity)
{
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w > capacity) return;
    int best = prev[w].best;
    unsigned char taken = 0;
    if (w >= items[i].weight) {
        int with = prev[w - items[i].weight].best + items[i].value;
        if (with > best) { best = with; taken = 1; }
    }
    cur[w].best = best;
    cur[w].taken = taken;
}
int main(int argc, char **argv)
{
    const int items = atoi(argv[1]);
    const int capacity = atoi(argv[2]);
    Item *d_items; Slot *table;
    cudaMalloc(&d_items, items * sizeof(Item));
    cudaMalloc(&table, (size_t)(items + 1) * (capacity + 1) * sizeof(Slot));
    cudaMemset(table, 0, (capacity + 1) * sizeof(Slot));
    for (int i = 0; i < items; i++) {
        Slot *prev = table + (size_t)i * (capacity + 1), *cur = prev + capacity + 1;
        row<<<capacity / 256 + 1, 256>>>(prev, cur, d_items, i, capacity);
    }
    cudaDeviceSynchronize();
}
