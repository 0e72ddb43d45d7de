// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include <fmt/printf.h>

#include <tilewright/core/float_conversion.hpp>

#include "interp/integers.hpp"
#include "interp/preparation.hpp"
#include "interp/rules.hpp"
#include "interp/storage.hpp"

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;

/// A piece of a printf format: text, then perhaps one conversion, without its length modifiers.
struct Piece {
  std::string text;
  std::string conversion;
};

std::vector<Piece> split_format(std::string_view format) {
  constexpr std::string_view conversions = "diuoxXeEfFgGaAcsSpn";
  constexpr std::string_view length_modifiers = "hljztL";
  std::vector<Piece> pieces(1);
  for (std::size_t k = 0; k < format.size(); ++k) {
    if (format[k] != '%') {
      pieces.back().text += format[k];
    } else if (format.substr(k, 2) == "%%") {
      pieces.back().text += '%';
      ++k;
    } else {
      std::string& conversion = pieces.back().conversion = "%";
      for (++k; k < format.size(); ++k) {
        if (length_modifiers.find(format[k]) == std::string_view::npos) conversion += format[k];
        if (conversions.find(format[k]) != std::string_view::npos) break;
      }
      pieces.emplace_back();
    }
  }
  return pieces;
}

/// Prints one number the way its conversion asks, whatever its type.
class ElementFormat {
 public:
  ElementFormat(std::string conversion, const ir::TileType& type)
      : conversion_(std::move(conversion)),
        letter_(conversion_.back()),
        kind_(type.holds_pointers() ? ElementKind::i64 : type.kind()) {
    if (letter_ == 's' || letter_ == 'S') conversion_.back() = info(kind_).is_float() ? 'g' : 'd';
    if (letter_ == 'p') conversion_ = "0x%x";
    if (letter_ == 'n') conversion_.clear();
  }

  void append(std::string& text, std::uint64_t bits) const {
    const bool wants_float = std::string_view("eEfFgGaA").find(letter_) != std::string_view::npos;
    if (info(kind_).is_float()) {
      const double value = numeric::decode(to_pattern(bits, kind_), kind_);
      const bool as_is = wants_float || letter_ == 's' || letter_ == 'S';
      text += as_is ? fmt::sprintf(conversion_, value)
                    : fmt::sprintf(conversion_, numeric::saturate_to<std::int64_t>(value));
    } else if (wants_float) {
      text += fmt::sprintf(conversion_, static_cast<double>(signed_value(bits)));
    } else if (std::string_view("uoxXp").find(letter_) != std::string_view::npos) {
      text += fmt::sprintf(conversion_, bits);
    } else if (letter_ == 'c') {
      text += fmt::sprintf(conversion_, static_cast<char>(bits));
    } else {
      text += fmt::sprintf(conversion_, signed_value(bits));
    }
  }

 private:
  [[nodiscard]] std::int64_t signed_value(std::uint64_t bits) const {
    if (kind_ == ElementKind::i1) return static_cast<std::int64_t>(bits);
    return with_any_integer(kind_, [&]<class I>() {
      return std::int64_t{I::to_signed(static_cast<typename I::Storage>(bits))};
    });
  }

  std::string conversion_;
  char letter_;
  ElementKind kind_;
};

/// A printed operand: a number, or the elements of a tile in nested brackets.
class Printed {
 public:
  Printed(const Preparation& preparation, ir::Value value, std::string conversion)
      : format_(std::move(conversion), preparation.tile(value)),
        slot_(preparation.slot(value)),
        element_bytes_(preparation.element_bytes(value)),
        shape_(preparation.tile(value).shape) {}

  void append(std::string& text, const Frame& frame) const {
    const std::byte* next = frame.at<const std::byte>(slot_);
    append_axis(text, 0, next);
  }

 private:
  void append_axis(std::string& text, std::size_t axis, const std::byte*& next) const {
    if (axis == shape_.size()) {
      format_.append(text, read_bits(next, element_bytes_));
      next += element_bytes_;
      return;
    }
    text += '[';
    for (std::int64_t k = 0; k < shape_[axis]; ++k) {
      if (k != 0) text += ", ";
      append_axis(text, axis + 1, next);
    }
    text += ']';
  }

  ElementFormat format_;
  Slot slot_;
  std::size_t element_bytes_;
  Shape shape_;
};

void add_print(Preparation& preparation, std::string_view format,
               std::span<const ir::Value> values) {
  struct Part {
    std::string text;
    std::optional<Printed> operand;
  };
  std::vector<Part> parts;
  auto value = values.begin();
  for (Piece& piece : split_format(format)) {
    Part part{std::move(piece.text), std::nullopt};
    if (!piece.conversion.empty() && value != values.end()) {
      part.operand.emplace(preparation, *value++, std::move(piece.conversion));
    }
    parts.push_back(std::move(part));
  }
  preparation.add([parts = std::move(parts)](Frame& frame) {
    const auto& print = frame.launch().options->print;
    if (!print) return;
    std::string text;
    for (const Part& part : parts) {
      text += part.text;
      if (part.operand) part.operand->append(text, frame);
    }
    print(text);
  });
}

void print_string(Preparation& preparation, const ir::Op& op) {
  add_print(preparation, op.get<std::string>(AttributeName::format), op.group(0));
}

void print_site(Preparation& preparation, const ir::Op& op) {
  const auto site = static_cast<std::size_t>(op.integer(AttributeName::site));
  add_print(preparation, preparation.module().sites.at(site).text, op.group(0));
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{print, print_site},
    OpRule{print_tko, print_string},
};

}  // namespace

std::span<const OpRule> print_rules() { return rules; }

}  // namespace tw::inline v0::interp
