#pragma once
struct point { float x, y, z, w; };
