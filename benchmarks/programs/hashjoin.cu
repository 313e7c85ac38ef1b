// GPU hash join: customers (build side) JOIN orders (probe side) on customer key.
// Open addressing with linear probing, slots claimed with atomicCAS.
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <vector>

#define EMPTY_KEY   0xFFFFFFFFu
#define TABLE_BITS  22
#define TABLE_SIZE  (1u << TABLE_BITS)
#define TABLE_MASK  (TABLE_SIZE - 1u)
#define NUM_CUST    2000000
#define NUM_ORDERS  6000000
#define NUM_REGIONS 32
#define LOOPS       6

#define checkCuda(expr) check_impl((expr), #expr, __LINE__)
static void check_impl(cudaError_t rc, const char* what, int line)
{
    if (rc != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s -> %s\n", line, what, cudaGetErrorString(rc));
        std::exit(1);
    }
}

struct KeyValue {
    uint32_t key;
    uint32_t value;      // row number in the customer table
};

struct CustomerRow {
    uint32_t cust_key;
    int16_t  region;
    uint8_t  segment;
    uint8_t  active;
    float    credit;
    float    rebate;
};

struct OrderRow {
    uint64_t order_key;
    uint32_t cust_key;
    int32_t  quantity;
    float    price;
    uint32_t day;
};

struct JoinedRow {
    uint64_t order_key;
    uint32_t cust_row;
    float    net;
    int      region;
};

struct RegionTotal {
    double             revenue;
    unsigned long long orders;
};

__device__ __forceinline__ uint32_t hash32(uint32_t k)
{
    k ^= k >> 16;
    k *= 0x85ebca6bu;
    k ^= k >> 13;
    k *= 0xc2b2ae35u;
    k ^= k >> 16;
    return k & TABLE_MASK;
}

__device__ uint32_t lookup(const KeyValue* __restrict__ table, uint32_t key)
{
    uint32_t slot = hash32(key);
    while (true) {
        KeyValue kv = table[slot];
        if (kv.key == key) return kv.value;
        if (kv.key == EMPTY_KEY) return EMPTY_KEY;
        slot = (slot + 1) & TABLE_MASK;
    }
}

__global__ void clear_table(KeyValue* table)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < TABLE_SIZE) {
        table[i].key = EMPTY_KEY;
        table[i].value = 0;
    }
}

__global__ void build_table(KeyValue* table, const CustomerRow* cust, uint32_t n)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (!cust[i].active) return;
    uint32_t key = cust[i].cust_key;
    uint32_t slot = hash32(key);
    while (true) {
        uint32_t prev = atomicCAS(&table[slot].key, EMPTY_KEY, key);
        if (prev == EMPTY_KEY || prev == key) {
            table[slot].value = i;
            return;
        }
        slot = (slot + 1) & TABLE_MASK;
    }
}

// materialise matching rows; one atomic per warp
__global__ void probe_table(const KeyValue* __restrict__ table, const CustomerRow* __restrict__ cust,
                            const OrderRow* __restrict__ orders, uint32_t n,
                            JoinedRow* __restrict__ out, uint32_t* __restrict__ out_count)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t row = EMPTY_KEY;
    if (i < n) row = lookup(table, orders[i].cust_key);
    bool hit = row != EMPTY_KEY;

    unsigned mask = __ballot_sync(0xffffffffu, hit);
    int lane = threadIdx.x & 31;
    uint32_t base = 0;
    if (lane == 0 && mask != 0) base = atomicAdd(out_count, (uint32_t)__popc(mask));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (hit) {
        uint32_t pos = base + __popc(mask & ((1u << lane) - 1u));
        const OrderRow o = orders[i];
        JoinedRow j;
        j.order_key = o.order_key;
        j.cust_row = row;
        j.net = o.quantity * o.price * (1.0f - cust[row].rebate);
        j.region = cust[row].region;
        out[pos] = j;
    }
}

// semi join: sum quantity of orders placed by customers with enough credit
__global__ void semi_join_sum(const KeyValue* table, const CustomerRow* cust,
                              const OrderRow* orders, uint32_t n, float min_credit,
                              unsigned long long* total)
{
    unsigned long long mine = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint32_t row = lookup(table, orders[i].cust_key);
        if (row != EMPTY_KEY && cust[row].credit >= min_credit)
            mine += orders[i].quantity;
    }
    for (int off = 16; off > 0; off >>= 1)
        mine += __shfl_down_sync(0xffffffffu, mine, off);
    if ((threadIdx.x & 31) == 0) atomicAdd(total, mine);
}

__global__ void aggregate_regions(const JoinedRow* rows, const uint32_t* count, RegionTotal* totals)
{
    __shared__ RegionTotal acc[NUM_REGIONS];
    if (threadIdx.x < NUM_REGIONS) {
        acc[threadIdx.x].revenue = 0.0;
        acc[threadIdx.x].orders = 0;
    }
    __syncthreads();
    uint32_t n = *count;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&acc[rows[i].region].revenue, (double)rows[i].net);
        atomicAdd(&acc[rows[i].region].orders, 1ull);
    }
    __syncthreads();
    if (threadIdx.x < NUM_REGIONS) {
        atomicAdd(&totals[threadIdx.x].revenue, acc[threadIdx.x].revenue);
        atomicAdd(&totals[threadIdx.x].orders, acc[threadIdx.x].orders);
    }
}

