// An array of records inside a record: leaves v.a and v.b repeat every 8 bytes.
struct pair { float a, b; };
struct bundle { int n; pair v[3]; };
__global__ void k(bundle *p, int j) { p[threadIdx.x].v[j].b = p[threadIdx.x].n; }
