// SPDX-License-Identifier: Apache-2.0
// TEST: names in a class whose members only the host can have, enumerations, types and constants, can be used
#include <string>
#include <vector>
struct Base {
    enum Level { LOW = 3, HIGH };
};
struct Settings : Base {
    enum Kind { PLAIN, PACKED = 5 };
    typedef short Word;
    static constexpr int WIDTH = 4;
    struct Item { int a, b; };
    std::vector<float> weights;
    std::string name;
    Settings(const std::string &n) : name(n) {}
};
template <int K> struct Coder { static constexpr int N = 1; };
template <> struct Coder<Settings::Kind::PACKED> { static constexpr int N = 20; };
template <> struct Coder<Settings::HIGH> { static constexpr int N = 300; };

__global__ void names(int *y)
{
    Settings::Item item = {Settings::WIDTH, Settings::PACKED};
    Settings::Word word = (Settings::Word)70000;
    y[0] = item.a + 10 * item.b + Settings::LOW;
    y[1] = word;
    y[2] = Coder<5>::N + Coder<4>::N + Coder<0>::N;
}
// LAUNCH: names y[3]=zeros --grid 1 --block 1
// OUT: y = [57, 70000 - 65536, 321]
