#define THREE 3
