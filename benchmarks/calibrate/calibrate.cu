/*
 * calibrate: runs the sections in order and prints one JSON object. See README.md.
 *
 * With -o the file is written anew after each section, so that what was measured survives whatever happens later.
 */
#include "calibrate.h"

#include <chrono>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>

settings run = {11, false, 200, "", {}};

static const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();

double elapsed_seconds()
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

void progress(const char *text, ...)
{
	va_list arguments;
	va_start(arguments, text);
	fprintf(stderr, "[%6.1f s] ", elapsed_seconds());
	vfprintf(stderr, text, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}

/* ---- sections ---------------------------------------------------------------------------------------------- */

static const struct section {
	const char *name, *what;
	void (*measure)();
} sections[] = {
	{"limits", "what the device says of itself", measure_limits},
	{"clock", "clocks under load", measure_clock},
	{"instructions", "latency and issue interval of each instruction class", measure_instructions},
	{"warp_access", "cycles of a warp's access against its pattern", measure_warp_access},
	{"latency", "L1, L2, DRAM, shared memory", measure_latency},
	{"bandwidth", "L2, DRAM, cold launches", measure_bandwidth},
	{"parallelism", "loads in flight", measure_parallelism},
	{"policy", "lines, sectors, stores", measure_policy},
	{"synchronize", "barriers and atomics", measure_synchronization},
	{"core", "special registers, constants, branches, code", measure_core},
	{"queue", "queues before the load-store unit, loads on their way", measure_queue},
	{"stores", "merging, partly written sectors, hot lines", measure_stores},
	{"contention", "atomics by the number of bins", measure_contention},
	{"sharing", "one set for all SMs, cold launches", measure_sharing},
	{"launch", "launches and events", measure_launch},
};

struct options {
	const char *output, *only;
	bool sass_only;
	int device;
};

static int usage(FILE *stream)
{
	fprintf(stream,
	        "calibrate [-o FILE] [--quick] [--repeats N] [--limit SECONDS] [--only SECTION,...] [--device N] "
	        "[--sass]\n\n"
	        "Measures the GPU and prints one JSON object, on stdout or in FILE, which is rewritten after each "
	        "section.\n"
	        "--quick   three repeats and short tables, to try it out\n"
	        "--sass    only check the machine code of the timed loops with cuobjdump; needs no GPU\n\nSections:\n");
	for (const section &entry : sections)
		fprintf(stream, "  %-14s %s\n", entry.name, entry.what);
	return stream == stdout ? 0 : 2;
}

static bool wanted(const char *list, const char *name)
{
	if (!list)
		return true;
	size_t length = strlen(name);
	for (const char *at = strstr(list, name); at; at = strstr(at + length, name))
		if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == 0))
			return true;
	return false;
}

/* ---- the header of the results ------------------------------------------------------------------------------- */

/* The first line that a command prints; empty when it fails. */
static std::string command_line(const std::string &command)
{
	char line[512] = "";
	FILE *stream = popen(command.c_str(), "r");
	if (stream && !fgets(line, sizeof line, stream))
		line[0] = 0;
	if (stream)
		pclose(stream);
	line[strcspn(line, "\n")] = 0;
	return line;
}

static std::string smi(const char *fields, int device)
{
	return command_line(
		format("timeout 10 nvidia-smi -i %d --query-gpu=%s --format=csv,noheader 2>/dev/null", device, fields));
}

static std::string today()
{
	char text[32];
	time_t now = time(nullptr);
	strftime(text, sizeof text, "%Y-%m-%d", gmtime(&now));
	return text;
}

static const char *const clock_fields = "clocks.sm,clocks.mem,temperature.gpu,power.draw,clocks_event_reasons.active";

static void header_add(const char *key, const std::string &value)
{
	run.header += format("  \"%s\": ", key) + json_text(value) + ",\n";
}

static std::string cuda_version(int version)
{
	return format("%d.%d", version / 1000, version % 1000 / 10);
}

/* "GPU-01234567-...": which card it is. */
static std::string device_uuid()
{
	std::string text = "GPU-";
	for (int i = 0; i < 16; i++)
		text += format(i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
		               (unsigned char)run.properties.uuid.bytes[i]);
	return text;
}

