#include "executor/collectives/combine.h"

#include <cstdint>

#include "core/error.h"

namespace medley::executor {
namespace {

template <class Value, class Function>
void each(void* target, const void* left, const void* right, std::size_t elements, Function function) {
    auto* to = static_cast<Value*>(target);
    const auto* one = static_cast<const Value*>(left);
    const auto* other = static_cast<const Value*>(right);
    for (std::size_t index = 0; index < elements; ++index) { to[index] = function(one[index], other[index]); }
}

constexpr auto kAdd = [](auto left, auto right) { return left + right; };
constexpr auto kGreater = [](auto left, auto right) { return left > right ? left : right; };

}  // namespace

void combine(void* target, const void* left, const void* right, std::size_t elements, ElementType type, ReduceOp op) {
    MEDLEY_ASSERT(op == ReduceOp::kSum || type == ElementType::kInt64);
    switch (type) {
        case ElementType::kFloat32: return each<float>(target, left, right, elements, kAdd);
        case ElementType::kFloat64: return each<double>(target, left, right, elements, kAdd);
        case ElementType::kInt64:
            // Unsigned addition wraps, as two's complement does.
            if (op == ReduceOp::kSum) { return each<std::uint64_t>(target, left, right, elements, kAdd); }
            return each<std::int64_t>(target, left, right, elements, kGreater);
    }
}

}  // namespace medley::executor
