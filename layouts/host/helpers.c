/*
 * The few functions that a rewritten program may need on its host side. All but those of tiles only combine values;
 * those of tiles are to tiles what cudaMemcpy2D and cudaMemset2D are to records: one member, given by its place in
 * the first tile, with a pitch on the host.
 */
#include "layouts/host/internal.h"

static const char *const helper_functions[] = {
#define X(name, function) function,
	HELPERS(X)
#undef X
};

/* The kernels of helpers that are there with a stream, too. */
#define TEXT_TO_TILES_KERNEL                                                                                           \
	"template <typename T, size_t lanes>\n"                                                                        \
	"__global__ void %s_kernel(T *device, size_t tile_bytes, const T *values, size_t count)\n"                     \
	"{\n"                                                                                                          \
	"	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"                                                 \
	"\n"                                                                                                           \
	"	if (i < count)\n"                                                                                            \
	"		((T *)((char *)device + i / lanes * tile_bytes))[i % lanes] = values[i];\n"                                 \
	"}\n"                                                                                                          \
	"\n"
#define TEXT_FROM_TILES_KERNEL                                                                                         \
	"template <typename T, size_t lanes>\n"                                                                        \
	"__global__ void %s_kernel(T *values, const T *device, size_t tile_bytes, size_t count)\n"                     \
	"{\n"                                                                                                          \
	"	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"                                                 \
	"\n"                                                                                                           \
	"	if (i < count)\n"                                                                                            \
	"		values[i] = ((const T *)((const char *)device + i / lanes * tile_bytes))[i % lanes];\n"                     \
	"}\n"                                                                                                          \
	"\n"
#define TEXT_TO_RECORDS_KERNEL                                                                                         \
	"template <typename T>\n"                                                                                      \
	"__global__ void %s_kernel(T *device, size_t record_bytes, const T *values, size_t count)\n"                   \
	"{\n"                                                                                                          \
	"	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"                                                 \
	"\n"                                                                                                           \
	"	if (i < count)\n"                                                                                            \
	"		*(T *)((char *)device + i * record_bytes) = values[i];\n"                                                   \
	"}\n"                                                                                                          \
	"\n"
#define TEXT_FROM_RECORDS_KERNEL                                                                                       \
	"template <typename T>\n"                                                                                      \
	"__global__ void %s_kernel(T *values, const T *device, size_t record_bytes, size_t count)\n"                   \
	"{\n"                                                                                                          \
	"	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"                                                 \
	"\n"                                                                                                           \
	"	if (i < count)\n"                                                                                            \
	"		values[i] = *(const T *)((const char *)device + i * record_bytes);\n"                                       \
	"}\n"                                                                                                          \
	"\n"

