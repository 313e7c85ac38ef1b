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

/* The texts, with %s for the function's name. */
static const char *const helper_texts[] = {
	[HELPER_LARGER] = "static size_t %s(size_t a, size_t b)\n"
			  "{\n"
			  "	return a > b ? a : b;\n"
			  "}\n\n",
	[HELPER_FIRST_ERROR] = "static cudaError_t %s(cudaError_t a, cudaError_t b)\n"
			       "{\n"
			       "	return a != cudaSuccess ? a : b;\n"
			       "}\n\n",
	[HELPER_TO_TILES] = "/* Copies count values, pitch bytes apart on the host, into one member of tiles that are tile_bytes "
			    "apart. */\n"
			    "template <typename T, size_t lanes>\n"
			    "static cudaError_t %s(T (&device)[lanes], size_t tile_bytes, const void *host, size_t pitch, size_t "
			    "count)\n"
			    "{\n"
			    "	cudaError_t error = cudaSuccess;\n"
			    "\n"
			    "	for (size_t lane = 0; lane < lanes && lane < count && error == cudaSuccess; lane++)\n"
			    "		error = cudaMemcpy2D(&device[lane], tile_bytes, (const char *)host + lane * pitch, "
			    "lanes * pitch, "
			    "sizeof(T),\n"
			    "		                     (count - lane + lanes - 1) / lanes, cudaMemcpyHostToDevice);\n"
			    "	return error;\n"
			    "}\n\n",
	[HELPER_FROM_TILES] =
		"/* Copies count values, pitch bytes apart on the host, from one member of tiles that are tile_bytes "
		"apart. */\n"
		"template <typename T, size_t lanes>\n"
		"static cudaError_t %s(void *host, size_t pitch, T (&device)[lanes], size_t tile_bytes, size_t count)\n"
		"{\n"
		"	cudaError_t error = cudaSuccess;\n"
		"\n"
		"	for (size_t lane = 0; lane < lanes && lane < count && error == cudaSuccess; lane++)\n"
		"		error = cudaMemcpy2D((char *)host + lane * pitch, lanes * pitch, &device[lane], "
		"tile_bytes, sizeof(T),\n"
		"		                     (count - lane + lanes - 1) / lanes, cudaMemcpyDeviceToHost);\n"
		"	return error;\n"
		"}\n\n",
	[HELPER_GATHERED] = "/* One member of all records, in their order. */\n"
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
	[HELPER_TO_TILES_ASYNC] =
		"/* Copies count values, pitch bytes apart on the host, into one member of tiles that are tile_bytes "
		"apart. */\n"
		"template <typename T, size_t lanes>\n"
		"static cudaError_t %s(T (&device)[lanes], size_t tile_bytes, const void *host, size_t pitch, size_t "
		"count,\n"
		"                      cudaStream_t stream)\n"
		"{\n"
		"	cudaError_t error = cudaSuccess;\n"
		"\n"
		"	for (size_t lane = 0; lane < lanes && lane < count && error == cudaSuccess; lane++)\n"
		"		error = cudaMemcpy2DAsync(&device[lane], tile_bytes, (const char *)host + lane * pitch, "
		"lanes * pitch,\n"
		"		                          sizeof(T), (count - lane + lanes - 1) / lanes, "
		"cudaMemcpyHostToDevice, stream);\n"
		"	return error;\n"
		"}\n\n",
	[HELPER_FROM_TILES_ASYNC] =
		"/* Copies count values, pitch bytes apart on the host, from one member of tiles that are tile_bytes "
		"apart. */\n"
		"template <typename T, size_t lanes>\n"
		"static cudaError_t %s(void *host, size_t pitch, T (&device)[lanes], size_t tile_bytes, size_t count,\n"
		"                      cudaStream_t stream)\n"
		"{\n"
		"	cudaError_t error = cudaSuccess;\n"
		"\n"
		"	for (size_t lane = 0; lane < lanes && lane < count && error == cudaSuccess; lane++)\n"
		"		error = cudaMemcpy2DAsync((char *)host + lane * pitch, lanes * pitch, &device[lane], "
		"tile_bytes,\n"
		"		                          sizeof(T), (count - lane + lanes - 1) / lanes, "
		"cudaMemcpyDeviceToHost, stream);\n"
		"	return error;\n"
		"}\n\n",
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

void rehost_helpers_write(struct text *out, const struct rehost_helpers *helpers)
{
	for (unsigned h = 0; h < HELPER_COUNT; h++) {
		const char *hole = strstr(helper_texts[h], "%s");

		if (!helpers->used[h])
			continue;
		text_append(out, helper_texts[h], (size_t)(hole - helper_texts[h]));
		text_printf(out, "%s%s", helpers->names[h], hole + 2);
	}
}
