/*
 * The short functions that a rewritten program gets for its host side: memory of the new layout, and copies between it and the host's own data, which stay
 * as written.
 *
 * They take what the call of the CUDA runtime took that they stand for (sizes in bytes of the host's data), and return its error code. Copies go through
 * a buffer on the host that has the device's layout; where elements share a tile or a record with others that are not copied, it is read first.
 */
#include "layouts/internal.h"

/* One function being written. */
struct writer {
	struct text *out;
	const struct helpers *helpers;
	const struct placement *placement;
	const struct layout_group *group;
	const char *host_type;  /* FORM_STRUCT: of the host's records */
	unsigned tile;
	const char *units;      /* the variable that counts what a buffer consists of: "count", "tiles" */
};

static const char *const helper_suffixes[] = {
#define X(name, suffix) suffix,
	HELPERS(X)
#undef X
};

struct helpers helpers_create(const struct rewriter *rewriter, const struct group_plan *plan)
{
	struct helpers helpers = {.arena = rewriter->arena, .plan = plan};
	const char *suffix = plan->placement->layout->type_suffix;

	for (unsigned h = 0; h < HELPER_COUNT; h++)
		helpers.names[h] =
			rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_%s", plan->base, helper_suffixes[h]));
	helpers.handle_is_pointer = plan->type_name != NULL;
	helpers.handle = plan->type_name ? plan->type_name
	                                 : rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_%s", plan->base, suffix));
	return helpers;
}