/* The texts, with %s for the function's name, of which a kernel's is made too. */
static const char *const helper_texts[] = {
	[HELPER_LARGER] = "static size_t %s(size_t a, size_t b)\n"
			  "{\n"
			  "	return a > b ? a : b;\n"
			  "}\n\n",
	[HELPER_FIRST_ERROR] = "static cudaError_t %s(cudaError_t a, cudaError_t b)\n"
			       "{\n"
			       "	return a != cudaSuccess ? a : b;\n"
			       "}\n\n",
	[HELPER_TO_TILES] = TEXT_TO_TILES_KERNEL
	"/* Copies count values, pitch bytes apart, of the host into one member of tiles that are tile_bytes apart. "
	"*/\n"
	"template <typename T, size_t lanes>\n"
	"static cudaError_t %s(T (&device)[lanes], size_t tile_bytes, const void *host, size_t pitch, size_t count)\n"
	"{\n"
	"	T *values = NULL;\n"
	"	cudaError_t error;\n"
	"\n"
	"	if (count == 0)\n"
	"		return cudaSuccess;\n"
	"	error = cudaMalloc(&values, count * sizeof(T));\n"
	"	if (error == cudaSuccess)\n"
	"		error = pitch == sizeof(T) ? cudaMemcpy(values, host, count * sizeof(T), "
	"cudaMemcpyHostToDevice)\n"
	"		                           : cudaMemcpy2D(values, sizeof(T), host, pitch, sizeof(T), count, "
	"cudaMemcpyHostToDevice);\n"
	"	if (error == cudaSuccess) {\n"
	"		%s_kernel<T, lanes><<<(unsigned)((count + 255) / 256), 256>>>(device, tile_bytes, values, "
	"count);\n"
	"		error = cudaGetLastError();\n"
	"	}\n"
	"	cudaFree(values);\n"
	"	return error;\n"
	"}\n"
	"\n",
	[HELPER_FROM_TILES] = TEXT_FROM_TILES_KERNEL
	"/* Copies count values, pitch bytes apart there, to the host from one member of tiles that are tile_bytes "
	"apart. "
	"*/\n"
	"template <typename T, size_t lanes>\n"
	"static cudaError_t %s(void *host, size_t pitch, const T (&device)[lanes], size_t tile_bytes, size_t count)\n"
	"{\n"
	"	T *values = NULL;\n"
	"	cudaError_t error;\n"
	"\n"
	"	if (count == 0)\n"
	"		return cudaSuccess;\n"
	"	error = cudaMalloc(&values, count * sizeof(T));\n"
	"	if (error == cudaSuccess) {\n"
	"		%s_kernel<T, lanes><<<(unsigned)((count + 255) / 256), 256>>>(values, device, tile_bytes, "
	"count);\n"
	"		error = cudaGetLastError();\n"
	"	}\n"
	"	if (error == cudaSuccess)\n"
	"		error = pitch == sizeof(T) ? cudaMemcpy(host, values, count * sizeof(T), "
	"cudaMemcpyDeviceToHost)\n"
	"		                           : cudaMemcpy2D(host, pitch, values, sizeof(T), sizeof(T), count, "
	"cudaMemcpyDeviceToHost);\n"
	"	cudaFree(values);\n"
	"	return error;\n"
	"}\n"
	"\n",
	[HELPER_GATHERED] =
		"/* One member of all records, in their order. */\n"
		"template <typename Record, typename Member>\n"
		"static std::vector<Member> %s(const std::vector<Record> &records, Member Record::*member)\n"
		"{\n"
		"	std::vector<Member> values;\n"
		"\n"
		"	values.reserve(records.size());\n"
		"	for (size_t i = 0; i < records.size(); i++)\n"
		"		values.push_back(records[i].*member);\n"
		"	return values;\n"
		"}\n\n",
	[HELPER_SCATTERED] = "/* Gives one member of all records the values that a function puts into a vector. */\n"
			     "template <typename Record, typename Member, typename Fill>\n"
			     "static void %s(std::vector<Record> &records, Member Record::*member, Fill fill)\n"
			     "{\n"
			     "	std::vector<Member> values;\n"
			     "\n"
			     "	for (size_t i = 0; i < records.size(); i++)\n"
			     "		values.push_back(records[i].*member);\n"
			     "	fill(values);\n"
			     "	records.resize(values.size());\n"
			     "	for (size_t i = 0; i < records.size(); i++)\n"
			     "		records[i].*member = values[i];\n"
			     "}\n\n",
	[HELPER_BETWEEN_TILES] =
		"/* Copies count values between members of tiles that are tile_bytes apart. */\n"
		"template <typename T, size_t lanes>\n"
		"static cudaError_t %s(T (&to)[lanes], T (&from)[lanes], size_t tile_bytes, size_t count)\n"
		"{\n"
		"	cudaError_t error = cudaSuccess;\n"
		"\n"
		"	for (size_t lane = 0; lane < lanes && lane < count && error == cudaSuccess; lane++)\n"
		"		error = cudaMemcpy2D(&to[lane], tile_bytes, &from[lane], tile_bytes, sizeof(T),\n"
		"		                     (count - lane + lanes - 1) / lanes, cudaMemcpyDeviceToDevice);\n"
		"	return error;\n"
		"}\n\n",
	[HELPER_SET_TILES] = "/* Sets the bytes of count values in one member of tiles that are tile_bytes apart. */\n"
			     "template <typename T, size_t lanes>\n"
			     "static cudaError_t %s(T (&device)[lanes], size_t tile_bytes, int value, size_t count)\n"
			     "{\n"
			     "	cudaError_t error = cudaSuccess;\n"
			     "\n"
			     "	for (size_t lane = 0; lane < lanes && lane < count && error == cudaSuccess; lane++)\n"
			     "		error = cudaMemset2D(&device[lane], tile_bytes, value, sizeof(T), (count - "
			     "lane + lanes - 1) / lanes);\n"
			     "	return error;\n"
			     "}\n\n",
	[HELPER_BETWEEN_TILES_ASYNC] =
		"/* Copies count values between members of tiles that are tile_bytes apart. */\n"
		"template <typename T, size_t lanes>\n"
		"static cudaError_t %s(T (&to)[lanes], T (&from)[lanes], size_t tile_bytes, size_t count, cudaStream_t "
		"stream)\n"
		"{\n"
		"	cudaError_t error = cudaSuccess;\n"
		"\n"
		"	for (size_t lane = 0; lane < lanes && lane < count && error == cudaSuccess; lane++)\n"
		"		error = cudaMemcpy2DAsync(&to[lane], tile_bytes, &from[lane], tile_bytes, sizeof(T),\n"
		"		                          (count - lane + lanes - 1) / lanes, "
		"cudaMemcpyDeviceToDevice, stream);\n"
		"	return error;\n"
		"}\n\n",
	[HELPER_SET_TILES_ASYNC] =
		"/* Sets the bytes of count values in one member of tiles that are tile_bytes apart. */\n"
		"template <typename T, size_t lanes>\n"
		"static cudaError_t %s(T (&device)[lanes], size_t tile_bytes, int value, size_t count, cudaStream_t "
		"stream)\n"
		"{\n"
		"	cudaError_t error = cudaSuccess;\n"
		"\n"
		"	for (size_t lane = 0; lane < lanes && lane < count && error == cudaSuccess; lane++)\n"
		"		error = cudaMemset2DAsync(&device[lane], tile_bytes, value, sizeof(T),\n"
		"		                          (count - lane + lanes - 1) / lanes, stream);\n"
		"	return error;\n"
		"}\n\n",
	[HELPER_TO_TILES_ASYNC] = TEXT_TO_TILES_KERNEL
	"/* Copies count values, pitch bytes apart, of the host into one member of tiles that are tile_bytes apart. "
	"*/\n"
	"template <typename T, size_t lanes>\n"
	"static cudaError_t %s(T (&device)[lanes], size_t tile_bytes, const void *host, size_t pitch, size_t count, "
	"cudaStream_t stream)\n"
	"{\n"
	"	T *values = NULL;\n"
	"	cudaError_t error;\n"
	"\n"
	"	if (count == 0)\n"
	"		return cudaSuccess;\n"
	"	error = cudaMallocAsync(&values, count * sizeof(T), stream);\n"
	"	if (error == cudaSuccess)\n"
	"		error = pitch == sizeof(T) ? cudaMemcpyAsync(values, host, count * sizeof(T), "
	"cudaMemcpyHostToDevice, stream)\n"
	"		                           : cudaMemcpy2DAsync(values, sizeof(T), host, pitch, sizeof(T), "
	"count, "
	"cudaMemcpyHostToDevice, stream);\n"
	"	if (error == cudaSuccess) {\n"
	"		%s_kernel<T, lanes><<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(device, tile_bytes, "
	"values, count);\n"
	"		error = cudaGetLastError();\n"
	"	}\n"
	"	cudaFreeAsync(values, stream);\n"
	"	return error;\n"
	"}\n"
	"\n",
	[HELPER_FROM_TILES_ASYNC] = TEXT_FROM_TILES_KERNEL
	"/* Copies count values, pitch bytes apart there, to the host from one member of tiles that "
	"are tile_bytes apart. */\n"
	"template <typename T, size_t lanes>\n"
	"static cudaError_t %s(void *host, size_t pitch, const T (&device)[lanes], size_t tile_bytes, size_t "
	"count, cudaStream_t stream)\n"
	"{\n"
	"	T *values = NULL;\n"
	"	cudaError_t error;\n"
	"\n"
	"	if (count == 0)\n"
	"		return cudaSuccess;\n"
	"	error = cudaMallocAsync(&values, count * sizeof(T), stream);\n"
	"	if (error == cudaSuccess) {\n"
	"		%s_kernel<T, lanes><<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(values, "
	"device, tile_bytes, count);\n"
	"		error = cudaGetLastError();\n"
	"	}\n"
	"	if (error == cudaSuccess)\n"
	"		error = pitch == sizeof(T) ? cudaMemcpyAsync(host, values, count * sizeof(T), "
	"cudaMemcpyDeviceToHost, stream)\n"
	"		                           : cudaMemcpy2DAsync(host, pitch, values, sizeof(T), sizeof(T), "
	"count, "
	"cudaMemcpyDeviceToHost, stream);\n"
	"	cudaFreeAsync(values, stream);\n"
	"	return error;\n"
	"}\n"
	"\n",
	[HELPER_TO_RECORDS] = TEXT_TO_RECORDS_KERNEL
	"/* Copies count values of the host into one member of records that are record_bytes apart. */\n"
	"template <typename T>\n"
	"static cudaError_t %s(T *device, size_t record_bytes, const void *host, size_t count)\n"
	"{\n"
	"	T *values = NULL;\n"
	"	cudaError_t error;\n"
	"\n"
	"	if (count == 0)\n"
	"		return cudaSuccess;\n"
	"	error = cudaMalloc(&values, count * sizeof(T));\n"
	"	if (error == cudaSuccess)\n"
	"		error = cudaMemcpy(values, host, count * sizeof(T), cudaMemcpyHostToDevice);\n"
	"	if (error == cudaSuccess) {\n"
	"		%s_kernel<<<(unsigned)((count + 255) / 256), 256>>>(device, record_bytes, values, count);\n"
	"		error = cudaGetLastError();\n"
	"	}\n"
	"	cudaFree(values);\n"
	"	return error;\n"
	"}\n"
	"\n",
	[HELPER_FROM_RECORDS] = TEXT_FROM_RECORDS_KERNEL
	"/* Copies count values to the host from one member of records that are record_bytes apart. */\n"
	"template <typename T>\n"
	"static cudaError_t %s(void *host, const T *device, size_t record_bytes, size_t count)\n"
	"{\n"
	"	T *values = NULL;\n"
	"	cudaError_t error;\n"
	"\n"
	"	if (count == 0)\n"
	"		return cudaSuccess;\n"
	"	error = cudaMalloc(&values, count * sizeof(T));\n"
	"	if (error == cudaSuccess) {\n"
	"		%s_kernel<<<(unsigned)((count + 255) / 256), 256>>>(values, device, record_bytes, count);\n"
	"		error = cudaGetLastError();\n"
	"	}\n"
	"	if (error == cudaSuccess)\n"
	"		error = cudaMemcpy(host, values, count * sizeof(T), cudaMemcpyDeviceToHost);\n"
	"	cudaFree(values);\n"
	"	return error;\n"
	"}\n"
	"\n",
	[HELPER_TO_RECORDS_ASYNC] = TEXT_TO_RECORDS_KERNEL
	"/* Copies count values of the host into one member of records that are record_bytes apart. */\n"
	"template <typename T>\n"
	"static cudaError_t %s(T *device, size_t record_bytes, const void *host, size_t count, cudaStream_t stream)\n"
	"{\n"
	"	T *values = NULL;\n"
	"	cudaError_t error;\n"
	"\n"
	"	if (count == 0)\n"
	"		return cudaSuccess;\n"
	"	error = cudaMallocAsync(&values, count * sizeof(T), stream);\n"
	"	if (error == cudaSuccess)\n"
	"		error = cudaMemcpyAsync(values, host, count * sizeof(T), cudaMemcpyHostToDevice, stream);\n"
	"	if (error == cudaSuccess) {\n"
	"		%s_kernel<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(device, record_bytes, values, "
	"count);\n"
	"		error = cudaGetLastError();\n"
	"	}\n"
	"	cudaFreeAsync(values, stream);\n"
	"	return error;\n"
	"}\n"
	"\n",
	[HELPER_FROM_RECORDS_ASYNC] = TEXT_FROM_RECORDS_KERNEL
	"/* Copies count values to the host from one member of records that are record_bytes apart. */\n"
	"template <typename T>\n"
	"static cudaError_t %s(void *host, const T *device, size_t record_bytes, size_t count, cudaStream_t stream)\n"
	"{\n"
	"	T *values = NULL;\n"
	"	cudaError_t error;\n"
	"\n"
	"	if (count == 0)\n"
	"		return cudaSuccess;\n"
	"	error = cudaMallocAsync(&values, count * sizeof(T), stream);\n"
	"	if (error == cudaSuccess) {\n"
	"		%s_kernel<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(values, device, record_bytes, "
	"count);\n"
	"		error = cudaGetLastError();\n"
	"	}\n"
	"	if (error == cudaSuccess)\n"
	"		error = cudaMemcpyAsync(host, values, count * sizeof(T), cudaMemcpyDeviceToHost, stream);\n"
	"	cudaFreeAsync(values, stream);\n"
	"	return error;\n"
	"}\n"
	"\n",
};

