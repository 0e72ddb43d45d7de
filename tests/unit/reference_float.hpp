// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <vector>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/float_conversion.hpp>
#include <tilewright/core/rounding.hpp>

// A slow model of the small formats, made of the list of all their numbers: rounding is a search in
// the list and a comparison with the midpoint of two neighbours.

namespace tw::testing {

/// A format as its publication describes it.
struct PublishedFormat {
  ElementKind kind;
  int exponent_bits;
  int fraction_bits;
  int bias;
  bool has_sign;
  bool has_zero;
  bool has_infinity;
  bool has_nan;

  friend void PrintTo(const PublishedFormat& format, std::ostream* out) {
    *out << info(format.kind).name;
  }
};

inline constexpr PublishedFormat published_formats[] = {
    {ElementKind::f16, 5, 10, 15, true, true, true, true},
    {ElementKind::bf16, 8, 7, 127, true, true, true, true},
    {ElementKind::tf32, 8, 10, 127, true, true, true, true},
    {ElementKind::f8e4m3, 4, 3, 7, true, true, false, true},
    {ElementKind::f8e5m2, 5, 2, 15, true, true, true, true},
    {ElementKind::f8e8m0, 8, 0, 127, false, false, false, true},
    {ElementKind::f8e5m3, 5, 3, 15, false, true, false, true},
    {ElementKind::f4e2m1, 2, 1, 1, true, true, false, false},
};

class ReferenceFloat {
 public:
  explicit ReferenceFloat(const PublishedFormat& format) : format_(format) {
    const std::uint64_t count = std::uint64_t{1} << (format.exponent_bits + format.fraction_bits);
    for (std::uint64_t pattern = 0; pattern < count; ++pattern) {
      const double value = magnitude(pattern);
      if (std::isfinite(value)) magnitudes_.push_back(value);
    }
    const std::size_t last = magnitudes_.size() - 1;
    beyond_ = format.fraction_bits == 0 ? 2 * magnitudes_[last]
                                        : 2 * magnitudes_[last] - magnitudes_[last - 1];
  }

  /// The finite numbers without sign, ascending; the index of each is its pattern.
  [[nodiscard]] const std::vector<double>& magnitudes() const { return magnitudes_; }
  /// What would follow the largest finite number if the exponent had no bound.
  [[nodiscard]] double beyond() const { return beyond_; }
  [[nodiscard]] std::uint64_t sign_bit() const {
    return format_.has_sign ? std::uint64_t{1} << (format_.exponent_bits + format_.fraction_bits)
                            : 0;
  }

  /// What a pattern stands for.
  [[nodiscard]] double decode(std::uint64_t pattern) const {
    const bool negative = (pattern & sign_bit()) != 0;
    const double value = magnitude(pattern & ~sign_bit());
    return negative ? -value : value;
  }

  /// The pattern of a finite number; zero keeps its sign.
  [[nodiscard]] std::uint64_t encode(long double value, Rounding rounding,
                                     numeric::Overflow overflow) const {
    const bool negative = std::signbit(value) && format_.has_sign;
    const std::uint64_t sign = negative ? sign_bit() : 0;
    const long double target = std::fabs(value);
    const auto above = std::upper_bound(magnitudes_.begin(), magnitudes_.end(), target);
    if (above == magnitudes_.begin()) return sign;  // below the smallest of a format without zero

    const auto lower = static_cast<std::uint64_t>(above - magnitudes_.begin() - 1);
    const double low = magnitudes_[lower];
    const double high = above == magnitudes_.end() ? beyond_ : *above;
    if (target == low) return sign | lower;
    if (!goes_up(target, low, high, lower, negative, rounding)) return sign | lower;
    if (above != magnitudes_.end()) return sign | (lower + 1);
    return sign | overflowed(overflow);
  }

 private:
  [[nodiscard]] double magnitude(std::uint64_t pattern) const {
    const std::uint64_t fraction_count = std::uint64_t{1} << format_.fraction_bits;
    const std::uint64_t field = pattern / fraction_count;
    const std::uint64_t fraction = pattern % fraction_count;
    const bool top = field == (std::uint64_t{1} << format_.exponent_bits) - 1;
    if (top && format_.has_infinity) {
      return fraction == 0 ? std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::quiet_NaN();
    }
    if (top && format_.has_nan && fraction == fraction_count - 1) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    const double significand = static_cast<double>(fraction) / static_cast<double>(fraction_count);
    if (field == 0 && format_.has_zero) return std::ldexp(significand, 1 - format_.bias);
    return std::ldexp(1 + significand, static_cast<int>(field) - format_.bias);
  }

  [[nodiscard]] bool goes_up(long double target, double low, double high, std::uint64_t lower,
                             bool negative, Rounding rounding) const {
    const double middle = low / 2 + high / 2;
    // Without fraction bits both neighbours are powers of two: ties go to the larger.
    const bool lower_is_even = format_.fraction_bits != 0 && lower % 2 == 0;
    switch (rounding) {
      case Rounding::zero:
        return false;
      case Rounding::negative_inf:
        return negative;
      case Rounding::positive_inf:
        return !negative;
      case Rounding::nearest_away:
        return target >= middle;
      default:
        return target > middle || (target == middle && !lower_is_even);
    }
  }

  [[nodiscard]] std::uint64_t overflowed(numeric::Overflow overflow) const {
    const bool clamps = overflow == numeric::Overflow::device && magnitudes_.size() <= 256;
    const bool has_beyond = format_.has_infinity || format_.has_nan;
    if (clamps || !has_beyond) return magnitudes_.size() - 1;
    return format_.has_infinity ? magnitudes_.size() : sign_bit() == 0 ? 0xff : sign_bit() - 1;
  }

  PublishedFormat format_;
  std::vector<double> magnitudes_;
  double beyond_;
};

}  // namespace tw::testing