const char *helper_use(struct helpers *helpers, enum helper helper)
{
	helpers->used[helper] = true;
	if (helper == HELPER_COPY)
		helpers->used[HELPER_TO_HOST] = true;
	if (helper == HELPER_COPY || helper == HELPER_SET)
		helpers->used[HELPER_TO_DEVICE] = true;
	return helpers->names[helper];
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* "variable", or "variable.field" where each field has a buffer of its own. */
static void buffer_write(const struct writer *writer, const char *variable, unsigned buffer)
{
	if (writer->helpers->handle_is_pointer)
		text_puts(writer->out, variable);
	else
		text_printf(writer->out, "%s.%s", variable, writer->group->fields[buffer].name);
}

/* "handle *" or "handle ", to be followed by a variable's name. */
static void handle_write(const struct writer *writer, bool constant)
{
	if (writer->helpers->handle_is_pointer)
		text_printf(writer->out, "%s%s *", constant ? "const " : "", writer->helpers->handle);
	else
		text_printf(writer->out, "%s ", writer->helpers->handle);
}

/* The struct of pointers that host code declares where a layout has several buffers. */
static void handle_type_write(const struct writer *writer)
{
	const struct placement *placement = writer->placement;

	text_printf(writer->out, "/* Device memory of the records %s, one array for each member. */\nstruct %s {\n",
	            writer->host_type, writer->helpers->handle);
	for (unsigned b = 0; b < placement->buffer_count; b++) {
		struct pointer_spelling spelling = {"", "", writer->group->fields[b].name};

		text_puts(writer->out, "\t");
		placement->layout->pointer(writer->out, placement, b, writer->helpers->handle, &spelling);
		text_puts(writer->out, ";\n");
	}
	text_puts(writer->out, "};\n\n");
}

/* Declares count, and tiles where the layout has them. */
static void counts_write(struct writer *writer, const char *element_type)
{
	text_printf(writer->out, "\tsize_t count = bytes / sizeof(%s)", element_type);
	if (writer->tile > 1)
		text_printf(writer->out, ", tiles = (count + %u) / %u", writer->tile - 1, writer->tile);
	text_puts(writer->out, ";\n");
}

/* Declares a host buffer in the device's layout and allocates it: one statement for each buffer. */
static void staging_write(const struct writer *writer, const char *variable)
{
	text_puts(writer->out, "\t");
	handle_write(writer, false);
	if (writer->helpers->handle_is_pointer) {
		text_printf(writer->out, "%s = new %s[%s];\n", variable, writer->helpers->handle, writer->units);
		return;
	}
	text_printf(writer->out, "%s;\n", variable);
	for (unsigned b = 0; b < writer->placement->buffer_count; b++) {
		const struct layout_field *field = &writer->group->fields[b];

		text_puts(writer->out, "\t");
		buffer_write(writer, variable, b);
		text_printf(writer->out, " = new %s[count]", field->type);
		for (unsigned d = 0; d < field->dimension_count; d++)
			text_printf(writer->out, "[%u]", field->dimensions[d]);
		text_puts(writer->out, ";\n");
	}
}

/* Copies all buffers: `if (error == cudaSuccess) error = cudaMemcpy(...)`. */
static void transfer_write(const struct writer *writer, const char *to, const char *from, const char *kind)
{
	for (unsigned b = 0; b < writer->placement->buffer_count; b++) {
		text_puts(writer->out, "\tif (error == cudaSuccess)\n\t\terror = cudaMemcpy(");
		buffer_write(writer, to, b);
		text_puts(writer->out, ", ");
		buffer_write(writer, from, b);
		text_printf(writer->out, ", %s * sizeof(*", writer->units);
		buffer_write(writer, to, b);
		text_printf(writer->out, "), cudaMemcpy%s);\n", kind);
	}
}

static void release_write(const struct writer *writer, const char *variable)
{
	for (unsigned b = 0; b < writer->placement->buffer_count; b++) {
		text_puts(writer->out, "\tdelete[] ");
		buffer_write(writer, variable, b);
		text_puts(writer->out, ";\n");
	}
	text_puts(writer->out, "\treturn error;\n}\n\n");
}

/* Writes the indices i0, i1, ... of a member array. */
static void inner_indices(struct text *out, unsigned first, unsigned count)
{
	for (unsigned d = first; d < first + count; d++)
		text_printf(out, "[i%u]", d);
}

static const struct member *record_member(const struct record *record, const char *name, size_t length)
{
	for (unsigned m = 0; record && m < record->member_count; m++)
		if (strlen(record->members[m].name) == length && memcmp(record->members[m].name, name, length) == 0)
			return &record->members[m];
	bug("no member %s", name);
}

/* Writes the host's element: `from[e].pos[i0].x`. */
static void host_element_write(const struct writer *writer, const char *variable, const struct layout_field *field)
{
	const struct record *record = writer->group->record;
	unsigned used = 0;

	text_printf(writer->out, "%s[e]", variable);
	for (const char *path = field->path; *path;) {
		size_t length = strcspn(path, ".");
		const struct member *member = record_member(record, path, length);

		text_printf(writer->out, ".%.*s", (int)length, path);
		inner_indices(writer->out, used, member->dimension_count);
		used += member->dimension_count;
		record = member->type.record;
		path += length + (path[length] == '.');
	}
}

/* Writes the device layout's element, in a host buffer. */
static void device_element_write(const struct writer *writer, const char *variable, unsigned field)
{
	struct arena *arena = writer->helpers->arena;
	const char **pointers = arena_array(arena, writer->placement->buffer_count, sizeof(*pointers));
	struct text inner = {0};
	struct rewrite_site site = {pointers, field, "e", "e", ""};

	for (unsigned b = 0; b < writer->placement->buffer_count; b++)
		pointers[b] = writer->helpers->handle_is_pointer
		                      ? variable
		                      : arena_printf(arena, "%s.%s", variable, writer->group->fields[b].name);
	inner_indices(&inner, 0, writer->group->fields[field].dimension_count);
	site.inner = inner.data ? inner.data : "";
	writer->placement->layout->access(writer->out, writer->placement, &site);
	text_release(&inner);
}

/* Copies every field of every element, from the host's records into a buffer of the device's layout or back. */
static void element_loop_write(const struct writer *writer, const char *to, const char *from, bool to_device)
{
	text_puts(writer->out, "\tfor (size_t e = 0; e < count; e++) {\n");
	for (unsigned f = 0; f < writer->group->field_count; f++) {
		const struct layout_field *field = &writer->group->fields[f];

		for (unsigned d = 0; d < field->dimension_count; d++)
			text_printf(writer->out, "\t\t%.*sfor (int i%u = 0; i%u < %u; i%u++)\n", (int)d, "\t\t\t\t", d, d,
			            field->dimensions[d], d);
		text_printf(writer->out, "\t\t%.*s", (int)field->dimension_count, "\t\t\t\t");
		if (to_device)
			device_element_write(writer, to, f);
		else
			host_element_write(writer, to, field);
		text_puts(writer->out, " = ");
		if (to_device)
			host_element_write(writer, from, field);
		else
			device_element_write(writer, from, f);
		text_puts(writer->out, ";\n");
	}
	text_puts(writer->out, "\t}\n");
}

/* ---- records ------------------------------------------------------------------------------------ */

static void record_allocate_write(struct writer *writer)
{
	const struct helpers *helpers = writer->helpers;

	text_printf(writer->out, "static cudaError_t %s(", helpers->names[HELPER_ALLOCATE]);
	handle_write(writer, false);
	text_puts(writer->out, "*device, size_t bytes)\n{\n");
	counts_write(writer, writer->host_type);
	if (helpers->handle_is_pointer) {
		text_printf(writer->out, "\n\treturn cudaMalloc((void **)device, %s * sizeof(**device));\n}\n\n", writer->units);
		return;
	}
	text_puts(writer->out, "\tcudaError_t error = cudaSuccess;\n\n");
	for (unsigned b = 0; b < writer->placement->buffer_count; b++) {
		const char *name = writer->group->fields[b].name;

		text_printf(writer->out,
		            "\tif (error == cudaSuccess)\n\t\terror = cudaMalloc((void **)&device->%s, count * sizeof(*device->%s));\n",
		            name, name);
	}
	text_puts(writer->out, "\treturn error;\n}\n\n");
}

static void record_to_device_write(struct writer *writer)
{
	text_printf(writer->out, "static cudaError_t %s(", writer->helpers->names[HELPER_TO_DEVICE]);
	handle_write(writer, false);
	text_printf(writer->out, "device, const void *host, size_t bytes)\n{\n\tconst %s *from = (const %s *)host;\n",
	            writer->host_type, writer->host_type);
	counts_write(writer, writer->host_type);
	staging_write(writer, "to");
	text_puts(writer->out, "\tcudaError_t error = cudaSuccess;\n\n");
	if (writer->tile > 1)
		text_printf(writer->out,
		            "\tif (count %% %u != 0)\n\t\terror = cudaMemcpy(&to[tiles - 1], &device[tiles - 1], sizeof(*to), "
		            "cudaMemcpyDeviceToHost);\n",
		            writer->tile);
	element_loop_write(writer, "to", "from", true);
	transfer_write(writer, "device", "to", "HostToDevice");
	release_write(writer, "to");
}

static void record_to_host_write(struct writer *writer)
{
	text_printf(writer->out, "static cudaError_t %s(void *host, ", writer->helpers->names[HELPER_TO_HOST]);
	handle_write(writer, true);
	text_printf(writer->out, "device, size_t bytes)\n{\n\t%s *to = (%s *)host;\n", writer->host_type, writer->host_type);
	counts_write(writer, writer->host_type);
	staging_write(writer, "from");
	text_puts(writer->out, "\tcudaError_t error = cudaSuccess;\n\n");
	transfer_write(writer, "from", "device", "DeviceToHost");
	element_loop_write(writer, "to", "from", false);
	release_write(writer, "from");
}

static void record_copy_write(struct writer *writer)
{
	const struct helpers *helpers = writer->helpers;

	text_printf(writer->out, "static cudaError_t %s(", helpers->names[HELPER_COPY]);
	handle_write(writer, false);
	text_puts(writer->out, "to, ");
	handle_write(writer, true);
	text_printf(writer->out,
	            "from, size_t bytes)\n{\n\tchar *staged = new char[bytes];\n\tcudaError_t error = %s(staged, from, bytes);\n\n"
	            "\tif (error == cudaSuccess)\n\t\terror = %s(to, staged, bytes);\n\tdelete[] staged;\n\treturn error;\n}\n\n",
	            helpers->names[HELPER_TO_HOST], helpers->names[HELPER_TO_DEVICE]);
}

static void record_set_write(struct writer *writer)
{
	text_printf(writer->out, "static cudaError_t %s(", writer->helpers->names[HELPER_SET]);
	handle_write(writer, false);
	text_printf(writer->out,
	            "device, int value, size_t bytes)\n{\n\tchar *staged = new char[bytes];\n\n"
	            "\tfor (size_t i = 0; i < bytes; i++)\n\t\tstaged[i] = (char)value;\n"
	            "\tcudaError_t error = %s(device, staged, bytes);\n\tdelete[] staged;\n\treturn error;\n}\n\n",
	            writer->helpers->names[HELPER_TO_DEVICE]);
}

static void record_free_write(struct writer *writer)
{
	text_printf(writer->out, "static cudaError_t %s(%s device)\n{\n\tcudaError_t error = cudaSuccess;\n\n",
	            writer->helpers->names[HELPER_FREE], writer->helpers->handle);
	for (unsigned b = 0; b < writer->placement->buffer_count; b++)
		text_printf(writer->out, "\tif (error == cudaSuccess)\n\t\terror = cudaFree(device.%s);\n",
		            writer->group->fields[b].name);
	text_puts(writer->out, "\treturn error;\n}\n\n");
}

/* ---- separate arrays as members of records --------------------------------------------------------- */

/* "T record::*member" or, in tiles, "T (tile::*member)[32]". */
static void member_write(const struct writer *writer, const char *name)
{
	if (writer->tile > 1)
		text_printf(writer->out, "T (%s::*%s)[%u]", writer->helpers->handle, name, writer->tile);
	else
		text_printf(writer->out, "T %s::*%s", writer->helpers->handle, name);
}

/* The member of element e of a buffer of records. */
static void member_element_write(const struct writer *writer, const char *variable)
{
	unsigned shift = 0;

	while (1u << shift < writer->tile)
		shift++;
	if (writer->tile > 1)
		text_printf(writer->out, "(%s[e >> %u].*member)[e & %u]", variable, shift, writer->tile - 1);
	else
		text_printf(writer->out, "%s[e].*member", variable);
}

static void member_allocate_write(struct writer *writer)
{
	text_printf(writer->out, "static cudaError_t %s(%s **device, size_t count)\n{\n\treturn cudaMalloc((void **)device, ",
	            writer->helpers->names[HELPER_ALLOCATE], writer->helpers->handle);
	if (writer->tile > 1)
		text_printf(writer->out, "(count + %u) / %u", writer->tile - 1, writer->tile);
	else
		text_puts(writer->out, "count");
	text_puts(writer->out, " * sizeof(**device));\n}\n\n");
}

static void member_to_device_write(struct writer *writer)
{
	text_printf(writer->out, "template <typename T>\nstatic cudaError_t %s(%s *device, ",
	            writer->helpers->names[HELPER_TO_DEVICE], writer->helpers->handle);
	member_write(writer, "member");
	text_puts(writer->out, ", const void *host, size_t bytes)\n{\n");
	counts_write(writer, "T");
	staging_write(writer, "to");
	text_puts(writer->out, "\tcudaError_t error = cudaSuccess;\n\n");
	transfer_write(writer, "to", "device", "DeviceToHost");
	text_puts(writer->out, "\tfor (size_t e = 0; e < count; e++)\n\t\t");
	member_element_write(writer, "to");
	text_puts(writer->out, " = ((const T *)host)[e];\n");
	transfer_write(writer, "device", "to", "HostToDevice");
	release_write(writer, "to");
}

static void member_to_host_write(struct writer *writer)
{
	text_printf(writer->out, "template <typename T>\nstatic cudaError_t %s(void *host, const %s *device, ",
	            writer->helpers->names[HELPER_TO_HOST], writer->helpers->handle);
	member_write(writer, "member");
	text_puts(writer->out, ", size_t bytes)\n{\n");
	counts_write(writer, "T");
	staging_write(writer, "from");
	text_puts(writer->out, "\tcudaError_t error = cudaSuccess;\n\n");
	transfer_write(writer, "from", "device", "DeviceToHost");
	text_puts(writer->out, "\tfor (size_t e = 0; e < count; e++)\n\t\t((T *)host)[e] = ");
	member_element_write(writer, "from");
	text_puts(writer->out, ";\n");
	release_write(writer, "from");
}

static void member_copy_write(struct writer *writer)
{
	const struct helpers *helpers = writer->helpers;

	text_printf(writer->out, "template <typename T>\nstatic cudaError_t %s(%s *device, ", helpers->names[HELPER_COPY],
	            helpers->handle);
	member_write(writer, "to");
	text_puts(writer->out, ", ");
	member_write(writer, "from");
	text_printf(writer->out,
	            ", size_t bytes)\n{\n\tchar *staged = new char[bytes];\n"
	            "\tcudaError_t error = %s(staged, device, from, bytes);\n\n"
	            "\tif (error == cudaSuccess)\n\t\terror = %s(device, to, staged, bytes);\n"
	            "\tdelete[] staged;\n\treturn error;\n}\n\n",
	            helpers->names[HELPER_TO_HOST], helpers->names[HELPER_TO_DEVICE]);
}

static void member_set_write(struct writer *writer)
{
	text_printf(writer->out, "template <typename T>\nstatic cudaError_t %s(%s *device, ", writer->helpers->names[HELPER_SET],
	            writer->helpers->handle);
	member_write(writer, "member");
	text_printf(writer->out,
	            ", int value, size_t bytes)\n{\n\tchar *staged = new char[bytes];\n\n"
	            "\tfor (size_t i = 0; i < bytes; i++)\n\t\tstaged[i] = (char)value;\n"
	            "\tcudaError_t error = %s(device, member, staged, bytes);\n\tdelete[] staged;\n\treturn error;\n}\n\n",
	            writer->helpers->names[HELPER_TO_DEVICE]);
}

/* ---- all that are used -------------------------------------------------------------------------------- */

static void comment_write(const struct writer *writer)
{
	if (writer->group->form == FORM_STRUCT)
		text_printf(writer->out,
		            "/*\n * Device memory in the layout of the kernels. The host's data stay arrays of %s; sizes are theirs, in bytes.\n */\n",
		            writer->host_type);
	else
		text_puts(writer->out,
		          "/*\n * Device memory in the layout of the kernels. The host's data stay separate arrays, members of the records on the\n"
		          " * device; sizes are those of one array, in bytes.\n */\n");
}

typedef void helper_function(struct writer *writer);

void helpers_write(struct text *out, const struct helpers *helpers)
{
	static helper_function *const records[] = {record_allocate_write, record_to_device_write, record_to_host_write,
	                                           record_copy_write,     record_set_write,       record_free_write};
	static helper_function *const members[] = {member_allocate_write, member_to_device_write, member_to_host_write,
	                                           member_copy_write,     member_set_write,       NULL};
	const struct layout_group *group = helpers->plan->group;
	struct writer writer = {.out = out, .helpers = helpers, .placement = helpers->plan->placement, .group = group};
	bool any = false;

	writer.host_type = group->record ? group->record->type.spelling : NULL;
	writer.tile = writer.placement->tile;
	writer.units = writer.tile > 1 ? "tiles" : "count";
	if (!helpers->handle_is_pointer)
		handle_type_write(&writer);
	for (unsigned h = 0; h < HELPER_COUNT; h++)
		any |= helpers->used[h];
	if (any)
		comment_write(&writer);
	if (helpers->larger)
		text_printf(out, "static size_t %s(size_t a, size_t b)\n{\n\treturn a > b ? a : b;\n}\n\n", helpers->larger);
	for (unsigned h = 0; h < HELPER_COUNT; h++)
		if (helpers->used[h])
			(group->form == FORM_STRUCT ? records : members)[h](&writer);
}
