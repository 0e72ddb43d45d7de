// SPDX-License-Identifier: Apache-2.0
#include "ir/float_text.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <tilewright/core/float_conversion.hpp>

namespace tw::inline v0::ir {
namespace {

/// A natural number of any size, in digits of 32 bits from the lowest.
class Natural {
 public:
  explicit Natural(std::uint64_t value) {
    for (; value != 0; value >>= 32) limbs_.push_back(static_cast<std::uint32_t>(value));
  }

  [[nodiscard]] bool is_zero() const { return limbs_.empty(); }
  [[nodiscard]] int bits() const {
    return is_zero() ? 0 : 32 * static_cast<int>(limbs_.size()) - std::countl_zero(limbs_.back());
  }

  void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  }

  /// Divides and gives back the remainder.
  std::uint32_t divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (auto limb = limbs_.rbegin(); limb != limbs_.rend(); ++limb) {
      rest = rest << 32 | *limb;
      *limb = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    return static_cast<std::uint32_t>(rest);
  }

 private:
  std::vector<std::uint32_t> limbs_;
};

/// `digits` from the highest, times ten to the `exponent`.
struct Decimal {
  std::string digits;
  int exponent = 0;

  [[nodiscard]] int count() const { return static_cast<int>(digits.size()); }
};

/// Removes digits below `precision` the way LLVM does: by powers of ten that surely leave enough
/// bits. Because this truncates, 0.7f is 0.699999988 to it, not 7.000000e-01.
int drop_digits(Natural& number, int precision) {
  const int needed = (precision * 196 + 58) / 59;  // 196/59 is just above log2(10)
  const int dropped = std::max(0, number.bits() - needed) * 59 / 196;
  for (int i = 0; i < dropped; ++i) number.divide(10);
  return dropped;
}

/// Rounds to `precision` digits, ties up, and removes zeros at the end.
void round_digits(Decimal& decimal, int precision) {
  std::string& digits = decimal.digits;
  const int excess = decimal.count() - precision;
  if (excess > 0) {
    const bool up = digits[static_cast<std::size_t>(precision)] >= '5';
    digits.resize(static_cast<std::size_t>(precision));
    decimal.exponent += excess;
    if (up) {
      while (!digits.empty() && digits.back() == '9') {
        digits.pop_back();
        ++decimal.exponent;
      }
      if (digits.empty()) digits = "0";
      ++digits.back();
    }
  }
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++decimal.exponent;
  }
}

Decimal decimal(double magnitude, int precision) {
  int exponent = 0;
  auto significand = static_cast<std::uint64_t>(std::ldexp(std::frexp(magnitude, &exponent), 53));
  exponent -= 53;
  const int zeros = std::countr_zero(significand);
  significand >>= zeros;
  exponent += zeros;

  Natural number(significand);
  for (int i = 0; i < exponent; ++i) number.multiply(2);
  for (int i = exponent; i < 0; ++i) number.multiply(5);  // m 2^-e = m 5^e 10^-e
  Decimal result{"", std::min(exponent, 0)};
  result.exponent += drop_digits(number, precision);
  while (!number.is_zero()) result.digits += static_cast<char>('0' + number.divide(10));
  std::ranges::reverse(result.digits);
  round_digits(result, precision);
  return result;
}

std::string scientific(const Decimal& decimal, std::size_t decimals, char mark,
                       int exponent_width) {
  std::string fraction = decimal.digits.substr(1);
  if (fraction.size() < decimals) fraction.resize(decimals, '0');
  const int exponent = decimal.exponent + decimal.count() - 1;
  return fmt::format("{}.{}{}{}{:0{}}", decimal.digits[0], fraction, mark, exponent < 0 ? '-' : '+',
                     std::abs(exponent), exponent_width);
}

/// Six digits and a zero.
std::string short_text(double magnitude) {
  if (magnitude == 0) return "0.000000e+00";
  return scientific(decimal(magnitude, 6), 6, 'e', 2);
}

/// As many digits as tell every number of the format from its neighbours, without an exponent where
/// at most three zeros do.
std::string full_text(double magnitude, int precision) {
  const Decimal number = decimal(magnitude, precision);
  const int point = number.count() + number.exponent;  // digits before the decimal point
  if (number.exponent >= 0) {
    const bool too_long = number.exponent > 3 || point > precision;
    if (too_long) return scientific(number, 1, 'E', 1);
    return number.digits + std::string(static_cast<std::size_t>(number.exponent), '0');
  }
  if (point > 0) {
    return std::string(number.digits).insert(static_cast<std::size_t>(point), 1, '.');
  }
  if (point <= -3) return scientific(number, 1, 'E', 1);
  return "0." + std::string(static_cast<std::size_t>(-point), '0') + number.digits;
}

/// The power of ten of the first digit that counts.
std::int64_t leading_exponent(std::string_view text) {
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  std::string_view digits = text.substr(0, mark);
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  const auto first = static_cast<std::int64_t>(digits.find_first_of("123456789"));
  std::string_view exponent = text.substr(std::min(mark + 1, text.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::int32_t power = 0;
  const auto [end, error] =
      std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  if (error == std::errc::result_out_of_range) return exponent[0] == '-' ? -1 : 1;
  return point - first + power;
}

/// The number that a text stands for; an infinity or zero for what is beyond the type.
template <class Float>
Float number(std::string_view text) {
  Float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc()) return value;
  const Float magnitude = leading_exponent(text) > 0 ? std::numeric_limits<Float>::infinity() : 0;
  return text.starts_with('-') ? -magnitude : magnitude;
}

}  // namespace

std::string float_text(ElementKind kind, std::uint64_t bits) {
  const FloatFormat& format = info(kind).format;
  const double value = numeric::decode(bits, kind);
  if (std::isfinite(value)) {
    const std::string sign = std::signbit(value) ? "-" : "";
    std::string text = sign + short_text(std::abs(value));
    if (parse_float(kind, text) == bits) return text;
    text = sign + full_text(std::abs(value), 2 + format.precision * 59 / 196);
    if (text.find('.') != std::string::npos) return text;
  }
  return fmt::format("0x{:X}", bits);
}

std::optional<std::uint64_t> parse_float(ElementKind kind, std::string_view text) {
  if (kind == ElementKind::f32) return std::bit_cast<std::uint32_t>(number<float>(text));
  const std::uint64_t bits = numeric::encode(number<double>(text), kind, Rounding::nearest_even,
                                             numeric::Overflow::special);
  return std::isnan(numeric::decode(bits, kind)) ? std::nullopt : std::optional(bits);
}

}  // namespace tw::inline v0::ir
