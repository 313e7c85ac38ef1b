// args: 256
#include "namespace_alias_fluid.hpp"
#include <cstdlib>
namespace fl = lab::fluid;
int main(int argc, char **argv)
{
    fl::Domain domain(argc > 1 ? std::atoi(argv[1]) : 64);
    for (int step = 0; step < fl::kSteps; ++step) {
        fl::predictor(domain);
        for (int k = 0; k < fl::kJacobi; ++k) fl::pressure(domain);
        fl::corrector(domain);
    }
    return domain.finish();
}
