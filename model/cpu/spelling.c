/* Words of spellings: an instruction with one whose meaning is not translated must not be taken for one without it. */
#include "model/cpu/internal.h"

#include <string.h>

/* Words whose meaning is translated, or does not matter where one thread runs all lanes. Types are known besides. */
static const char words[] =
	" rn rz rm rp rni rzi rmi rpi sat ftz noftz lo hi wide cc clamp wrap shiftamt approx full l r"
	" eq ne lt le gt ge ls hs equ neu ltu leu gtu geu num nan finite infinite number notanumber normal subnormal"
	" sync aligned uni cta warp red arrive all any ballot popc up down bfly idx noreturn"
	" and or xor add min max exch cas inc dec"
	" global shared local const param entry func to v2 v4 v8"
	" volatile relaxed acquire release acq_rel weak mmio gpu sys cluster"
	" nc ca cg cs lu cv wb wt L1 L2 cache_hint no_allocate evict_first evict_last evict_normal evict_unchanged "
	"fractional"
	" 64B 128B 256B ";

static bool is_word(const char *word, size_t length)
{
	for (const char *next = words; *next; next += 1 + strcspn(next + 1, " "))
		if (strcspn(next + 1, " ") == length && memcmp(next + 1, word, length) == 0)
			return true;
	return false;
}

static bool is_type(const char *word, size_t length)
{
	for (unsigned type = 1; type < PTX_TYPE_COUNT; type++)
		if (strlen(ptx_type_name(type)) == length && memcmp(ptx_type_name(type), word, length) == 0)
			return true;
	return false;
}

bool cpu_says(const struct ptx_insn *insn, const char *word)
{
	size_t length = strlen(word);

	for (const char *dot = strchr(insn->spelling, '.'); dot; dot = strchr(dot + 1, '.'))
		if (strncmp(dot + 1, word, length) == 0 && strchr(".:", dot[1 + length]))
			return true;
	return false;
}

bool cpu_spelling_known(const struct ptx_insn *insn)
{
	const char *next =
		insn->spelling + (insn->operation == OP_cp_async ? strlen("cp.async") : strcspn(insn->spelling, ".:"));

	while (*next) {
		size_t length = strcspn(next + 1, ".:");

		if (length && !is_type(next + 1, length) && !is_word(next + 1, length))
			return false;
		next += 1 + length;
	}
	return true;
}
