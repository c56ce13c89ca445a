#pragma once
/// What Slurm's own commands print about a site, told apart by content, so that files may have any name and come in any order.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace medley::io::slurm {

struct OutputFile {
    std::string name;  ///< as the user gave it
    std::string text;
};

/// One file of each kind at most.
struct SiteFiles {
    std::optional<OutputFile> nodes;         ///< `scontrol show nodes`, with or without --oneliner
    std::optional<OutputFile> sinfo;         ///< `sinfo` with a header line that names NODELIST (or HOSTNAMES) and GRES
    std::optional<OutputFile> config;        ///< `scontrol show config`
    std::optional<OutputFile> partitions;    ///< `scontrol show partition`
    std::optional<OutputFile> reservations;  ///< `scontrol show reservation`
    std::optional<OutputFile> qos;           ///< `sacctmgr --parsable2 show qos`
    std::optional<OutputFile> associations;  ///< `sacctmgr --parsable2 show assoc`
};

/// Throws medley::Error naming a file that is none of these, or the second of a kind. An empty list of reservations is one.
SiteFiles sort_files(std::vector<OutputFile> files);

/// A table that Slurm prints: a header line, cells between bars, or between blanks where the header has no bar.
struct OutputTable {
    struct Row {
        std::size_t line = 0;
        std::vector<std::string_view> cells;  ///< as many as the header
    };
    std::vector<std::string_view> columns;
    std::vector<Row> rows;

    /// The cell of a column, whatever its case; empty if the table lacks it.
    std::string_view cell(const Row& row, std::string_view column) const;
    bool has(std::string_view column) const;
    /// Throws medley::Error{"line N, column C", cell, expected}.
    [[noreturn]] void refuse(const Row& row, std::string_view column, std::string_view expected) const;
};

/// Lines of one cell less or more than the header has are refused with medley::Error; a bar at the end is none more.
OutputTable read_table(std::string_view text);

}  // namespace medley::io::slurm
