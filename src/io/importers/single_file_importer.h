#pragma once
/// An importer that is one function over one file.

#include "io/importers/importer.h"
#include "io/text_file.h"

namespace medley::io {

class SingleFileImporter final : public Importer {
 public:
    /// Reads the source whole; what it throws gains the file's name.
    using Read = Import (*)(ByteSource& source, const ImportOptions& options);

    /// The texts outlive the importer.
    SingleFileImporter(std::string_view name, std::string_view description, Read read, SourceKind kind = SourceKind::kJobs)
        : name_(name), description_(description), read_(read), kind_(kind) {}

    std::string_view name() const override { return name_; }
    std::string_view description() const override { return description_; }
    SourceKind kind() const override { return kind_; }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource bytes = source.open();
        return naming_file(bytes.name(), [&] { return read_(bytes, options); });
    }

 private:
    std::string_view name_, description_;
    Read read_;
    SourceKind kind_;
};

}  // namespace medley::io
