// args: 1000000
#include <iostream>
#include <sstream>
#include <vector>
#include <cmath>
#include "options_portfolio_class.h"
int main(int argc, char **argv)
{
    size_t count = 10000;
    if (argc > 1) { std::istringstream in(argv[1]); in >> count; }
    Portfolio book(count);
    Pricer pricer(0.02f, 256);
    pricer.price(book);
    pricer.greeks(book);
    std::cout << "priced " << book.size() << " options\n";
    return 0;
}
