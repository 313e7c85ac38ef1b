#ifndef TYPES_H
#define TYPES_H
struct Row {
	int key;
	float price;
	int qty;
};
#endif