static void describe_device(int device)
{
	int driver_cuda = 0, runtime = 0;
	CHECK(cudaDriverGetVersion(&driver_cuda));
	CHECK(cudaRuntimeGetVersion(&runtime));
	std::string driver = smi("driver_version", device);
	header_add("date", today());
	header_add("device", run.properties.name);
	header_add("compute_capability", format("%d.%d", run.properties.major, run.properties.minor));
	header_add("uuid", device_uuid());
	header_add("driver", driver.empty() ? "unknown" : driver);
	header_add("driver_cuda", cuda_version(driver_cuda));
	header_add("toolkit", cuda_version(runtime));
	run.header += format("  \"quick\": %s,\n", run.quick ? "true" : "false");
	header_add("clock_fields", clock_fields);
	header_add("clocks_before", smi(clock_fields, device));
}

static bool write_results(const char *path, bool complete)
{
	std::string json = results_json(complete), temporary = path ? std::string(path) + ".part" : "";
	if (!path)
		return !complete || fputs(json.c_str(), stdout) >= 0;
	FILE *file = fopen(temporary.c_str(), "w");
	bool written = file && fputs(json.c_str(), file) >= 0;
	if (file && fclose(file) != 0)
		written = false;
	return written && rename(temporary.c_str(), path) == 0;
}

/* ---- main ------------------------------------------------------------------------------------------------------- */

static bool run_section(const section &entry)
{
	progress("%s: %s", entry.name, entry.what);
	try {
		entry.measure();
		return true;
	} catch (const failure &problem) {
		progress("FAILED %s: %s", entry.name, problem.text.c_str());
		record_failure(entry.name, problem.text);
	}
	try {
		reset_device();
	} catch (const failure &problem) {
		progress("FAILED %s", problem.text.c_str());
	}
	return false;
}

static bool run_sections(const options &given)
{
	bool all = true;
	for (const section &entry : sections) {
		if (!wanted(given.only, entry.name))
			continue;
		if (elapsed_seconds() > run.limit_seconds) {
			record_failure(entry.name, "not started: the time limit had passed");
			progress("skipped %s: over the time limit", entry.name);
			all = false;
			continue;
		}
		all = run_section(entry) && all;
		if (!write_results(given.output, false)) {
			progress("cannot write %s", given.output);
			return false;
		}
	}
	return all;
}

/* A kernel that never ends must not hold the machine: what was written after the last section stays. */
static void give_up(int)
{
	static const char text[] = "calibrate: far over the time limit, giving up\n";
	ssize_t ignored = write(2, text, sizeof text - 1);
	(void)ignored;
	_exit(3);
}

static bool parse_options(int count, char **arguments, options &given)
{
	for (int i = 1; i < count; i++) {
		const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : nullptr;
		if (strcmp(name, "--quick") == 0)
			run.quick = true, run.repeats = 3;
		else if (strcmp(name, "--sass") == 0)
			given.sass_only = true;
		else if (!value)
			return false;
		else if (strcmp(name, "-o") == 0)
			given.output = value, i++;
		else if (strcmp(name, "--only") == 0)
			given.only = value, i++;
		else if (strcmp(name, "--repeats") == 0)
			run.repeats = atoi(value), i++;
		else if (strcmp(name, "--limit") == 0)
			run.limit_seconds = atof(value), i++;
		else if (strcmp(name, "--device") == 0)
			given.device = atoi(value), i++;
		else
			return false;
	}
	return run.repeats >= 1 && run.repeats <= 1000 && run.limit_seconds > 0 && given.device >= 0;
}

int main(int count, char **arguments)
{
	options given = {nullptr, nullptr, false, 0};
	for (int i = 1; i < count; i++)
		if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
			return usage(stdout);
	if (!parse_options(count, arguments, given))
		return usage(stderr);
	if (given.sass_only)
		return check_sass(false) ? 0 : 1;
	signal(SIGALRM, give_up);
	alarm((unsigned)run.limit_seconds + 60);
	try {
		CHECK(cudaSetDevice(given.device));
		CHECK(cudaGetDeviceProperties(&run.properties, given.device));
		describe_device(given.device);
	} catch (const failure &problem) {
		fprintf(stderr, "calibrate: %s\n", problem.text.c_str());
		return 1;
	}
	check_sass(true);
	bool all = run_sections(given);
	header_add("clocks_after", smi(clock_fields, given.device));
	if (!write_results(given.output, true))
		return 1;
	progress("done, %s", all ? "all sections" : "NOT all sections");
	return all ? 0 : 1;
}
