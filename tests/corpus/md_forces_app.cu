// args: 24 1000
#include "md_forces.cuh"
#include <cstdio>

static void build_neighbours(int n, int mn, int *nn, int *nl) {
  for (int i = 0; i < n; ++i) {
    nn[i] = 0;
    for (int k = 0; k < mn; ++k) {
      int j = (i + 1 + k * 17) % n;
      if (j != i) nl[i + n * nn[i]++] = j;
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 3) { printf("usage: %s nx Ne\n", argv[0]); exit(1); }
  int nx = atoi(argv[1]), ne = atoi(argv[2]);
  const int number = 4 * nx * nx * nx, MN = 80;
  const float ax = 5.385f;
  Box box = {ax * nx, ax * nx, ax * nx};
  Atoms atoms;
  allocate(atoms, number);
  int *nn, *nl;
  cudaMallocManaged(&nn, number * sizeof(int));
  cudaMallocManaged(&nl, number * MN * sizeof(int));
  int n = 0;
  for (int ix = 0; ix < nx; ++ix)
    for (int iy = 0; iy < nx; ++iy)
      for (int iz = 0; iz < nx; ++iz)
        for (int i = 0; i < 4; ++i, ++n) {
          atoms.m[n] = 40.f;
          atoms.x[n] = ix * ax; atoms.y[n] = iy * ax; atoms.z[n] = iz * ax + i;
          atoms.vx[n] = atoms.vy[n] = atoms.vz[n] = 0;
        }
  build_neighbours(number, MN, nn, nl);
  const int block_size = 128;
  const int grid_size = (number - 1) / block_size + 1;
  find_force<<<grid_size, block_size>>>(number, MN, nn, nl, box, atoms.x, atoms.y, atoms.z, atoms.fx, atoms.fy, atoms.fz, atoms.pe);
  for (int step = 0; step < ne; ++step) {
    verlet<<<grid_size, block_size>>>(number, 0.5f, atoms.m, atoms.x, atoms.y, atoms.z, atoms.vx, atoms.vy, atoms.vz, atoms.fx, atoms.fy, atoms.fz, true);
    find_force<<<grid_size, block_size>>>(number, MN, nn, nl, box, atoms.x, atoms.y, atoms.z, atoms.fx, atoms.fy, atoms.fz, atoms.pe);
    verlet<<<grid_size, block_size>>>(number, 0.5f, atoms.m, atoms.x, atoms.y, atoms.z, atoms.vx, atoms.vy, atoms.vz, atoms.fx, atoms.fy, atoms.fz, false);
  }
  cudaDeviceSynchronize();
  printf("%g\n", atoms.pe[0]);
}
