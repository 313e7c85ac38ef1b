#pragma once
#define width 3
#ifndef M_PI
#define M_PI 3
#endif
