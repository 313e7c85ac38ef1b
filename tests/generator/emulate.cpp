/*
 * The runtime behind emulate.h. At the program's end it writes to the file EMULATE_OUT, for each line of the source and each kind of
 * access: LINE KIND REQUESTS SECTORS WIDTH. A sector counts once in a request; WIDTH is 0 where requests of the line differ in it.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace
{
struct scope {
	int id, step;
};
struct thread_state {
	int line = 0, nth = 0;
	unsigned block = 0;
	std::vector<scope> scopes;
};
struct request {
	unsigned width;
	std::set<uintptr_t> sectors;
};
/* launch, block, warp, line, whether it stores, place of the access among those of the statement, iterations around it */
using request_key = std::tuple<int, unsigned, unsigned, int, bool, int, std::vector<int>>;

thread_state threads[1024];
unsigned current;
int launches;
bool busy;

std::map<uintptr_t, size_t> &memory()
{
	static auto *map = new std::map<uintptr_t, size_t>;
	return *map;
}

std::map<request_key, request> &requests()
{
	static auto *map = new std::map<request_key, request>;
	return *map;
}

bool is_global(uintptr_t address)
{
	auto after = memory().upper_bound(address);

	if (after == memory().begin())
		return false;
	--after;
	return address < after->first + after->second;
}

void record(void *pointer, unsigned bytes, bool store)
{
	thread_state &thread = threads[current];
	uintptr_t address = (uintptr_t)pointer;

	if (busy || !thread.line)
		return;
	busy = true;
	if (is_global(address)) {
		std::vector<int> iterations;

		for (const scope &one : thread.scopes) {
			iterations.push_back(one.id);
			iterations.push_back(one.step);
		}
		request &made =
			requests()[request_key(launches, thread.block, current / 32, thread.line, store, thread.nth++, iterations)];
		made.width = bytes;
		for (uintptr_t sector = address / 32; sector <= (address + bytes - 1) / 32; sector++)
			made.sectors.insert(sector);
	}
	busy = false;
}

struct totals {
	unsigned long requests = 0, sectors = 0;
	unsigned width = 0;
	bool mixed = false;
};

struct at_end {
	~at_end()
	{
		std::map<std::pair<int, bool>, totals> lines;
		FILE *out = getenv("EMULATE_OUT") ? fopen(getenv("EMULATE_OUT"), "w") : NULL;

		if (!out)
			return;
		busy = true;
		for (const auto &one : requests()) {
			totals &sum = lines[{std::get<3>(one.first), std::get<4>(one.first)}];

			sum.mixed |= sum.requests && sum.width != one.second.width;
			sum.width = one.second.width;
			sum.requests++;
			sum.sectors += one.second.sectors.size();
		}
		for (const auto &line : lines)
			fprintf(out, "%d %s %lu %lu %u\n", line.first.first, line.first.second ? "store" : "load",
			        line.second.requests, line.second.sectors, line.second.mixed ? 0 : line.second.width);
		fclose(out);
	}
} at_end;
} // namespace

void emulate_line(int line, unsigned block, unsigned thread)
{
	current = thread;
	threads[thread].line = line;
	threads[thread].block = block;
	threads[thread].nth = 0;
}

void emulate_push(int id, unsigned thread)
{
	threads[thread].scopes.push_back({id, 0});
}

void emulate_step(unsigned thread)
{
	threads[thread].scopes.back().step++;
}

void emulate_pop(unsigned thread)
{
	threads[thread].scopes.pop_back();
}

void emulate_memory(void *start, size_t bytes)
{
	memory()[(uintptr_t)start] = bytes;
}

void emulate_freed(void *start)
{
	memory().erase((uintptr_t)start);
}

void emulate_launch()
{
	launches++;
	for (thread_state &thread : threads)
		thread = thread_state();
}

#define ACCESSES(bytes)                                                                                                            \
	void __tsan_read##bytes(void *address)                                                                                     \
	{                                                                                                                          \
		record(address, bytes, false);                                                                                     \
	}                                                                                                                          \
	void __tsan_write##bytes(void *address)                                                                                    \
	{                                                                                                                          \
		record(address, bytes, true);                                                                                      \
	}
extern "C" {
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
void __tsan_read_range(void *address, unsigned long bytes)
{
	record(address, (unsigned)bytes, false);
}
void __tsan_write_range(void *address, unsigned long bytes)
{
	record(address, (unsigned)bytes, true);
}
void __tsan_init()
{
}
void __tsan_func_entry(void *)
{
}
void __tsan_func_exit()
{
}
void __tsan_vptr_update(void *, void *)
{
}
void __tsan_vptr_read(void *)
{
}
}
