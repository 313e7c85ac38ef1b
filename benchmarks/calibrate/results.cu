/*
 * What was measured: statistics over repeats, and the JSON object of README.md. Results keep the order in which they were recorded.
 */
#include "calibrate.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <utility>

struct result {
	std::string key, unit, axis, method;
	std::vector<double> at, value, low, high;
	size_t repeats;
};
static std::vector<result> results;

std::string format(const char *text, ...)
{
	char line[1024];
	va_list arguments;
	va_start(arguments, text);
	vsnprintf(line, sizeof line, text, arguments);
	va_end(arguments);
	return line;
}

double quantile(samples values, double share)
{
	if (values.empty())
		throw failure{"quantile of nothing"};
	std::sort(values.begin(), values.end());
	double place = share * (double)(values.size() - 1);
	size_t below = (size_t)place, above = std::min(below + 1, values.size() - 1);
	return values[below] + (place - (double)below) * (values[above] - values[below]);
}

double median(samples values)
{
	return quantile(std::move(values), 0.5);
}

samples transform(const samples &values, const std::function<double(double)> &change)
{
	samples changed;
	for (double value : values)
		changed.push_back(change(value));
	return changed;
}

static void add_values(result &entry, const samples &values)
{
	if (values.empty())
		throw failure{entry.key + ": no values"};
	for (double value : values)
		if (!std::isfinite(value))
			throw failure{entry.key + ": not a number"};
	entry.value.push_back(median(values));
	entry.low.push_back(*std::min_element(values.begin(), values.end()));
	entry.high.push_back(*std::max_element(values.begin(), values.end()));
	entry.repeats = entry.repeats ? std::min(entry.repeats, values.size()) : values.size();
}

void record_table(const std::string &key, const char *unit, const char *axis, const std::vector<double> &at,
                  const std::vector<samples> &values, const std::string &method)
{
	result entry{key, unit, axis, method, at, {}, {}, {}, 0};
	if (at.size() != values.size() || at.empty())
		throw failure{key + ": axis and values differ in length"};
	for (const samples &repeats : values)
		add_values(entry, repeats);
	results.push_back(entry);
}

void record(const std::string &key, const char *unit, const samples &values, const std::string &method)
{
	result entry{key, unit, "", method, {}, {}, {}, {}, 0};
	add_values(entry, values);
	results.push_back(entry);
	progress("  %s = %.6g %s (%.6g to %.6g)", key.c_str(), entry.value[0], unit, entry.low[0], entry.high[0]);
}

void record_property(const std::string &key, const char *unit, double value, const std::string &method)
{
	record(key, unit, samples{value}, method);
}

static std::vector<std::pair<std::string, std::string>> failures;

void record_failure(const std::string &section, const std::string &reason)
{
	failures.emplace_back(section, reason);
}

std::string json_text(const std::string &text)
{
	std::string out = "\"";
	for (char c : text)
		if (c == '"' || c == '\\')
			out += std::string("\\") + c;
		else if ((unsigned char)c < 0x20)
			out += " ";
		else
			out += c;
	return out + "\"";
}

/* A plain number, or a list of them for tables. */
static std::string json_numbers(const std::vector<double> &values, bool list)
{
	std::string out = list ? "[" : "";
	for (size_t i = 0; i < values.size(); i++)
		out += format("%s%.9g", i ? ", " : "", values[i]);
	return out + (list ? "]" : "");
}

static std::string json_result(const result &entry)
{
	bool table = !entry.axis.empty();
	std::string out = "    {\"key\": " + json_text(entry.key) + ", \"unit\": " + json_text(entry.unit);
	if (table)
		out += ", \"axis\": " + json_text(entry.axis) + ", \"at\": " + json_numbers(entry.at, true);
	out += ", \"value\": ";
	if (entry.unit == "boolean" && !table)
		out += entry.value[0] != 0 ? "true" : "false";
	else
		out += json_numbers(entry.value, table);
	if (entry.repeats > 1 && entry.unit != "boolean")
		out += ", \"low\": " + json_numbers(entry.low, table) +
		       ", \"high\": " + json_numbers(entry.high, table);
	out += format(", \"repeats\": %zu, \"method\": ", entry.repeats);
	return out + json_text(entry.method) + "}";
}

std::string results_json(bool complete)
{
	std::string out = "{\n  \"schema\": \"coalesce/calibration/1\",\n" + run.header;
	out += format("  \"complete\": %s,\n  \"seconds\": %.1f,\n  \"failures\": [", complete ? "true" : "false",
	              elapsed_seconds());
	for (size_t i = 0; i < failures.size(); i++)
		out += (i ? ", " : "") + ("{\"section\": " + json_text(failures[i].first)) +
		       ", \"reason\": " + json_text(failures[i].second) + "}";
	out += "],\n  \"results\": [\n";
	for (size_t i = 0; i < results.size(); i++)
		out += json_result(results[i]) + (i + 1 < results.size() ? ",\n" : "\n");
	return out + "  ]\n}\n";
}
