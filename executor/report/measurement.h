#pragma once
/// What repeated measurements of one thing come to, whatever outliers there are: the median, and how far the middle spreads.

#include <span>

namespace medley::executor {

struct Measurement {
    double median = 0;
    double low = 0;   ///< tenth percentile
    double high = 0;  ///< ninetieth percentile
    int count = 0;

    /// Half the distance from low to high, as a share of the median.
    double spread() const { return median > 0 ? (high - low) / (2 * median) : 0; }
};

/// Percentiles interpolate linearly; no values give zeros.
Measurement summarize(std::span<const double> values);

/// The same without the first `warm_up` values (at least one value is kept).
Measurement summarize_settled(std::span<const double> values, int warm_up);

/// Seconds of moving n bytes = latency + n / bandwidth, from the times of two sizes.
struct LinkEstimate {
    double latency_s = 0;
    double bytes_per_s = 0;
};
struct LinkPoint {
    double bytes = 0;
    double seconds = 0;
};
/// Requires small.bytes < large.bytes and times above 0. Never negative: a large transfer that is not slower has its own rate.
LinkEstimate estimate_link(LinkPoint small, LinkPoint large);

}  // namespace medley::executor
