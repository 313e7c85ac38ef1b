#pragma once
struct body { float x, y, z; };
