#include "io/civil_time.h"

#include <array>
#include <tuple>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::io {
namespace {

constexpr std::int64_t kSecondsPerDay = 86400;
constexpr std::int64_t kNanoseconds = 1'000'000'000;

struct Date {
    std::int64_t year;
    int month, day;
};

// Days since 1970-01-01 by the civil calendar of 400-year eras that begin in March.
constexpr std::int64_t days_since_1970(Date date) {
    const std::int64_t year = date.month <= 2 ? date.year - 1 : date.year;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t year_of_era = year - era * 400;
    const std::int64_t day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

constexpr Date date_of(std::int64_t days) {
    days += 719468;
    const std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    const std::int64_t day_of_era = days - era * 146097;
    const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
    const int day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
    const int month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
    return {.year = year_of_era + era * 400 + (month <= 2 ? 1 : 0), .month = month, .day = day};
}

constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

constexpr bool leap(std::int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

constexpr int days_in_month(std::int64_t year, int month) {
    constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && leap(year) ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

/// Takes pieces off the front of a text; no value or false if they are not there.
class Scanner {
 public:
    explicit Scanner(std::string_view text) : text_(text) {}

    bool done() const { return text_.empty(); }
    bool take(char c) {
        if (text_.empty() || text_.front() != c) { return false; }
        text_.remove_prefix(1);
        return true;
    }
    /// Exactly `digits` digits.
    std::optional<int> number(std::size_t digits) {
        if (text_.size() < digits) { return std::nullopt; }
        int value = 0;
        for (std::size_t index = 0; index < digits; ++index) {
            const char c = text_[index];
            if (c < '0' || c > '9') { return std::nullopt; }
            value = value * 10 + (c - '0');
        }
        text_.remove_prefix(digits);
        return value;
    }
    /// One to three digits.
    std::optional<int> short_number() {
        std::size_t digits = 0;
        while (digits < 3 && digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') { ++digits; }
        return digits == 0 ? std::nullopt : number(digits);
    }
    /// A decimal fraction of any length, in nanoseconds.
    std::optional<std::int32_t> nanoseconds() {
        std::size_t digits = 0;
        std::int32_t value = 0;
        for (; digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9'; ++digits) {
            if (digits < 9) { value = value * 10 + (text_[digits] - '0'); }
        }
        if (digits == 0) { return std::nullopt; }
        for (std::size_t digit = digits; digit < 9; ++digit) { value *= 10; }
        text_.remove_prefix(digits);
        return value;
    }
    std::string_view rest() const { return text_; }
    void skip(std::size_t count) { text_.remove_prefix(count); }

 private:
    std::string_view text_;
};

// `[+-]H[H][[:]MM]`, east of UTC as written.
std::optional<std::int64_t> scan_offset(Scanner& scanner) {
    const bool west = scanner.take('-');
    if (!west && !scanner.take('+')) { return std::nullopt; }
    auto hours = scanner.number(2);
    if (!hours) { hours = scanner.number(1); }
    if (!hours) { return std::nullopt; }
    int minutes = 0;
    if (scanner.take(':') || !scanner.done()) {
        const auto stated = scanner.number(2);
        if (!stated || *stated > 59) { return std::nullopt; }
        minutes = *stated;
    }
    if (*hours > 15 || !scanner.done()) { return std::nullopt; }
    const std::int64_t seconds = *hours * 3600 + minutes * 60;
    return west ? -seconds : seconds;
}

std::optional<std::int64_t> scan_date(Scanner& scanner) {
    const auto year = scanner.number(4);
    if (!year || !scanner.take('-')) { return std::nullopt; }
    const auto month = scanner.number(2);
    if (!month || !scanner.take('-')) { return std::nullopt; }
    const auto day = scanner.number(2);
    const bool known = day && *year >= 1970 && *year <= 2199 && *month >= 1 && *month <= 12 && *day >= 1;
    if (!known || *day > days_in_month(*year, *month)) { return std::nullopt; }
    return days_since_1970({.year = *year, .month = *month, .day = *day}) * kSecondsPerDay;
}

// `HH:MM[:SS[.fraction]]`; second 60 is a leap second, counted into the next minute.
bool scan_time_of_day(Scanner& scanner, CivilTime& time) {
    const auto hour = scanner.number(2);
    if (!hour || *hour > 23 || !scanner.take(':')) { return false; }
    const auto minute = scanner.number(2);
    if (!minute || *minute > 59) { return false; }
    time.seconds += *hour * 3600 + *minute * 60;
    if (!scanner.take(':')) { return true; }
    const auto second = scanner.number(2);
    if (!second || *second > 60) { return false; }
    time.seconds += *second;
    if (!scanner.take('.')) { return true; }
    const auto fraction = scanner.nanoseconds();
    time.nanoseconds = fraction.value_or(0);
    return fraction.has_value();
}

[[noreturn]] void refuse_zone(std::string_view text) {
    refuse_value("time_zone", std::string(text), "UTC, an offset such as +08:00, or a POSIX rule such as PST8PDT,M3.2.0,M11.1.0");
}

std::int64_t weekday_of(std::int64_t days) { return ((days + 4) % 7 + 7) % 7; }  // 1970-01-01 was a Thursday

}  // namespace

std::optional<CivilTime> parse_civil_time(std::string_view text) {
    Scanner scanner(text);
    CivilTime time;
    const auto midnight = scan_date(scanner);
    if (!midnight) { return std::nullopt; }
    time.seconds = *midnight;
    if (scanner.done()) { return time; }
    if (!scanner.take('T') && !scanner.take(' ')) { return std::nullopt; }
    if (!scan_time_of_day(scanner, time)) { return std::nullopt; }
    scanner.take(' ');
    if (scanner.done()) { return time; }
    if (scanner.take('Z')) {
        time.offset_s = 0;
        return scanner.done() ? std::optional(time) : std::nullopt;
    }
    const auto offset = scan_offset(scanner);
    if (!offset) { return std::nullopt; }
    time.offset_s = static_cast<std::int32_t>(*offset);
    return time;
}

ZoneRule::ZoneRule(std::string_view text) : text_(text) {
    if (text == "UTC" || text == "Z") { return; }
    Scanner scanner(text);
    if (const auto offset = scan_offset(scanner)) {
        standard_s_ = *offset;
        return;
    }
    parse_posix(text);
}

// `std offset [dst [offset],start,end]`, each change `Mm.w.d[/time]`.
void ZoneRule::parse_posix(std::string_view text) {
    const auto letters = [](Scanner& scanner) {
        std::size_t count = 0;
        const std::string_view rest = scanner.rest();
        while (count < rest.size() && ((rest[count] >= 'A' && rest[count] <= 'Z') || (rest[count] >= 'a' && rest[count] <= 'z'))) {
            ++count;
        }
        scanner.skip(count);
        return count >= 3;
    };
    const auto west = [](Scanner& scanner) -> std::optional<std::int64_t> {
        const bool negative = scanner.take('-');
        if (!negative) { scanner.take('+'); }
        const auto hours = scanner.short_number();
        if (!hours || *hours > 24) { return std::nullopt; }
        std::int64_t seconds = *hours * 3600;
        if (scanner.take(':')) {
            const auto minutes = scanner.number(2);
            if (!minutes || *minutes > 59) { return std::nullopt; }
            seconds += *minutes * 60;
        }
        return negative ? -seconds : seconds;
    };
    Scanner scanner(text);
    if (!letters(scanner)) { refuse_zone(text); }
    const auto standard = west(scanner);
    if (!standard) { refuse_zone(text); }
    standard_s_ = -*standard;
    if (scanner.done()) { return; }
    if (!letters(scanner)) { refuse_zone(text); }
    summer_s_ = standard_s_ + 3600;
    if (!scanner.take(',')) {
        const auto summer = west(scanner);
        if (!summer || !scanner.take(',')) { refuse_zone(text); }
        summer_s_ = -*summer;
    }
    const std::string_view changes = scanner.rest();
    const std::size_t comma = changes.find(',');
    if (comma == std::string_view::npos) { refuse_zone(text); }
    begin_ = parse_change(changes.substr(0, comma));
    end_ = parse_change(changes.substr(comma + 1));
}

ZoneRule::Change ZoneRule::parse_change(std::string_view text) {
    Scanner scanner(text);
    const bool by_month = scanner.take('M');
    const auto month = scanner.short_number();
    const bool first_dot = scanner.take('.');
    const auto week = scanner.short_number();
    const bool second_dot = scanner.take('.');
    const auto weekday = scanner.short_number();
    const bool whole = by_month && month && first_dot && week && second_dot && weekday;
    if (!whole || *month < 1 || *month > 12 || *week < 1 || *week > 5 || *weekday > 6) { refuse_zone(text); }
    Change change{.month = *month, .week = *week, .weekday = *weekday};
    if (scanner.take('/')) {
        const auto hour = scanner.short_number();
        if (!hour || *hour > 24) { refuse_zone(text); }
        change.second_of_day = *hour * 3600;
    }
    if (!scanner.done()) { refuse_zone(text); }
    return change;
}

// Is it summer at this moment, given as the standard clock shows it? Both changes are compared on the standard clock.
bool ZoneRule::summer(std::int64_t standard_s) const {
    const Date date = date_of(floor_divide(standard_s, kSecondsPerDay));
    const auto moment = [&](const Change& change) {
        const std::int64_t first = days_since_1970({.year = date.year, .month = change.month, .day = 1});
        std::int64_t day = first + (change.weekday - weekday_of(first) + 7) % 7 + 7 * (change.week - 1);
        while (day >= first + days_in_month(date.year, change.month)) { day -= 7; }
        return day * kSecondsPerDay + change.second_of_day;
    };
    const std::int64_t begin = moment(*begin_);
    const std::int64_t end = moment(*end_) - (summer_s_ - standard_s_);
    return begin < end ? standard_s >= begin && standard_s < end : standard_s >= begin || standard_s < end;
}

SimTime ZoneRule::to_utc(const CivilTime& time) const {
    std::int64_t offset = standard_s_;
    if (time.offset_s) {
        offset = *time.offset_s;
    } else if (begin_ && summer(time.seconds - (summer_s_ - standard_s_))) {
        offset = summer_s_;
    }
    return SimTime{(time.seconds - offset) * kNanoseconds + time.nanoseconds};
}

bool ZoneRule::ambiguous(const CivilTime& time) const {
    if (time.offset_s || !begin_) { return false; }
    return summer(time.seconds - (summer_s_ - standard_s_)) && !summer(time.seconds);
}

std::string civil_text(SimTime since_1970, std::int64_t offset_s) {
    const std::int64_t seconds = floor_divide(since_1970.value, kNanoseconds) + offset_s;
    const std::int64_t days = floor_divide(seconds, kSecondsPerDay);
    const Date date = date_of(days);
    const std::int64_t second = seconds - days * kSecondsPerDay;
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", date.year, date.month, date.day, second / 3600, second / 60 % 60,
                       second % 60);
}

}  // namespace medley::io
