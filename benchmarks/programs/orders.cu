// Analytic queries over an order table stored row-wise.
#include <iostream>
#include <iomanip>
#include <vector>
#include <cstdlib>
#include <climits>
#include <cfloat>
#include <cuda_runtime.h>

#define CUDA_OK(stmt)                                                         \
    do {                                                                      \
        cudaError_t rc = stmt;                                                \
        if (rc != cudaSuccess) {                                              \
            std::cerr << "CUDA error " << cudaGetErrorName(rc) << " at line " \
                      << __LINE__ << std::endl;                               \
            std::exit(2);                                                     \
        }                                                                     \
    } while (0)

enum { FLAG_SHIPPED = 1, FLAG_RETURNED = 2, FLAG_PRIORITY = 4, FLAG_GIFT = 8 };

constexpr int kRegions = 8;
constexpr int kMonths = 12;
constexpr int kGroups = kRegions * kMonths;

struct Order {
    long long id;
    int customer;
    int date;             // days since 2015-01-01
    double price;
    float discount;
    float tax;
    short quantity;
    unsigned char region;
    unsigned char flags;
    int clerk;
};

struct Group {
    double revenue;
    unsigned long long quantity;
    unsigned int count;
    unsigned int returned;
};

struct Extremes {
    double lo;
    double hi;
    int firstDate;
    int lastDate;
};

struct Picked {
    long long id;
    float amount;
    int date;
};

template <typename T>
__device__ __forceinline__ T warpSum(T v)
{
    for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
    return v;
}

__device__ __forceinline__ double netPrice(const Order& o)
{
    return o.price * (1.0 - o.discount);
}

// sum(price * discount) for a date range, discount band and quantity limit
__global__ void filterSum(const Order* orders, int n, int dateFrom, int dateTo, float dLo, float dHi,
                          int maxQty, double* result, unsigned int* rows)
{
    double sum = 0.0;
    unsigned int cnt = 0;
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const Order& o = orders[i];
        if (o.date >= dateFrom && o.date < dateTo && o.discount >= dLo && o.discount <= dHi &&
            o.quantity < maxQty) {
            sum += o.price * o.discount;
            ++cnt;
        }
    }
    sum = warpSum(sum);
    cnt = warpSum(cnt);
    if (threadIdx.x % warpSize == 0 && cnt > 0) {
        atomicAdd(result, sum);
        atomicAdd(rows, cnt);
    }
}

// group by (region, month)
__global__ void groupByRegionMonth(const Order* orders, int n, Group* groups)
{
    __shared__ Group local[kGroups];
    for (int g = threadIdx.x; g < kGroups; g += blockDim.x) {
        local[g].revenue = 0.0;
        local[g].quantity = 0ull;
        local[g].count = 0u;
        local[g].returned = 0u;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        Order o = orders[i];
        if (!(o.flags & FLAG_SHIPPED)) continue;
        int month = (o.date % 365) * 12 / 365;
        Group* g = &local[o.region * kMonths + month];
        atomicAdd(&g->revenue, netPrice(o) * (1.0 + o.tax));
        atomicAdd(&g->quantity, (unsigned long long)o.quantity);
        atomicAdd(&g->count, 1u);
        if (o.flags & FLAG_RETURNED) atomicAdd(&g->returned, 1u);
    }
    __syncthreads();
    for (int g = threadIdx.x; g < kGroups; g += blockDim.x) {
        atomicAdd(&groups[g].revenue, local[g].revenue);
        atomicAdd(&groups[g].quantity, local[g].quantity);
        atomicAdd(&groups[g].count, local[g].count);
        atomicAdd(&groups[g].returned, local[g].returned);
    }
}

// select id, amount, date where priority and amount > threshold
__global__ void selectRows(const Order* orders, int n, float threshold, Picked* out, int* outCount)
{
    __shared__ int blockCount;
    __shared__ int blockBase;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) blockCount = 0;
    __syncthreads();
    bool take = false;
    float amount = 0.f;
    int slot = 0;
    if (i < n && (orders[i].flags & FLAG_PRIORITY)) {
        amount = (float)netPrice(orders[i]);
        take = amount > threshold;
    }
    if (take) slot = atomicAdd(&blockCount, 1);
    __syncthreads();
    if (threadIdx.x == 0) blockBase = blockCount > 0 ? atomicAdd(outCount, blockCount) : 0;
    __syncthreads();
    if (take) {
        out[blockBase + slot].id = orders[i].id;
        out[blockBase + slot].amount = amount;
        out[blockBase + slot].date = orders[i].date;
    }
}

__global__ void priceExtremes(const Order* orders, int n, Extremes* perBlock)
{
    __shared__ Extremes sm[256];
    Extremes e = {DBL_MAX, -DBL_MAX, INT_MAX, INT_MIN};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        e.lo = fmin(e.lo, orders[i].price);
        e.hi = fmax(e.hi, orders[i].price);
        e.firstDate = min(e.firstDate, orders[i].date);
        e.lastDate = max(e.lastDate, orders[i].date);
    }
    sm[threadIdx.x] = e;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) {
            Extremes& a = sm[threadIdx.x];
            const Extremes& b = sm[threadIdx.x + s];
            a.lo = fmin(a.lo, b.lo);
            a.hi = fmax(a.hi, b.hi);
            a.firstDate = min(a.firstDate, b.firstDate);
            a.lastDate = max(a.lastDate, b.lastDate);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) perBlock[blockIdx.x] = sm[0];
}

