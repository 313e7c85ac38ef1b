#pragma once
struct cell {
	float rho, u;
};
