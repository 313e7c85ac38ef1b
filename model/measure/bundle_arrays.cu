/*
 * Measuring program, second part: the device, and the memory of each variant. Above stand the kernels to be measured, in all their layouts.
 */
namespace coalesce_measure {

/* ---- device ------------------------------------------------------------------------------------- */

struct settings {
	int device;
	bool quick;
	double limit_seconds;          /* 0: none */
	cudaDeviceProp properties;
	char *scratch;
	size_t scratch_bytes;
	unsigned evictions;
	cudaEvent_t start, stop;
	double begin_seconds;
};

static double seconds_now()
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void device_open(settings &run)
{
	int count = 0;
	doing = "device";
	cudaError_t error = cudaGetDeviceCount(&count);
	if (error != cudaSuccess || count == 0)
		fail(3, "no CUDA GPU here: %s", error == cudaSuccess ? "none is visible" : cudaGetErrorString(error));
	if (run.device >= count)
		fail(2, "there is no device %d, only %d of them", run.device, count);
	check(cudaSetDevice(run.device), "cudaSetDevice");
	check(cudaGetDeviceProperties(&run.properties, run.device), "cudaGetDeviceProperties");
	run.scratch_bytes = run.properties.l2CacheSize > 0 ? 2 * (size_t)run.properties.l2CacheSize : (size_t)256 << 20;
	check(cudaMalloc((void **)&run.scratch, run.scratch_bytes), "scratch buffer");
	check(cudaEventCreate(&run.start), "cudaEventCreate");
	check(cudaEventCreate(&run.stop), "cudaEventCreate");
}

static void l2_evict(settings &run)
{
	uint64_t count = run.scratch_bytes / sizeof(uint4);
	over(count, evict, (uint4 *)run.scratch, count, ++run.evictions);
}

/* Keeps the GPU busy for that long: an idle one has lower clocks. */
static void clocks_raise(settings &run, double seconds)
{
	double begin = seconds_now();
	doing = "raising the clocks";
	do {
		for (int i = 0; i < 16; i++)
			l2_evict(run);
		check(cudaDeviceSynchronize(), "a kernel of our own failed");
	} while (seconds_now() - begin < seconds);
}

/* Seconds that a kernel may take before the program gives it up, where no limit is given; with one it is half of what is left. */
static const double patience_seconds = 60;

/* Waits until all that was launched has ended; gives up, with the program, where that takes too long. */
static void finish(settings &run)
{
	double begin = seconds_now(), patience = patience_seconds;
	cudaError_t error;
	if (run.limit_seconds > 0)
		patience = std::max(1.0, (run.limit_seconds - (begin - run.begin_seconds)) / 2);
	check(cudaEventRecord(run.stop, (cudaStream_t)0), "cudaEventRecord");
	while ((error = cudaEventQuery(run.stop)) == cudaErrorNotReady)
		if (seconds_now() - begin > patience) {
			fprintf(stderr, "measure: %s: the kernel has not ended after %.0f s; do its loops depend on what --index should say?\n",
			        doing.c_str(), patience);
			fflush(stderr);
			tell(doing + ": the kernel has not ended");
			std::_Exit(1);
		}
	check(error, "the kernel failed");
}

static std::string driver_version()
{
	char text[64] = "";
	FILE *file = fopen("/sys/module/nvidia/version", "r");
	int version = 0;
	if (file) {
		if (!fgets(text, sizeof text, file))
			text[0] = '\0';
		fclose(file);
		text[strcspn(text, "\n")] = '\0';
	}
	if (!text[0]) {
		cudaDriverGetVersion(&version);
		snprintf(text, sizeof text, "CUDA %d.%d", version / 1000, version % 1000 / 10);
	}
	return text;
}

/* ---- arrays in one layout -------------------------------------------------------------------------- */

static const size_t guard_bytes = 256;
static const int guard_value = 0xa5;

/* A variant with its memory. buffers[a][b] is buffer b of array a, first[a] what it holds at first where that is the program's own value, else empty. */
struct instance {
	const variant *code;
	std::vector<std::vector<char *> > buffers;
	std::vector<std::vector<char> > first;
	std::vector<double> times_us;
	double largest_difference;
	int registers;
};

/* The tables' scalars, with their lists on the device. */
typedef std::vector<std::vector<scalar> > scalars;

static scalars lists_upload(const kernel &what)
{
	scalars result;
	for (int a = 0; a < what.array_count; a++) {
		const array &one = what.arrays[a];
		result.push_back(std::vector<scalar>(one.scalars, one.scalars + one.scalar_count));
		for (scalar &entry : result.back()) {
			void *copy = nullptr;
			if (entry.content != content_listed)
				continue;
			check(cudaMalloc(&copy, entry.listed * sizeof(long long)), "index list");
			check(cudaMemcpy(copy, entry.list, entry.listed * sizeof(long long), cudaMemcpyHostToDevice), "index list");
			entry.list = (const long long *)copy;
		}
	}
	return result;
}

static void lists_free(const scalars &all)
{
	for (const std::vector<scalar> &list : all)
		for (const scalar &entry : list)
			if (entry.content == content_listed)
				cudaFree((void *)entry.list);
}

static uint64_t seed_of(int array, int scalar)
{
	return mix((uint64_t)array * 1024 + (uint64_t)scalar + 1);
}

static char *buffer_create(uint64_t bytes)
{
	void *data = nullptr;
	check(cudaMalloc(&data, bytes + guard_bytes), "cudaMalloc");
	check(cudaMemset((char *)data + bytes, guard_value, guard_bytes), "cudaMemset");
	return (char *)data;
}

/* That variant is what the process does now. */
static void variant_begin(const kernel &what, const variant &code)
{
	doing = std::string(what.name) + ", " + code.name;
	*variant_at = (int)(&code - what.variants);
}

/* What follows concerns all variants of the kernel. */
static void variants_leave(const kernel &what)
{
	doing = what.name;
	*variant_at = -1;
}

static void memory_check(const kernel &what, const std::vector<int> &chosen)
{
	uint64_t needed = 0;
	size_t available = 0, total = 0;
	for (int v : chosen)
		for (int a = 0; a < what.array_count; a++)
			for (int b = 0; b < what.variants[v].storages[a].buffer_count; b++)
				needed += what.variants[v].storages[a].bytes[b] + guard_bytes;
	for (int a = 0; a < what.array_count; a++)
		for (int s = 0; what.arrays[a].output && s < what.arrays[a].scalar_count; s++)
			needed += what.arrays[a].elements * what.arrays[a].scalars[s].count * what.arrays[a].scalars[s].bytes;
	check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
	if (needed > available)
		fail(status_memory, "out of device memory: %.0f MiB are needed, %.0f MiB free; take smaller sizes or fewer layouts", needed / 1048576.0,
		     available / 1048576.0);
}

/* Finds a variable of the program. What it holds stays, but for constants that are all zeros: the host part, which is not here, would set them. */
static void variable_find(const storage &lies, std::vector<char *> &buffers, std::vector<char> &first)
{
	void *address = nullptr;
	check(lies.variable(&address), "cudaGetSymbolAddress");
	buffers.push_back((char *)address);
	first.resize(lies.bytes[0]);
	check(cudaMemcpy(first.data(), address, first.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
	if (!lies.keeps && std::count(first.begin(), first.end(), 0) == (long)first.size())
		first.clear();
}

static instance instance_create(const kernel &what, const variant &code)
{
	instance result = {&code, {}, {}, {}, 0, 0};
	cudaFuncAttributes attributes;
	variant_begin(what, code);
	cudaError_t error = cudaFuncGetAttributes(&attributes, code.function);
	if (error != cudaSuccess)
		fail(status_no_variant, "%s: was this built for another GPU? `make ARCH=...` says for which", cudaGetErrorString(error));
	result.registers = attributes.numRegs;
	if (what.shared_bytes > 49152)
		check(cudaFuncSetAttribute(code.function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)what.shared_bytes), "shared memory");
	for (int a = 0; a < what.array_count; a++) {
		const storage &lies = code.storages[a];
		result.buffers.push_back(std::vector<char *>());
		result.first.push_back(std::vector<char>());
		for (int b = 0; b < lies.buffer_count && !lies.variable; b++)
			result.buffers[a].push_back(buffer_create(lies.bytes[b]));
		if (lies.variable)
			variable_find(lies, result.buffers[a], result.first[a]);
	}
	return result;
}

static void instance_free(const kernel &what, const instance &one)
{
	for (int a = 0; a < what.array_count; a++)
		for (char *buffer : one.buffers[a])
			if (!one.code->storages[a].variable)
				cudaFree(buffer);
}

/* Where the scalars of a place lie. */
static bases bases_of(const instance &one, int a, const place &where, const scalar &what)
{
	bases base = {};
	for (int k = 0; k < (where.split ? (int)what.count : 1); k++)
		base.at[k] = one.buffers[a][where.buffer + k];
	return base;
}

/* Sets an array to its first values; bytes that hold none are zeros. */
static void array_reset(const kernel &what, const scalars &all, const instance &one, int a)
{
	const storage &lies = one.code->storages[a];
	if (!one.first[a].empty()) {
		check(cudaMemcpy(one.buffers[a][0], one.first[a].data(), lies.bytes[0], cudaMemcpyHostToDevice), "cudaMemcpy");
		return;
	}
	for (int b = 0; b < lies.buffer_count; b++)
		check(cudaMemset(one.buffers[a][b], 0, lies.bytes[b]), "cudaMemset");
	for (int s = 0; s < what.arrays[a].scalar_count; s++) {
		uint64_t values = what.arrays[a].elements * all[a][s].count;
		over(values, fill, bases_of(one, a, lies.places[s], all[a][s]), lies.places[s], all[a][s], values, seed_of(a, s));
	}
}

static void reset(const kernel &what, const scalars &all, const instance &one, bool inputs_too)
{
	for (int a = 0; a < what.array_count; a++)
		if (inputs_too || what.arrays[a].output)
			array_reset(what, all, one, a);
}

static void guards_check(const kernel &what, const instance &one)
{
	std::vector<unsigned char> bytes(guard_bytes);
	for (int a = 0; a < what.array_count; a++)
		for (int b = 0; b < one.code->storages[a].buffer_count && !one.code->storages[a].variable; b++) {
			check(cudaMemcpy(bytes.data(), one.buffers[a][b] + one.code->storages[a].bytes[b], guard_bytes, cudaMemcpyDeviceToHost),
			      "cudaMemcpy");
			for (unsigned char byte : bytes)
				if (byte != guard_value)
					fail(1, "the kernel writes past the end of %s (%llu elements); give --extent %s=COUNT", what.arrays[a].name,
					     (unsigned long long)what.arrays[a].elements, what.arrays[a].name);
		}
}

static void kernel_launch(const kernel &what, const instance &one)
{
	std::vector<void *> arguments;
	std::vector<char *> pointers;
	pointers.reserve(one.code->parameter_count);
	for (int p = 0; p < one.code->parameter_count; p++) {
		const parameter &given = one.code->parameters[p];
		pointers.push_back(given.array < 0 ? nullptr : one.buffers[given.array][given.buffer]);
		arguments.push_back(given.array < 0 ? (void *)given.value : (void *)&pointers.back());
	}
	arguments.push_back(nullptr);
	check(one.code->launch(dim3(what.grid[0], what.grid[1], what.grid[2]), dim3(what.block[0], what.block[1], what.block[2]),
	                       arguments.data(), what.shared_bytes), "launch");
	check(cudaGetLastError(), "launch");
}

}
