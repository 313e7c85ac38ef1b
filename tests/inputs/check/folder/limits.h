#pragma once
#define COUNT 64
