#include "io/results/number_text.h"

#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>

namespace medley::io {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;
constexpr double kExactWhole = 1e15;

}  // namespace

void append_whole(std::string& out, std::int64_t number) {
    const fmt::format_int digits(number);
    out.append(digits.data(), digits.size());
}

// Whole numbers are frequent, and an integer is written several times faster, as the same text.
void append_number(std::string& out, double number) {
    if (number > -kExactWhole && number < kExactWhole && static_cast<double>(static_cast<std::int64_t>(number)) == number) {
        return append_whole(out, static_cast<std::int64_t>(number));
    }
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), number);
}

void append_seconds(std::string& out, SimTime time) {
    append_whole(out, time.value / kNanoseconds);
    std::int64_t fraction = time.value % kNanoseconds;
    if (fraction == 0) { return; }
    char digits[10] = {'.'};
    for (int place = 9; place > 0; --place, fraction /= 10) { digits[place] = static_cast<char>('0' + fraction % 10); }
    std::size_t size = sizeof digits;
    while (digits[size - 1] == '0') { --size; }
    out.append(digits, size);
}

}  // namespace medley::io