// in-place update: rebate for large unshipped orders of one clerk bucket
__global__ void applyRebate(Order* orders, int n, int clerkMod, float rebate)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && orders[i].clerk % 10 == clerkMod && !(orders[i].flags & FLAG_SHIPPED)) {
        orders[i].discount = fminf(orders[i].discount + rebate, 0.5f);
        orders[i].flags |= FLAG_GIFT;
    }
}

int main()
{
    const int n = 6000000;
    const int reps = 8;
    std::vector<Order> orders(n);
    unsigned int s = 777;
    auto next = [&s]() { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; };
    for (int i = 0; i < n; ++i) {
        Order& o = orders[i];
        o.id = 5000000000LL + 3LL * i;
        o.customer = next() % 300000;
        o.date = (int)((long long)i * 2555 / n) + next() % 10;
        o.price = 5.0 + (next() % 1000000) * 0.01;
        o.discount = (next() % 11) * 0.01f;
        o.tax = (next() % 9) * 0.01f;
        o.quantity = (short)(1 + next() % 50);
        o.region = (unsigned char)(next() % kRegions);
        unsigned int r = next();
        o.flags = (unsigned char)(((r % 10) < 8 ? FLAG_SHIPPED : 0) | ((r >> 8) % 20 == 0 ? FLAG_RETURNED : 0) |
                                  ((r >> 16) % 5 == 0 ? FLAG_PRIORITY : 0));
        o.clerk = next() % 1000;
    }
    Order* dOrders;  Group* dGroups;  Picked* dPicked;  Extremes* dExt;
    double* dSum;  unsigned int* dRows;  int* dCount;
    const int extBlocks = 528;
    CUDA_OK(cudaMalloc(&dOrders, sizeof(Order) * (size_t)n));
    CUDA_OK(cudaMalloc(&dGroups, sizeof(Group) * kGroups));
    CUDA_OK(cudaMalloc(&dPicked, sizeof(Picked) * (size_t)n));
    CUDA_OK(cudaMalloc(&dExt, sizeof(Extremes) * extBlocks));
    CUDA_OK(cudaMalloc(&dSum, sizeof(double)));
    CUDA_OK(cudaMalloc(&dRows, sizeof(unsigned int)));
    CUDA_OK(cudaMalloc(&dCount, sizeof(int)));
    CUDA_OK(cudaMemcpy(dOrders, orders.data(), sizeof(Order) * (size_t)n, cudaMemcpyHostToDevice));
    CUDA_OK(cudaMemset(dSum, 0, sizeof(double)));
    CUDA_OK(cudaMemset(dRows, 0, sizeof(unsigned int)));
    CUDA_OK(cudaMemset(dGroups, 0, sizeof(Group) * kGroups));
    for (int r = 0; r < reps; ++r) {
        CUDA_OK(cudaMemset(dCount, 0, sizeof(int)));
        filterSum<<<1056, 256>>>(dOrders, n, 365 * (r % 6), 365 * (r % 6 + 1), 0.045f, 0.075f, 24, dSum, dRows);
        groupByRegionMonth<<<528, 512>>>(dOrders, n, dGroups);
        selectRows<<<(n + 255) / 256, 256>>>(dOrders, n, 4000.0f, dPicked, dCount);
        priceExtremes<<<extBlocks, 256>>>(dOrders, n, dExt);
        applyRebate<<<(n + 127) / 128, 128>>>(dOrders, n, r, 0.02f);
        CUDA_OK(cudaGetLastError());
    }
    CUDA_OK(cudaDeviceSynchronize());
    double sum;  unsigned int rows;  int count;
    std::vector<Group> groups(kGroups);
    std::vector<Extremes> ext(extBlocks);
    CUDA_OK(cudaMemcpy(&sum, dSum, sizeof(sum), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(&rows, dRows, sizeof(rows), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(&count, dCount, sizeof(count), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(groups.data(), dGroups, sizeof(Group) * kGroups, cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(ext.data(), dExt, sizeof(Extremes) * extBlocks, cudaMemcpyDeviceToHost));
    double revenue = 0, hi = 0;
    unsigned long long qty = 0, returned = 0;
    for (const Group& g : groups) { revenue += g.revenue; qty += g.quantity; returned += g.returned; }
    for (const Extremes& e : ext) hi = e.hi > hi ? e.hi : hi;
    std::cout << std::setprecision(9) << "filtered " << rows << " sum " << sum << " picked " << count
              << " revenue " << revenue << " qty " << qty << " returned " << returned << " max " << hi << std::endl;
    cudaFree(dOrders);  cudaFree(dGroups);  cudaFree(dPicked);  cudaFree(dExt);
    cudaFree(dSum);  cudaFree(dRows);  cudaFree(dCount);
    return 0;
}
