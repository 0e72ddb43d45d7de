// SPDX-License-Identifier: Apache-2.0
#include "unicode.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <utf8proc.h>

namespace minilm::unicode {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t N>
constexpr bool is_sorted(const std::array<Range, N>& ranges) {
  return std::ranges::is_sorted(ranges, {}, &Range::first);
}

template <std::size_t N>
constexpr bool contains(const std::array<Range, N>& ranges, char32_t code_point) {
  const auto after = std::ranges::upper_bound(ranges, code_point, {}, &Range::first);
  return after != ranges.begin() && code_point <= std::prev(after)->last;
}

// Every mark, punctuation and format character of Unicode 9 to 18 lies in one of these ranges, and
// none of Unicode 8 does.
constexpr auto after_unicode_8 = std::to_array<Range>({
    {0x5C8, 0x5C9},     {0x61D, 0x61D},     {0x7FD, 0x7FD},     {0x890, 0x8E2},
    {0x9FD, 0x9FE},     {0xA76, 0xA76},     {0xAFA, 0xAFF},     {0xB53, 0xB55},
    {0xC04, 0xC3C},     {0xC77, 0xC77},     {0xC84, 0xC84},     {0xD00, 0xD00},
    {0xD3B, 0xD3C},     {0xD81, 0xD81},     {0xEBA, 0xEBA},     {0xECE, 0xECE},
    {0x180F, 0x1886},   {0x1ABF, 0x1AF0},   {0x1B4E, 0x1B4F},   {0x1B7D, 0x1B7F},
    {0x1DF6, 0x1DFB},   {0x2E43, 0x2E63},   {0xA82C, 0xA82C},   {0xA8C5, 0xA8C5},
    {0xA8FF, 0xA8FF},   {0xA9BD, 0xA9BD},   {0x10D24, 0x10F89}, {0x11070, 0x11074},
    {0x110C2, 0x110CD}, {0x111CF, 0x111CF}, {0x1123E, 0x11241}, {0x1133B, 0x1133B},
    {0x113BB, 0x1145E}, {0x11660, 0x1166C}, {0x116B9, 0x116B9}, {0x1182F, 0x11FFF},
    {0x12FF1, 0x1612F}, {0x16D6D, 0x16F4F}, {0x16FE2, 0x16FE4}, {0x1CF00, 0x1D128},
    {0x1D25B, 0x1D25C}, {0x1E000, 0x1E6F5}, {0x1E944, 0x1E95F},
});
static_assert(is_sorted(after_unicode_8));

// Code points whose class in Unicode 8 is not their class today.
struct Reclassified {
  char32_t code_point;
  Class in_unicode_8;
};
constexpr auto reclassified = std::to_array<Reclassified>({
    {0x166D, Class::punctuation},
    {0x1734, Class::mark},
    {0x111C9, Class::punctuation},
    {0x1171E, Class::mark},
});

// As BERT lists them; the seventh starts at U+2B920 where the block starts at U+2B820, an error
// that the `tokenizers` package has made permanent.
constexpr auto ideographs = std::to_array<Range>({
    {0x3400, 0x4DBF},
    {0x4E00, 0x9FFF},
    {0xF900, 0xFAFF},
    {0x20000, 0x2A6DF},
    {0x2A700, 0x2B73F},
    {0x2B740, 0x2B81F},
    {0x2B920, 0x2CEAF},
    {0x2F800, 0x2FA1F},
});
static_assert(is_sorted(ideographs));

constexpr char32_t replacement = 0xFFFD;

constexpr bool is_ascii_symbol(char32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

Class class_of(utf8proc_category_t category) {
  if (category == UTF8PROC_CATEGORY_MN) return Class::mark;
  if (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO) {
    return Class::punctuation;
  }
  if (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP) return Class::space;
  if (category >= UTF8PROC_CATEGORY_CC && category <= UTF8PROC_CATEGORY_CO) return Class::ignored;
  return Class::word;
}

}  // namespace

Class classify(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return Class::space;
  if (c == replacement) return Class::ignored;
  if (is_ascii_symbol(c)) return Class::punctuation;
  const auto changed = std::ranges::find(reclassified, c, &Reclassified::code_point);
  if (changed != reclassified.end()) return changed->in_unicode_8;
  if (contains(after_unicode_8, c)) return Class::word;
  return class_of(utf8proc_category(static_cast<utf8proc_int32_t>(c)));
}

bool is_ideograph(char32_t c) { return contains(ideographs, c); }

char32_t to_lower(char32_t c) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

void append_decomposition(char32_t c, std::u32string& out) {
  // The longest canonical decomposition has four code points.
  std::array<utf8proc_int32_t, 8> parts;
  int boundary = 0;
  const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(),
                                             parts.size(), UTF8PROC_DECOMPOSE, &boundary);
  out.append(parts.begin(), parts.begin() + count);
}

std::u32string decode(std::string_view utf8) {
  std::u32string text;
  text.reserve(utf8.size());
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(utf8.data());
  for (std::size_t at = 0; at < utf8.size();) {
    utf8proc_int32_t c = 0;
    const auto length =
        utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(utf8.size() - at), &c);
    if (length > 0) text.push_back(static_cast<char32_t>(c));
    at += length > 0 ? static_cast<std::size_t>(length) : 1;
  }
  return text;
}

}  // namespace minilm::unicode
