#include "io/report/report_page.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/results/json_writer.h"

namespace medley::io {
namespace {

constexpr std::string_view kTitlePlace = "<!--medley:title-->";
constexpr std::string_view kDataPlace = "<!--medley:data-->";

void append_html(std::string& out, std::string_view text) {
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            default: out += c;
        }
    }
}

// A "<" in JSON stands inside a string always, where its escape means the same; without one, no text can end the script element.
void append_script_json(std::string& out, std::string_view json) {
    for (const char c : json) {
        if (c == '<') {
            out += "\\u003c";
        } else {
            out += c;
        }
    }
}

std::string document_json(const ReportDocument& document) {
    JsonWriter json(JsonWriter::Style::kOneLine);
    json.begin_object().field("format", 1).field("title", document.title);
    json.field("ranked_by", document.ranked_by).field("runs", document.runs.size()).end_object();
    return json.text();
}

void append_data(std::string& out, const ReportDocument& document) {
    out += R"(<script type="application/json" id="medley-document">)";
    append_script_json(out, document_json(document));
    out += "</script>\n";
    for (std::size_t run = 0; run < document.runs.size(); ++run) {
        out += fmt::format(R"(<script type="application/json" id="medley-run-{}">)", run);
        append_script_json(out, document.runs[run].json);
        out += fmt::format("</script>\n<script type=\"text/plain\" id=\"medley-columns-{}\">", run);
        out += document.runs[run].columns;
        out += "</script>\n";
    }
}

}  // namespace

void require_report_page() {
    if (report_page().empty()) {
        throw Error("this medley was built without the report's page, which needs Node.js and npm: run tools/install-deps and build again");
    }
}

std::string fill_report_page(std::string_view page, const ReportDocument& document) {
    const std::size_t title = page.find(kTitlePlace);
    const std::size_t data = page.find(kDataPlace);
    MEDLEY_ASSERT(title != std::string_view::npos && data != std::string_view::npos && title < data);
    std::string html(page.substr(0, title));
    append_html(html, document.title);
    html += page.substr(title + kTitlePlace.size(), data - title - kTitlePlace.size());
    append_data(html, document);
    html += page.substr(data + kDataPlace.size());
    return html;
}

void write_report(OutputFile& file, const ReportDocument& document) {
    require_report_page();
    file.write(fill_report_page(report_page(), document));
}

}  // namespace medley::io
