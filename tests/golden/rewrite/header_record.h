#ifndef HEADER_RECORD_H
#define HEADER_RECORD_H
typedef struct sample {
	float value, weight;
	int count;
} sample_t;
#endif
