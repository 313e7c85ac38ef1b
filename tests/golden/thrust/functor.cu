#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/execution_policy.h>
struct Cell { double density, energy, velocity; };
struct Update {
    Cell *cells;
    double dt;
    __device__ void operator()(int i) const
    {
        cells[i].energy += dt * cells[i].density * cells[i].velocity;
        cells[i].density -= dt * cells[i].velocity;
    }
};
int main() { Cell *cells; int n = 1 << 20; cudaMalloc(&cells, n * sizeof(Cell)); Update update{cells, 0.1};
 thrust::for_each(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), update); }
