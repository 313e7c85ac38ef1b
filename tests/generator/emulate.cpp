/*
 * The runtime behind emulate.h. Threads of a block run one after another, each until its end or a barrier; blocks follow each other, so
 * that shared memory is static memory. A thread has a stack of its own while it waits.
 *
 * A program's requests are written line by line, for each line of the source and kind of access: LINE KIND REQUESTS SECTORS WIDTH. A
 * sector counts once in a request; WIDTH is 0 where requests of the line differ in it.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <sys/wait.h>
#include <tuple>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace
{
const size_t stack_bytes = 1 << 18;
const unsigned limit_seconds = 60;

struct scope {
	int id, step;
};
struct thread_state {
	int line = 0, nth = 0;
	std::vector<scope> scopes;
	ucontext_t context;
	std::vector<char> stack;
	bool waits = false;
};
struct request {
	unsigned width;
	std::set<uintptr_t> sectors;
};
/* launch, block, warp, line, whether it stores, place of the access among those of the statement, iterations around it */
using request_key = std::tuple<int, unsigned, unsigned, int, bool, int, std::vector<int>>;

thread_state threads[1024];
ucontext_t scheduler;
void (*kernel_run)(const void *);
const void *kernel_call;
unsigned current, current_block;
int launches;
bool busy;
std::string counts_path;

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
		request &made = requests()[request_key(launches, current_block, current / 32, thread.line, store, thread.nth++,
		                                       iterations)];
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

void counts_write()
{
	std::map<std::pair<int, bool>, totals> lines;
	FILE *out = counts_path.empty() ? NULL : fopen(counts_path.c_str(), "w");

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
		fprintf(out, "%d %s %lu %lu %u\n", line.first.first, line.first.second ? "store" : "load", line.second.requests,
		        line.second.sectors, line.second.mixed ? 0 : line.second.width);
	fclose(out);
}
} // namespace

static void thread_main()
{
	kernel_run(kernel_call);
}

/* Lets a thread run until it ends or waits. */
static void thread_resume(unsigned t, const unsigned *block, unsigned *index)
{
	current = t;
	index[0] = t % block[0];
	index[1] = t / block[0] % block[1];
	index[2] = t / block[0] / block[1];
	threads[t].waits = false;
	swapcontext(&scheduler, &threads[t].context);
}

/* Begins a thread on a stack; the stack is free again when the thread does not wait. */
static void thread_begin(unsigned t, const unsigned *block, unsigned *index, std::vector<char> &stack)
{
	thread_state &thread = threads[t];

	thread.line = thread.nth = 0;
	thread.scopes.clear();
	stack.resize(stack_bytes);
	getcontext(&thread.context);
	thread.context.uc_stack.ss_sp = stack.data();
	thread.context.uc_stack.ss_size = stack.size();
	thread.context.uc_link = &scheduler;
	makecontext(&thread.context, thread_main, 0);
	thread_resume(t, block, index);
	if (thread.waits)
		thread.stack.swap(stack);
}

static void block_run(const unsigned *block, unsigned *index)
{
	static std::vector<char> stack;
	unsigned count = block[0] * block[1] * block[2];

	for (unsigned t = 0; t < count; t++)
		thread_begin(t, block, index, stack);
	for (bool more = true; more;) {
		more = false;
		for (unsigned t = 0; t < count; t++)
			if (threads[t].waits) {
				more = true;
				thread_resume(t, block, index);
			}
	}
}

void emulate_launch(const unsigned *grid, const unsigned *block, unsigned *block_index, unsigned *thread_index,
                    void (*kernel)(const void *), const void *call)
{
	launches++;
	kernel_run = kernel;
	kernel_call = call;
	for (current_block = 0; current_block < grid[0] * grid[1] * grid[2]; current_block++) {
		block_index[0] = current_block % grid[0];
		block_index[1] = current_block / grid[0] % grid[1];
		block_index[2] = current_block / grid[0] / grid[1];
		block_run(block, thread_index);
	}
	for (thread_state &thread : threads)
		thread.line = 0;
}

void emulate_barrier()
{
	threads[current].waits = true;
	swapcontext(&threads[current].context, &scheduler);
}

/* Runs a program in this process, and ends it. */
static void program_run(const std::string &place, int (*program)())
{
	if (!freopen((place + ".out").c_str(), "w", stdout))
		exit(2);
	dup2(1, 2);
	alarm(limit_seconds);
	counts_path = place + ".counts";
	int status = program();
	counts_write();
	exit(status);
}

int emulate_programs(const char *folder, int (*const *programs)(), int count)
{
	for (int n = 0; n < count; n++) {
		std::string place = std::string(folder) + "/" + std::to_string(n);
		int ended = 0;
		pid_t child = fork();

		if (child == 0)
			program_run(place, programs[n]);
		waitpid(child, &ended, 0);
		FILE *out = fopen((place + ".status").c_str(), "w");
		if (!out)
			return 1;
		fprintf(out, "%d\n", WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended));
		fclose(out);
	}
	return 0;
}

void emulate_line(int line)
{
	threads[current].line = line;
	threads[current].nth = 0;
}

void emulate_push(int id)
{
	threads[current].scopes.push_back({id, 0});
}

void emulate_step()
{
	threads[current].scopes.back().step++;
}

void emulate_pop()
{
	threads[current].scopes.pop_back();
}

void emulate_memory(void *start, size_t bytes)
{
	memory()[(uintptr_t)start] = bytes;
}

void emulate_freed(void *start)
{
	memory().erase((uintptr_t)start);
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
