#pragma once
namespace app
{
struct Rec {
	float a, b, c;
};
} // namespace app
