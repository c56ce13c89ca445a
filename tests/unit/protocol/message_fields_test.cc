// Every struct that travels or is logged: all of its fields, each of them once.

#include <utility>

#include <gtest/gtest.h>

#include "executor/coordinator/record_fields.h"
#include "executor/protocol/message_codec.h"

namespace medley::executor {
namespace {

/// Stands for a value of any type where only types are looked at.
struct Anything {
    template <class T>
    operator T() const;
};

/// How many fields an aggregate has.
template <class T, class... Given>
constexpr std::size_t field_count() {
    if constexpr (requires { T{Given{}..., Anything{}}; }) {
        return field_count<T, Given..., Anything>();
    } else {
        return sizeof...(Given);
    }
}

/// Gives each field another value than any before, and counts the fields of each struct.
class Filler {
 public:
    static constexpr bool kReading = true;

    template <class... Fields>
    void operator()(Fields&... fields) {
        count_ = sizeof...(Fields);
        (fill(fields), ...);
    }
    std::size_t take_count() { return std::exchange(count_, 0); }

    template <class T>
    void fill(T& value) {
        using namespace archive_detail;
        if constexpr (std::is_same_v<T, bool>) {
            value = true;
        } else if constexpr (std::is_enum_v<T>) {
            value = last_of(T{});
        } else if constexpr (std::is_arithmetic_v<T>) {
            value = static_cast<T>(++next_);
        } else if constexpr (std::is_same_v<T, std::string>) {
            value = std::to_string(++next_);
        } else if constexpr (kIsVector<T>) {
            value.resize(2);
            for (auto& item : value) { fill(item); }
        } else if constexpr (kIsPair<T>) {
            fill(value.first);
            fill(value.second);
        } else if constexpr (kIsVariant<T>) {
            std::visit([this](auto& alternative) { fill(alternative); }, value);
        } else {
            Filler inner;
            inner.next_ = next_;
            visit_fields(inner, value);
            next_ = inner.next_;
            EXPECT_EQ(inner.take_count(), field_count<T>()) << "a field is left out";
        }
    }

 private:
    int next_ = 0;
    std::size_t count_ = 0;
};

/// All alternatives of a variant, default or filled.
template <class Variant, std::size_t... Index>
std::vector<Variant> all_filled(std::index_sequence<Index...>) {
    std::vector<Variant> values = {Variant(std::in_place_index<Index>)...};
    for (Variant& value : values) {
        Filler filler;
        filler.fill(value);
    }
    return values;
}
template <class Variant>
std::vector<Variant> all_filled() {
    return all_filled<Variant>(std::make_index_sequence<std::variant_size_v<Variant>>());
}

TEST(MessageFields, EveryMessageComesBackWithAllItsFields) {
    for (const Message& message : all_filled<Message>()) {
        const std::string bytes = encode_message(message);
        const auto back = decode_message(bytes);
        ASSERT_TRUE(back) << message.index();
        EXPECT_EQ(back->index(), message.index());
        EXPECT_EQ(encode_message(*back), bytes) << message.index();
    }
}

TEST(MessageFields, EveryRecordComesBackWithAllItsFields) {
    for (const Record& record : all_filled<Record>()) {
        const std::string bytes = encode(record);
        const auto back = decode<Record>(bytes);
        ASSERT_TRUE(back) << record.index();
        EXPECT_EQ(encode(*back), bytes) << record.index();
    }
}

TEST(MessageFields, EveryModelAndEveryKindOfDataComesBack) {
    for (const ModelSpec& model : all_filled<ModelSpec>()) {
        for (const DataSpec& data : all_filled<DataSpec>()) {
            RunSetup setup;
            setup.job.model = model;
            setup.job.data = data;
            const std::string bytes = encode_setup(setup, {});
            const auto back = decode_setup(bytes);
            ASSERT_TRUE(back);
            EXPECT_EQ(back->first.job.model.index(), model.index());
            EXPECT_EQ(encode_setup(back->first, back->second), bytes);
        }
    }
}

TEST(MessageFields, NoBeginningOfAMessageIsAMessage) {
    for (const Message& message : all_filled<Message>()) {
        const std::string bytes = encode_message(message);
        for (std::size_t size = 0; size < bytes.size(); ++size) { EXPECT_FALSE(decode_message(bytes.substr(0, size))) << message.index(); }
    }
}

TEST(MessageFields, AnUnknownAlternativeIsRefused) {
    const std::string first_unknown(1, static_cast<char>(std::variant_size_v<Message>));
    EXPECT_FALSE(decode_message(first_unknown + std::string(64, '\0')));
    EXPECT_FALSE(decode_message(""));
}

}  // namespace
}  // namespace medley::executor
