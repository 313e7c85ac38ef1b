// Built-in atomics of nvcc, with order and scope.
__global__ void k(unsigned *count, unsigned long long *flags, const int *in) {
	unsigned i = threadIdx.x;
	if (__nv_atomic_load_n(flags + i, __NV_ATOMIC_RELAXED) == 0)
		__nv_atomic_store_n(&flags[i], 1ull, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
	__nv_atomic_fetch_add(&count[in[i]], 1u, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
	__nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
}
