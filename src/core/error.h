#pragma once
/// The one exception for wrong input or environment: it names the file, the place in it, the value found and what was expected.
///
/// Bugs are not errors: they fail `MEDLEY_ASSERT`, which stays on in release builds. Expected outcomes (infeasible, lost worker)
/// are values, not errors.

#include <stdexcept>
#include <string>

namespace medley {

/// Where a wrong input stands and what was wrong with it. Any part may be empty.
struct Problem {
    std::string file;      ///< path as the user gave it
    std::string place;     ///< "line 3, column gpus", "gpu_types.V100.memory_gib", "--global-batch"
    std::string found;     ///< the value found, as text
    std::string expected;  ///< "a whole number from 1 to 2147483647"
    std::string message;   ///< what is wrong when found/expected do not say it
};

class Error : public std::runtime_error {
 public:
    explicit Error(Problem problem);
    explicit Error(const std::string& message);

    const Problem& problem() const { return problem_; }
    /// The same error with the file filled in, for loaders that learn the file's name further out.
    Error in_file(const std::string& file) const;

 private:
    Problem problem_;
};

/// Throws Error{place, found, expected}; the shape of nearly every validation failure.
[[noreturn]] void refuse_value(std::string place, std::string found, std::string expected);

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace medley

/// A broken invariant ends the program at once, in release builds too.
#define MEDLEY_ASSERT(condition) (static_cast<bool>(condition) ? void(0) : ::medley::assertion_failed(#condition, __FILE__, __LINE__))
