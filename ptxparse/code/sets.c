/*
 * The closed sets' names and properties.
 */
#include "ptxparse/code/sets.h"

static const struct type_row {
	const char *name;
	uint8_t bits;
	char class;
} types[PTX_TYPE_COUNT] = {
	[PTX_TYPE_NONE] = {"none", 0, 'O'},
#define X(name, bits, class) [PTX_##name] = {#name, bits, #class[0]},
#include "ptxparse/code/types.def"
#undef X
};

unsigned ptx_type_bytes(enum ptx_type type)
{
	return types[type].class == 'P' ? 0 : (types[type].bits + 7u) / 8;
}

bool ptx_type_is_signed(enum ptx_type type)
{
	return types[type].class == 'I';
}

bool ptx_type_is_float(enum ptx_type type)
{
	return types[type].class == 'F';
}

const char *ptx_type_name(enum ptx_type type)
{
	return types[type].name;
}

const char *ptx_space_name(enum ptx_space space)
{
	static const char *const names[] = {"none",  "generic", "global", "shared",
	                                    "local", "const",   "param",  "texture"};
	return names[space];
}

const char *ptx_special_name(enum ptx_special special)
{
	static const char *const names[] = {
		[SPECIAL_TID_X] = "%tid.x",
		[SPECIAL_TID_Y] = "%tid.y",
		[SPECIAL_TID_Z] = "%tid.z",
		[SPECIAL_NTID_X] = "%ntid.x",
		[SPECIAL_NTID_Y] = "%ntid.y",
		[SPECIAL_NTID_Z] = "%ntid.z",
		[SPECIAL_CTAID_X] = "%ctaid.x",
		[SPECIAL_CTAID_Y] = "%ctaid.y",
		[SPECIAL_CTAID_Z] = "%ctaid.z",
		[SPECIAL_NCTAID_X] = "%nctaid.x",
		[SPECIAL_NCTAID_Y] = "%nctaid.y",
		[SPECIAL_NCTAID_Z] = "%nctaid.z",
		[SPECIAL_LANEID] = "%laneid",
		[SPECIAL_WARPID] = "%warpid",
		[SPECIAL_NWARPID] = "%nwarpid",
		[SPECIAL_LANEMASK_EQ] = "%lanemask_eq",
		[SPECIAL_LANEMASK_LE] = "%lanemask_le",
		[SPECIAL_LANEMASK_LT] = "%lanemask_lt",
		[SPECIAL_LANEMASK_GE] = "%lanemask_ge",
		[SPECIAL_LANEMASK_GT] = "%lanemask_gt",
		[SPECIAL_DYNAMIC_SHARED_SIZE] = "%dynamic_smem_size",
		[SPECIAL_TOTAL_SHARED_SIZE] = "%total_smem_size",
		[SPECIAL_OTHER] = "%other",
	};
	return names[special];
}