struct rehost_helpers *rehost_helpers_create(const struct rewriter *rewriter)
{
	struct rehost_helpers *helpers = arena_alloc(rewriter->arena, sizeof(*helpers));

	for (unsigned h = 0; h < HELPER_COUNT; h++)
		helpers->names[h] = rewriter_name(rewriter, helper_functions[h]);
	return helpers;
}

const char *rehost_helper_use(struct rehost_helpers *helpers, enum rehost_helper helper)
{
	helpers->used[helper] = true;
	return helpers->names[helper];
}

const char *rehost_copy_helper(struct rehost_helpers *helpers, bool tiled, bool to_device, bool is_async)
{
	static const enum rehost_helper copies[2][2][2] = {
		{{HELPER_FROM_RECORDS, HELPER_FROM_RECORDS_ASYNC}, {HELPER_TO_RECORDS, HELPER_TO_RECORDS_ASYNC}},
		{{HELPER_FROM_TILES, HELPER_FROM_TILES_ASYNC}, {HELPER_TO_TILES, HELPER_TO_TILES_ASYNC}}};

	return rehost_helper_use(helpers, copies[tiled][to_device][is_async]);
}

/* Writes a helper's text with its name in each place for it. */
static void helper_write(struct text *out, const char *text, const char *name)
{
	for (const char *hole = strstr(text, "%s"); hole; hole = strstr(text, "%s")) {
		text_append(out, text, (size_t)(hole - text));
		text_puts(out, name);
		text = hole + 2;
	}
	text_puts(out, text);
}

void rehost_helpers_write(struct text *out, const struct rehost_helpers *helpers, const struct rewriter_site *site)
{
	for (unsigned h = 0; h < HELPER_COUNT; h++)
		if (helpers->used[h] && site->calls[h])
			helper_write(out, helper_texts[h], helpers->names[h]);
}
