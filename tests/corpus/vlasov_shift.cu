#include "vlasov_shift.h"
#include <cstdio>
int main()
{
    vlasov::Grid<float> grid(256, 512);
    vlasov::Stepper<float, vlasov::Cubic> stepper(grid);
    for (int n = 0; n < 25; ++n) stepper.step(0.1f);
    printf("%d\n", (int)cudaDeviceSynchronize());
}
