__global__ void one(int *a) { }
__global__ void two(int *a) { }
int main() { one<<<1, 32>>>(nullptr); two<<<1, 32>>>(nullptr); }
