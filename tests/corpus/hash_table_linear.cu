// args: 22 16
// Lock-free hash table with linear probing: pairs of key and value.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <unordered_set>
#include <vector>

struct KeyValue {
  uint32_t key;
  uint32_t value;
};

const uint32_t kEmpty = 0xffffffff;

__device__ uint32_t hash(uint32_t k, uint32_t mask) {
  k ^= k >> 16;
  k *= 0x85ebca6b;
  k ^= k >> 13;
  k *= 0xc2b2ae35;
  k ^= k >> 16;
  return k & mask;
}

__global__ void gpu_hashtable_insert(KeyValue *hashtable, const KeyValue *kvs, unsigned int numkvs, uint32_t mask) {
  unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadid < numkvs) {
    uint32_t key = kvs[threadid].key;
    uint32_t value = kvs[threadid].value;
    uint32_t slot = hash(key, mask);
    while (true) {
      uint32_t prev = atomicCAS(&hashtable[slot].key, kEmpty, key);
      if (prev == kEmpty || prev == key) {
        hashtable[slot].value = value;
        return;
      }
      slot = (slot + 1) & mask;
    }
  }
}

__global__ void gpu_hashtable_lookup(const KeyValue *hashtable, KeyValue *kvs, unsigned int numkvs, uint32_t mask) {
  unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadid < numkvs) {
    uint32_t key = kvs[threadid].key;
    uint32_t slot = hash(key, mask);
    while (true) {
      if (hashtable[slot].key == key) {
        kvs[threadid].value = hashtable[slot].value;
        return;
      }
      if (hashtable[slot].key == kEmpty) {
        kvs[threadid].value = kEmpty;
        return;
      }
      slot = (slot + 1) & mask;
    }
  }
}

KeyValue *create_hashtable(uint32_t capacity) {
  KeyValue *hashtable;
  cudaMalloc(&hashtable, sizeof(KeyValue) * capacity);
  cudaMemset(hashtable, 0xff, sizeof(KeyValue) * capacity);
  return hashtable;
}

int main(int argc, char **argv) {
  const int log_capacity = argc > 1 ? atoi(argv[1]) : 20;
  const int batches = argc > 2 ? atoi(argv[2]) : 8;
  const uint32_t capacity = 1u << log_capacity;
  const uint32_t num = capacity / 2;
  std::mt19937 rng(7);
  std::uniform_int_distribution<uint32_t> dis(0, kEmpty - 1);
  std::vector<KeyValue> kvs;
  kvs.reserve(num);
  for (uint32_t i = 0; i < num; i++) kvs.push_back(KeyValue{dis(rng), i});

  KeyValue *table = create_hashtable(capacity), *device_kvs;
  cudaMalloc(&device_kvs, sizeof(KeyValue) * num);
  cudaMemcpy(device_kvs, kvs.data(), sizeof(KeyValue) * num, cudaMemcpyHostToDevice);
  uint32_t per_batch = num / batches;
  int mingridsize, threadblocksize;
  cudaOccupancyMaxPotentialBlockSize(&mingridsize, &threadblocksize, gpu_hashtable_insert, 0, 0);
  for (int b = 0; b < batches; b++) {
    int gridsize = ((uint32_t)per_batch + threadblocksize - 1) / threadblocksize;
    gpu_hashtable_insert<<<gridsize, threadblocksize>>>(table, device_kvs + b * per_batch, per_batch, capacity - 1);
  }
  gpu_hashtable_lookup<<<(num + 255) / 256, 256>>>(table, device_kvs, num, capacity - 1);
  cudaMemcpy(kvs.data(), device_kvs, sizeof(KeyValue) * num, cudaMemcpyDeviceToHost);
  uint32_t missing = std::count_if(kvs.begin(), kvs.end(), [](const KeyValue &kv) { return kv.value == kEmpty; });
  printf("missing %u\n", missing);
  cudaFree(table);
  cudaFree(device_kvs);
}
