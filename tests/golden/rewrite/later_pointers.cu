/* Local pointers to records that are set after their declaration, and compared. */
struct account {
	int lock, balance;
};
struct transfer {
	int amount, from, to;
};

__global__ void settle(account *accounts, const transfer *transfers, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		const transfer *t = &transfers[i];
		account *from = &accounts[t->from], *to = &accounts[t->to], *first;
		account *second;
		if (from > to)
			first = from;
		else
			first = to;
		second = first;
		if (first >= from)
			second = to;
		atomicAdd(&first->balance, t->amount);
		atomicAdd(&second->balance, -t->amount);
	}
}

int main()
{
	int n = 1 << 16;
	account *accounts;
	transfer *transfers;

	cudaMalloc(&accounts, n * sizeof(account));
	cudaMemset(accounts, 0, n * sizeof(account));
	cudaMalloc(&transfers, n * sizeof(transfer));
	cudaMemset(transfers, 0, n * sizeof(transfer));
	settle<<<n / 128, 128>>>(accounts, transfers, n);
	cudaFree(accounts);
	cudaFree(transfers);
	return 0;
}
