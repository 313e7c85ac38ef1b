/*
 * Measuring program, third part: what is timed and compared. Below stand tables of what to launch.
 *
 * How it measures: the GPU is kept busy first, so that its clocks are those under load. The L2 is cold, as a kernel overwrites a scratch buffer of at least
 * twice its size before every timed launch; then event, launch, event. Three launches warm up, at least 11 are timed (3 where one takes over a second); layouts
 * take turns. Inputs are the same values in every layout, a hash of their position, and what a kernel may write is set anew before every launch. What a
 * launch leaves must agree with what the program as written leaves.
 *
 * Each kernel is measured in a process of its own, so that one which fails costs its own rows alone. A variant that fails there (wrong results, a fault, no end) is
 * left out and the rest measured again; where memory does not suffice for all variants at once, each is measured with the program as written alone. Results go
 * to stdout as JSON, with what failed and why; progress and errors to stderr. Exit status: 0 measured, a kernel at least; 1 none, and no JSON; 2 wrong usage, 3 no GPU.
 */
namespace coalesce_measure {

/* ---- do the layouts agree? ---------------------------------------------------------------------------- */

/* What the program as written left: for each array and scalar the values in order, and the mean of their magnitudes. */
struct reference {
	std::vector<std::vector<char *> > copies;
	std::vector<std::vector<double> > magnitudes;
	unsigned long long values, changed, not_finite;
};

static double tolerance_of(const scalar &what)
{
	return what.kind != 'f' ? 0 : what.bytes == 8 ? 1e-10 : what.bytes == 4 ? 1e-4 : 1e-2;
}

static void scalar_collect(const instance &one, const place &where, const scalar &what, uint64_t values, int a, int s, reference &left)
{
	summary found = {0, 0, 0};
	void *copy = nullptr, *result = nullptr;
	check(cudaMalloc(&copy, values * what.bytes + 1), "cudaMalloc");
	check(cudaMalloc(&result, sizeof found), "cudaMalloc");
	check(cudaMemset(result, 0, sizeof found), "cudaMemset");
	over(values, collect, bases_of(one, a, where, what), where, what, values, (char *)copy);
	over(values, summarise, (const char *)copy, what, values, seed_of(a, s), (summary *)result);
	check(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
	cudaFree(result);
	left.copies[a].push_back((char *)copy);
	left.magnitudes[a].push_back(values ? found.magnitude / (double)values : 0);
	left.values += values;
	left.changed += one.first[a].empty() ? found.changed : 0;
	left.not_finite += found.not_finite;
}

static reference reference_collect(const kernel &what, const scalars &all, const instance &one)
{
	reference left = {{}, {}, 0, 0, 0};
	for (int a = 0; a < what.array_count; a++) {
		left.copies.push_back(std::vector<char *>());
		left.magnitudes.push_back(std::vector<double>());
		for (int s = 0; what.arrays[a].output && s < what.arrays[a].scalar_count; s++)
			scalar_collect(one, one.code->storages[a].places[s], all[a][s], what.arrays[a].elements * all[a][s].count, a, s, left);
	}
	return left;
}

static double value_at(const char *address, const scalar &what)
{
	char bytes[8] = {0};
	check(cudaMemcpy(bytes, address, what.bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
	return number_of(bits_read(bytes, what.bytes), what);
}

static double scalar_agree(const instance &one, const array &whole, const scalar &what, const reference &left, int a, int s)
{
	const place &where = one.code->storages[a].places[s];
	uint64_t values = whole.elements * what.count;
	difference found = {0, 0, ~0ull};
	void *result = nullptr;
	double largest;
	check(cudaMalloc(&result, sizeof found), "cudaMalloc");
	check(cudaMemcpy(result, &found, sizeof found, cudaMemcpyHostToDevice), "cudaMemcpy");
	over(values, compare, (const char *)left.copies[a][s], bases_of(one, a, where, what), where, what, values,
	     left.magnitudes[a][s], tolerance_of(what), (difference *)result);
	check(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
	cudaFree(result);
	memcpy(&largest, &found.largest, 8);
	if (found.count > 0)
		fail(1, "results differ from those of the program as written: %s%s%s, %llu of %llu values, first element %llu: %.9g instead of %.9g", whole.name,
		     *what.name ? "." : "", what.name, found.count, (unsigned long long)values, (unsigned long long)(found.first / what.count),
		     value_at(address_of(bases_of(one, a, where, what), where, found.first / what.count, found.first % what.count), what),
		     value_at(left.copies[a][s] + found.first * what.bytes, what));
	return largest;
}

static void instance_agree(const kernel &what, const scalars &all, instance &one, const reference &left)
{
	for (int a = 0; a < what.array_count; a++)
		for (int s = 0; what.arrays[a].output && s < what.arrays[a].scalar_count; s++)
			one.largest_difference =
				std::max(one.largest_difference, scalar_agree(one, what.arrays[a], all[a][s], left, a, s));
}

/* Launches each variant once on fresh inputs, and compares what they leave. */
static reference results_check(settings &run, const kernel &what, const scalars &all, std::vector<instance> &instances)
{
	reference left = {{}, {}, 0, 0, 0};
	for (size_t v = 0; v < instances.size(); v++) {
		variant_begin(what, *instances[v].code);
		reset(what, all, instances[v], true);
		check(cudaDeviceSynchronize(), "filling the arrays");
		kernel_launch(what, instances[v]);
		finish(run);
		guards_check(what, instances[v]);
		if (v == 0)
			left = reference_collect(what, all, instances[v]);
		else
			instance_agree(what, all, instances[v], left);
	}
	if (left.changed == 0)
		fprintf(stderr, "measure: %s: warning: the kernel changes nothing; are its arguments right?\n", what.name);
	if (left.not_finite > 0)
		fprintf(stderr, "measure: %s: warning: %llu of %llu results are infinite or no numbers\n", what.name, left.not_finite, left.values);
	return left;
}

/* ---- timing ------------------------------------------------------------------------------------------------ */

/* Microseconds of one launch on a cold L2. */
static double launch_time_us(settings &run, const kernel &what, const scalars &all, const instance &one)
{
	float milliseconds = 0;
	variant_begin(what, *one.code);
	reset(what, all, one, false);
	l2_evict(run);
	check(cudaEventRecord(run.start, (cudaStream_t)0), "cudaEventRecord");
	kernel_launch(what, one);
	check(cudaEventRecord(run.stop, (cudaStream_t)0), "cudaEventRecord");
	check(cudaEventSynchronize(run.stop), "the kernel failed");
	check(cudaEventElapsedTime(&milliseconds, run.start, run.stop), "cudaEventElapsedTime");
	return 1000.0 * milliseconds;
}

/* Warms up, the launch that was checked being the first, and returns how often to time each variant. */
static int warm_up(settings &run, const kernel &what, const scalars &all, std::vector<instance> &instances)
{
	double longest_us = 0, sum_us = 0;
	variants_leave(what);
	clocks_raise(run, run.quick ? 0.02 : 0.1);
	for (instance &one : instances) {
		double last_us = 0;
		for (int i = 0; one.code->timed && i < (run.quick ? 1 : 2); i++)
			last_us = launch_time_us(run, what, all, one);
		longest_us = std::max(longest_us, last_us);
		sum_us += last_us;
		if (run.limit_seconds > 0 && seconds_now() - run.begin_seconds > run.limit_seconds)
			fail(status_no_variant, "the limit of %.0f s has passed", run.limit_seconds);
	}
	int repeats = run.quick || longest_us > 1e6 ? 3 : longest_us > 2e4 ? 11 : 21;
	double left = run.limit_seconds - (seconds_now() - run.begin_seconds);
	if (run.limit_seconds > 0 && sum_us * repeats > 1e6 * left)
		fail(status_no_variant, "%d more launches of each layout would take %.0f s, of the limit of %.0f s %.0f s are left", repeats, 1e-6 * sum_us * repeats,
		     run.limit_seconds, left);
	return repeats;
}

/* Times all variants in turn, beginning with another one each round. */
static void times_take(settings &run, const kernel &what, const scalars &all, std::vector<instance> &instances)
{
	int repeats = warm_up(run, what, all, instances);
	for (int r = 0; r < repeats; r++)
		for (size_t v = 0; v < instances.size(); v++) {
			instance &one = instances[(v + r) % instances.size()];
			if (one.code->timed)
				one.times_us.push_back(launch_time_us(run, what, all, one));
		}
	for (instance &one : instances)
		std::sort(one.times_us.begin(), one.times_us.end());
}

/* ---- results -------------------------------------------------------------------------------------------------- */

static std::string format(const char *text, ...)
{
	char line[1024];
	va_list list;
	va_start(list, text);
	vsnprintf(line, sizeof line, text, list);
	va_end(list);
	return line;
}

static std::string quoted(const char *text)
{
	std::string result = "\"";
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			result += '\\';
		if ((unsigned char)*text >= ' ')
			result += *text;
	}
	return result + "\"";
}

/* The beginning of a row's JSON object: which it is. */
static std::string row_head(const row &entry)
{
	return format("{\"record\": %s, \"layout\": %s, \"tile\": %s", entry.record ? quoted(entry.record).c_str() : "null", quoted(entry.layout).c_str(),
	              entry.tile ? std::to_string(entry.tile).c_str() : "null");
}

static std::string row_json(const row &entry, const instance &one, const reference &left)
{
	size_t n = one.times_us.size();
	double median = n % 2 ? one.times_us[n / 2] : (one.times_us[n / 2 - 1] + one.times_us[n / 2]) / 2;
	fprintf(stderr, "measure: %s%s%s: %.3f us (%.3f to %.3f in %zu launches), %d registers\n", doing.c_str(), entry.record ? ", " : "",
	        entry.record ? (std::string(entry.record) + " as " + entry.layout).c_str() : "", median, one.times_us[0], one.times_us[n - 1], n,
	        one.registers);
	return "        " + row_head(entry) + ",\n" +
	       format("         \"time_us\": {\"median\": %.3f, \"min\": %.3f, \"max\": %.3f}, \"repeats\": %zu, \"registers\": %d,\n", median,
	              one.times_us[0], one.times_us[n - 1], n, one.registers) +
	       format("         \"agreement\": {\"values\": %llu, \"largest_difference\": %.3g}}", left.values, one.largest_difference);
}

/* Measures the chosen variants, of which the first is the program as written. Returns the kernel's members, then each row behind its number, with empty lines between. */
static std::string kernel_measure(settings &run, const kernel &what, const std::vector<int> &chosen)
{
	std::vector<instance> instances;
	variants_leave(what);
	memory_check(what, chosen);
	scalars all = lists_upload(what);
	for (int v : chosen)
		instances.push_back(instance_create(what, what.variants[v]));
	reference left = results_check(run, what, all, instances);
	times_take(run, what, all, instances);
	variants_leave(what);
	std::string json = what.json + format(", \"changed\": %llu", left.changed);
	for (int r = 0; r < what.row_count; r++)
		for (const instance &one : instances)
			if (one.code == &what.variants[what.rows[r].variant])
				json += "\n\n" + std::to_string(r) + " " + row_json(what.rows[r], one, left);
	for (const instance &one : instances)
		instance_free(what, one);
	for (const std::vector<char *> &copies : left.copies)
		for (char *copy : copies)
			cudaFree(copy);
	lists_free(all);
	return json;
}

static std::string compiler_version()
{
#ifdef __CUDACC_VER_MAJOR__
	return format("nvcc %d.%d.%d", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__);
#else
	return "unknown";
#endif
}

static std::string device_json(const settings &run)
{
	int runtime = 0;
	char date[32];
	time_t now = time(nullptr);
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	cudaRuntimeGetVersion(&runtime);
	return format("     \"gpu\": %s, \"compute_capability\": \"%d.%d\", \"sms\": %d, \"l2_bytes\": %d,\n", quoted(run.properties.name).c_str(),
	              run.properties.major, run.properties.minor, run.properties.multiProcessorCount, run.properties.l2CacheSize) +
	       format("     \"driver\": %s, \"runtime\": \"%d.%d\", \"compiler\": %s, \"date\": \"%s\", \"quick\": %s,\n",
	              quoted(driver_version().c_str()).c_str(), runtime / 1000, runtime % 1000 / 10, quoted(compiler_version().c_str()).c_str(), date,
	              run.quick ? "true" : "false");
}

static void usage()
{
	fprintf(stderr, "usage: measure [--quick] [--device N] [--limit SECONDS] >RESULTS.json\n"
	                "  --quick    one warm-up and three timed launches, to try it out\n"
	                "  --device   which GPU, 0 without it\n"
	                "  --limit    give up where measuring would take longer\n");
	exit(2);
}

static settings arguments_read(int count, char **arguments)
{
	settings run = settings();
	for (int i = 1; i < count; i++) {
		char *end = nullptr;
		if (strcmp(arguments[i], "--quick") == 0) {
			run.quick = true;
			continue;
		}
		if (i + 1 >= count)
			usage();
		double value = strtod(arguments[i + 1], &end);
		if (end == arguments[i + 1] || *end || value < 0)
			usage();
		if (strcmp(arguments[i], "--device") == 0)
			run.device = (int)value;
		else if (strcmp(arguments[i], "--limit") == 0)
			run.limit_seconds = value;
		else
			usage();
		i++;
	}
	return run;
}

/* ---- a process for each kernel ------------------------------------------------------------------------------------ */

/* What a process told, how it ended and at which variant. */
struct told_result {
	std::string text;
	int status, variant;
};

/* Measures variants of a kernel and tells the device, an empty line, and what kernel_measure() returns. Never returns. */
static void kernel_process(settings run, const kernel &what, const std::vector<int> &chosen)
{
	device_open(run);
	clocks_raise(run, run.quick ? 0.02 : 0.5);
	std::string rows = kernel_measure(run, what, chosen);
	tell(device_json(run) + "\n" + rows);
	exit(0);
}

static told_result process_follow(int from, pid_t child)
{
	told_result result = {"", 1, -1};
	char part[4096];
	int status = 0;
	for (ssize_t length; (length = read(from, part, sizeof part)) > 0;)
		result.text.append(part, (size_t)length);
	close(from);
	if (waitpid(child, &status, 0) == child)
		result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (result.status != 0 && result.text.empty()) {
		result.text = result.status >= 128 ? format("ended by signal %d", result.status - 128) : format("ended with status %d", result.status);
		fprintf(stderr, "measure: %s: the process %s\n", doing.c_str(), result.text.c_str());
	}
	result.variant = result.status == status_no_variant ? -1 : *variant_at;
	return result;
}

static told_result kernel_apart(const settings &run, const kernel &what, const std::vector<int> &chosen)
{
	int ends[2];
	variants_leave(what);
	fflush(stdout);
	fflush(stderr);
	if (pipe(ends) != 0)
		fail(1, "no pipe");
	pid_t child = fork();
	if (child < 0)
		fail(1, "no process");
	if (child == 0) {
		close(ends[0]);
		told = ends[1];
		kernel_process(run, what, chosen);
	}
	close(ends[1]);
	return process_follow(ends[0], child);
}

/* ---- what fails is left out ------------------------------------------------------------------------------------------ */

/* What is known of a kernel: rows[r] is empty where row r is not measured, reasons[v] says why for its variant, reason for all of them. */
struct kernel_result {
	std::string device, members, reason;
	std::vector<std::string> rows, reasons;
};

/* Takes what a process told that ended well. */
static void rows_take(const std::string &text, kernel_result &result)
{
	size_t part = text.find("\n\n"), end;
	result.device = text.substr(0, part + 1);
	end = text.find("\n\n", part + 2);
	result.members = text.substr(part + 2, end - part - 2);
	for (part = end; part != std::string::npos; part = end) {
		end = text.find("\n\n", part + 2);
		std::string row = text.substr(part + 2, end == std::string::npos ? end : end - part - 2);
		result.rows[(size_t)atoi(row.c_str())] = row.substr(row.find(' ') + 1);
	}
}

/*
 * Measures the chosen variants, without those that fail. Returns 0, or the status with which the whole program has to end. Without the program as written there
 * is nothing to compare with: where that fails, all do.
 */
static int variants_measure(const settings &run, const kernel &what, std::vector<int> chosen, kernel_result &result)
{
	while (result.reason.empty()) {
		told_result told_now = kernel_apart(run, what, chosen);
		int status = told_now.status, failed = status == status_memory && chosen.size() == 2 ? chosen[1] : told_now.variant;
		if (status == 2 || status == 3)
			return status;
		if (status == 0) {
			rows_take(told_now.text, result);
			return 0;
		}
		if (status == status_memory && chosen.size() > 2) {
			fprintf(stderr, "measure: %s: each layout is measured with the program as written alone\n", what.name);
			for (size_t v = 1; v < chosen.size() && status == status_memory; v++)
				status = variants_measure(run, what, {chosen[0], chosen[v]}, result) ? 3 : status_memory;
			return status == status_memory ? 0 : status;
		}
		if (failed <= 0) {
			result.reason = told_now.text;
			return 0;
		}
		result.reasons[failed] = told_now.text;
		chosen.erase(std::remove(chosen.begin(), chosen.end(), failed), chosen.end());
		if (chosen.size() == 1 && !result.members.empty())
			return 0;
	}
	return 0;
}

/* A measured kernel's JSON. */
static std::string kernel_json(const kernel &what, const kernel_result &result)
{
	std::string rows, failed;
	for (int r = 0; r < what.row_count; r++) {
		const row &entry = what.rows[r];
		const std::string &own = result.reasons[entry.variant], &why = own.empty() ? result.reason : own;
		if (!result.rows[r].empty()) {
			rows += (rows.empty() ? "" : ",\n") + result.rows[r];
			continue;
		}
		fprintf(stderr, "measure: %s, %s is not measured\n", what.name, what.variants[entry.variant].name);
		failed += (failed.empty() ? "        " : ",\n        ") + row_head(entry) + ", \"reason\": " + quoted(why.c_str()) + "}";
	}
	return "      {" + result.members + ",\n       \"layouts\": [\n" + rows + "\n      ]" +
	       (failed.empty() ? "" : ",\n       \"failed\": [\n" + failed + "\n      ]") + "}";
}

static int kernel_result_find(const settings &run, const kernel &what, kernel_result &result)
{
	std::vector<int> all;
	for (int v = 0; v < what.variant_count; v++)
		all.push_back(v);
	result.rows.resize(what.row_count);
	result.reasons.resize(what.variant_count);
	return variants_measure(run, what, all, result);
}

/* Memory that this process and those that it starts share. */
static volatile int *shared_integer()
{
	void *memory = mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		fail(1, "no memory");
	return (volatile int *)memory;
}

/* Measures all kernels and prints the results. case_json: members of the case's JSON object. */
static int measure_all(int count, char **arguments, const char *case_json, const kernel *kernels, int kernel_count)
{
	settings run = arguments_read(count, arguments);
	std::string device, rows, failed;
	run.begin_seconds = seconds_now();
	variant_at = shared_integer();
	for (int k = 0; k < kernel_count; k++) {
		kernel_result result;
		int status = kernel_result_find(run, kernels[k], result);
		if (status != 0)
			return status;
		if (!result.members.empty()) {
			device = result.device;
			rows += (rows.empty() ? "" : ",\n") + kernel_json(kernels[k], result);
			continue;
		}
		fprintf(stderr, "measure: %s is not measured\n", kernels[k].name);
		failed += (failed.empty() ? "" : ",\n") + (std::string("      {") + kernels[k].json) + ", \"reason\": " + quoted(result.reason.c_str()) + "}";
	}
	if (rows.empty())
		return 1;
	printf("{\"schema\": \"coalesce/measure/1\", \"cases\": [\n    {%s,\n%s     \"kernels\": [\n%s\n    ]", case_json, device.c_str(), rows.c_str());
	if (!failed.empty())
		printf(",\n     \"failed\": [\n%s\n    ]", failed.c_str());
	printf("}\n]}\n");
	doing = "output";
	if (fflush(stdout) != 0)
		fail(1, "cannot write");
	return 0;
}

}
