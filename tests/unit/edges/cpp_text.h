#pragma once
/// Just enough of C++'s lexical rules for checks on source text: what is comment, what is literal, what is code.

#include <string>
#include <string_view>
#include <vector>

namespace medley::edges {

/// The text with comments blanked; line breaks stay, so that line numbers and columns hold.
std::string without_comments(std::string_view text);

/// The text with comments and the insides of string and character literals (raw ones too) blanked.
std::string code_only(std::string_view text);

/// May the character stand inside an identifier?
bool part_of_word(char c);

/// The lines of a text, without their line breaks.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace medley::edges
