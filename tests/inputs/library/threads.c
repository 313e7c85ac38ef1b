/*
 * Predicts two files in two threads each, several times, in a locale whose decimal point is a comma where there is one; each answer must be what one thread alone
 * gets. Prints one JSON after the other where all are equal.
 */
#include <coalesce.h>

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 2 };

static char *predict_json(const char *path)
{
	struct coalesce_request *request = coalesce_request_create(path);
	struct coalesce_prediction *prediction = coalesce_predict(request);
	const char *json = coalesce_view(prediction, "json", NULL);
	char *copy = json ? strdup(json) : NULL;
	coalesce_prediction_free(prediction);
	coalesce_request_free(request);
	return copy;
}

struct task {
	const char *path, *expected;
	int different;
};

static void *work(void *context)
{
	struct task *task = context;
	for (int i = 0; i < ROUNDS; i++) {
		char *json = predict_json(task->path);
		task->different += !json || strcmp(json, task->expected) != 0;
		free(json);
	}
	return NULL;
}

int main(int count, char **arguments)
{
	pthread_t threads[THREADS];
	struct task tasks[THREADS];
	char *expected[2];
	int different = 0;
	if (count != 3)
		return 2;
	setlocale(LC_ALL, "");
	for (int i = 0; i < 2; i++) {
		expected[i] = predict_json(arguments[1 + i]);
		if (!expected[i])
			return 3;
	}
	for (int i = 0; i < THREADS; i++) {
		tasks[i] = (struct task){arguments[1 + i % 2], expected[i % 2], 0};
		if (pthread_create(&threads[i], NULL, work, &tasks[i]) != 0)
			return 4;
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		different += tasks[i].different;
	}
	if (different)
		printf("%d answers are others than one thread alone gets\n", different);
	else
		printf("[%s,%s]\n", expected[0], expected[1]);
	free(expected[0]);
	free(expected[1]);
	return different ? 1 : 0;
}
