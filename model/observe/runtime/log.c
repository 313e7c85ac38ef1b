/*
 * The log: lines of JSON in a file that is mapped, so that no end of the process loses one. Numbers that grow stand in
 * place, followed by spaces.
 */
#include "model/observe/runtime/runtime.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOG_BYTES_MOST ((size_t)256 << 20)
#define LOG_GROWTH ((size_t)1 << 20)
#define DATA_BYTES_MOST ((size_t)128 << 20)
#define ORDER_BYTES_MOST ((size_t)8 << 20)
#define DIGITS 20

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local cudaError_t last_error;
static struct {
	bool opened;
	int file;
	char *text;
	size_t length, size, data, order;
	unsigned events, last_event;
	struct runtime_counter last_order;
	bool order_cut;
} sink;

void runtime_enter(void)
{
	pthread_mutex_lock(&lock);
}

cudaError_t runtime_end(cudaError_t error)
{
	if (error != cudaSuccess)
		last_error = error;
	pthread_mutex_unlock(&lock);
	return error;
}

cudaError_t cudaGetLastError(void)
{
	cudaError_t error = last_error;
	last_error = cudaSuccess;
	return error;
}

cudaError_t cudaPeekAtLastError(void)
{
	return last_error;
}

static void log_open(void)
{
	const char *path = getenv("COALESCE_OBSERVATION_LOG");
	sink.opened = true;
	sink.file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	if (sink.file < 0)
		return;
	void *text = mmap(NULL, LOG_BYTES_MOST, PROT_READ | PROT_WRITE, MAP_SHARED, sink.file, 0);
	sink.text = text == MAP_FAILED ? NULL : text;
}

/* Room for so many bytes at the log's end; NULL: there is none. */
static char *log_room(size_t bytes)
{
	if (!sink.opened)
		log_open();
	if (!sink.text || bytes > LOG_BYTES_MOST - sink.length)
		return NULL;
	if (sink.length + bytes > sink.size) {
		size_t size = sink.length + bytes + LOG_GROWTH;
		size = size < LOG_BYTES_MOST ? size : LOG_BYTES_MOST;
		if (ftruncate(sink.file, (off_t)size) != 0)
			return NULL;
		sink.size = size;
	}
	return sink.text + sink.length;
}

/* Returns where the line begins. */
static char *log_append(const char *text, size_t length)
{
	char *room = log_room(length);
	if (!room)
		return NULL;
	memcpy(room, text, length);
	sink.length += length;
	return room;
}

void runtime_log(const char *format, ...)
{
	va_list arguments;
	char *line;
	va_start(arguments, format);
	int length = vasprintf(&line, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	line[length] = '\n';
	log_append(line, (size_t)length + 1);
	free(line);
}

static void digits_write(struct runtime_counter *counter)
{
	char digits[DIGITS + 1];
	int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)counter->value);
	memcpy(counter->digits, digits, (size_t)length);
}

struct runtime_counter runtime_log_counted(const char *format, ...)
{
	struct runtime_counter counter = {0};
	va_list arguments;
	char *head, *line;
	va_start(arguments, format);
	int length = vasprintf(&head, format, arguments);
	va_end(arguments);
	if (length < 0)
		return counter;
	int whole = asprintf(&line, "%s,\"times\":0%*s}\n", head, DIGITS - 1, "");
	free(head);
	if (whole < 0)
		return counter;
	char *begin = log_append(line, (size_t)whole);
	counter.digits = begin ? begin + whole - 2 - DIGITS : NULL;
	free(line);
	return counter;
}

void runtime_count(struct runtime_counter *counter)
{
	counter->value++;
	if (counter->digits)
		digits_write(counter);
}

unsigned runtime_event_new(void)
{
	return ++sink.events;
}

void runtime_order(unsigned event)
{
	if (event != sink.last_event && !sink.order_cut) {
		size_t before = sink.length;
		sink.last_order = runtime_log_counted("{\"order\":%u", event);
		sink.last_event = event;
		sink.order += sink.length - before;
		sink.order_cut = sink.order > ORDER_BYTES_MOST;
		if (sink.order_cut)
			runtime_log("{\"cut\":\"order\"}");
	}
	if (event == sink.last_event)
		runtime_count(&sink.last_order);
}

static void base64_write(char *out, const unsigned char *data, size_t bytes)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < bytes; i += 3) {
		unsigned word = (unsigned)data[i] << 16 | (i + 1 < bytes ? (unsigned)data[i + 1] << 8 : 0) |
		                (i + 2 < bytes ? (unsigned)data[i + 2] : 0);
		*out++ = digits[word >> 18];
		*out++ = digits[word >> 12 & 63];
		*out++ = i + 1 < bytes ? digits[word >> 6 & 63] : '=';
		*out++ = i + 2 < bytes ? digits[word & 63] : '=';
	}
}

bool runtime_log_data(const char *head, const void *data, size_t bytes)
{
	static const char middle[] = ",\"data\":\"", tail[] = "\"}\n";
	size_t coded = (bytes + 2) / 3 * 4, first = strlen(head) + strlen(middle), whole = first + coded + strlen(tail);
	char *room = whole > DATA_BYTES_MOST - sink.data ? NULL : log_room(whole);
	if (!room)
		return false;
	memcpy(room, head, strlen(head));
	memcpy(room + strlen(head), middle, strlen(middle));
	base64_write(room + first, data, bytes);
	memcpy(room + first + coded, tail, strlen(tail));
	sink.length += whole;
	sink.data += whole;
	return true;
}

char *runtime_log_text(const char *text)
{
	char *copy = malloc(6 * strlen(text) + 1), *out = copy;
	for (; copy && *text; text++) {
		unsigned char byte = (unsigned char)*text;
		if (byte == '"' || byte == '\\')
			*out++ = '\\';
		if (byte < 0x20 || byte > 0x7e)
			out += sprintf(out, "?");
		else
			*out++ = (char)byte;
	}
	if (copy)
		*out = '\0';
	return copy;
}
