#pragma once
#include "detail.h"
struct P {
	float x, y, z;
};