static uint64_t rng_s = 0x243F6A8885A308D3ull;
static inline uint32_t rng()
{
    rng_s = rng_s * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(rng_s >> 33);
}

// odd multiplier: a bijection on 32 bit integers, so keys are unique
static inline uint32_t make_key(uint32_t i) { return (i + 1) * 2654435761u; }

int main()
{
    std::vector<CustomerRow> cust(NUM_CUST);
    std::vector<OrderRow> orders(NUM_ORDERS);
    for (uint32_t i = 0; i < NUM_CUST; ++i) {
        cust[i].cust_key = make_key(i);
        cust[i].region = (int16_t)(rng() % NUM_REGIONS);
        cust[i].segment = (uint8_t)(rng() % 5);
        cust[i].active = (rng() % 16) != 0;
        cust[i].credit = (float)(rng() % 10000);
        cust[i].rebate = 0.01f * (rng() % 20);
    }
    for (uint32_t i = 0; i < NUM_ORDERS; ++i) {
        // about a quarter of the orders refer to customers we do not know
        orders[i].order_key = 1000000000ull + i;
        orders[i].cust_key = make_key(rng() % (NUM_CUST + NUM_CUST / 3));
        orders[i].quantity = 1 + rng() % 50;
        orders[i].price = 1.0f + (rng() % 50000) * 0.01f;
        orders[i].day = rng() % 2500;
    }

    KeyValue* d_table;
    CustomerRow* d_cust;
    OrderRow* d_orders;
    JoinedRow* d_out;
    RegionTotal* d_totals;
    uint32_t* d_count;
    unsigned long long* d_sum;
    checkCuda(cudaMalloc(&d_table, sizeof(KeyValue) * TABLE_SIZE));
    checkCuda(cudaMalloc(&d_cust, sizeof(CustomerRow) * NUM_CUST));
    checkCuda(cudaMalloc(&d_orders, sizeof(OrderRow) * NUM_ORDERS));
    checkCuda(cudaMalloc(&d_out, sizeof(JoinedRow) * NUM_ORDERS));
    checkCuda(cudaMalloc(&d_totals, sizeof(RegionTotal) * NUM_REGIONS));
    checkCuda(cudaMalloc(&d_count, sizeof(uint32_t)));
    checkCuda(cudaMalloc(&d_sum, sizeof(unsigned long long)));
    checkCuda(cudaMemcpy(d_cust, cust.data(), sizeof(CustomerRow) * NUM_CUST, cudaMemcpyHostToDevice));
    checkCuda(cudaMemcpy(d_orders, orders.data(), sizeof(OrderRow) * NUM_ORDERS, cudaMemcpyHostToDevice));

    for (int l = 0; l < LOOPS; ++l) {
        checkCuda(cudaMemset(d_totals, 0, sizeof(RegionTotal) * NUM_REGIONS));
        checkCuda(cudaMemset(d_count, 0, sizeof(uint32_t)));
        checkCuda(cudaMemset(d_sum, 0, sizeof(unsigned long long)));
        clear_table<<<TABLE_SIZE / 512, 512>>>(d_table);
        build_table<<<(NUM_CUST + 255) / 256, 256>>>(d_table, d_cust, NUM_CUST);
        probe_table<<<(NUM_ORDERS + 255) / 256, 256>>>(d_table, d_cust, d_orders, NUM_ORDERS, d_out, d_count);
        semi_join_sum<<<1056, 256>>>(d_table, d_cust, d_orders, NUM_ORDERS, 5000.0f, d_sum);
        aggregate_regions<<<528, 256>>>(d_out, d_count, d_totals);
        checkCuda(cudaGetLastError());
    }
    checkCuda(cudaDeviceSynchronize());

    std::vector<RegionTotal> totals(NUM_REGIONS);
    uint32_t count;
    unsigned long long qty;
    checkCuda(cudaMemcpy(totals.data(), d_totals, sizeof(RegionTotal) * NUM_REGIONS, cudaMemcpyDeviceToHost));
    checkCuda(cudaMemcpy(&count, d_count, sizeof(count), cudaMemcpyDeviceToHost));
    checkCuda(cudaMemcpy(&qty, d_sum, sizeof(qty), cudaMemcpyDeviceToHost));
    double revenue = 0;
    unsigned long long n = 0;
    for (auto& t : totals) { revenue += t.revenue; n += t.orders; }
    std::printf("joined %u (%llu aggregated)  revenue %.6e  semi-join quantity %llu\n", count, n, revenue, qty);

    cudaFree(d_table); cudaFree(d_cust); cudaFree(d_orders); cudaFree(d_out);
    cudaFree(d_totals); cudaFree(d_count); cudaFree(d_sum);
    return 0;
}
