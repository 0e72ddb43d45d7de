// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/core/shape.hpp>
#include <tilewright/dsl/number.hpp>
#include <tilewright/dsl/options.hpp>

/// The untyped half of the kernel language: what the typed templates of the other headers call.
/// Each function records ops in the kernel being traced. A mistake of the user is noted in the
/// trace with its line and yields a tile of the expected type, so that tracing goes on and finds
/// the rest.
namespace tw::inline v0::detail {

/// One value of the kernel being traced. `shape` is what the user sees; the value's own extents are
/// the next powers of two, and lanes beyond the user's extents hold anything.
struct TileRef {
  std::uint32_t value = 0;
  std::uint32_t trace = 0;  ///< number of the trace that made it
  DType dtype = DType::f32;
  Shape shape;
  Location where;  ///< what made it
};

enum class Unary : std::uint8_t {
  abs,
  neg,
  not_,
  ceil,
  floor,
  exp,
  exp2,
  log,
  log2,
  sqrt,
  rsqrt,
  sin,
  cos,
  tan,
  sinh,
  cosh,
  tanh,
};

enum class Binary : std::uint8_t {
  add,
  sub,
  mul,
  div,
  rem,
  floor_div,
  floor_mod,
  ceil_div,
  min,
  max,
  and_,
  or_,
  xor_,
  shl,
  shr,
  pow,
  atan2,
  mul_high,
};

enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge };

/// The extent of one axis, as the user sees it.
TILEWRIGHT_API int extent(const TileRef& tile, int axis, Location where);

TILEWRIGHT_API TileRef constant(Number number, DType dtype, Location where);
/// A tile of `shape` whose elements all are `number`.
TILEWRIGHT_API TileRef filled(Number number, DType dtype, const Shape& shape, Location where);
TILEWRIGHT_API TileRef iota(std::int64_t extent, Location where);

TILEWRIGHT_API TileRef unary(Unary op, const TileRef& x, const FloatOptions& options,
                             Location where);
TILEWRIGHT_API TileRef binary(Binary op, const TileRef& a, const TileRef& b,
                              const FloatOptions& options, Location where);
TILEWRIGHT_API TileRef fma(const TileRef& a, const TileRef& b, const TileRef& c,
                           const FloatOptions& options, Location where);
TILEWRIGHT_API TileRef compare(Compare op, const TileRef& a, const TileRef& b, Location where);
TILEWRIGHT_API TileRef is_nan(const TileRef& x, Location where);
TILEWRIGHT_API TileRef where(const TileRef& condition, const TileRef& if_true,
                             const TileRef& if_false, Location where);
TILEWRIGHT_API TileRef convert(const TileRef& x, DType to, rounding mode, Location where);
TILEWRIGHT_API TileRef bitcast(const TileRef& x, DType to, Location where);

TILEWRIGHT_API TileRef broadcast(const TileRef& x, const Shape& shape, Location where);
TILEWRIGHT_API TileRef reshape(const TileRef& x, const Shape& shape, Location where);
TILEWRIGHT_API TileRef permute(const TileRef& x, std::span<const int> order, Location where);
TILEWRIGHT_API TileRef squeeze(const TileRef& x, int axis, Location where);
TILEWRIGHT_API TileRef unsqueeze(const TileRef& x, int axis, Location where);
TILEWRIGHT_API TileRef cat(const TileRef& a, const TileRef& b, int axis, Location where);
/// Slice number `which` along `axis`, `extent` wide.
TILEWRIGHT_API TileRef extract(const TileRef& x, int axis, std::int64_t extent,
                               const TileRef& which, Location where);
/// `into` with slice number `which` along `axis` replaced.
TILEWRIGHT_API TileRef insert(const TileRef& slice, const TileRef& into, int axis,
                              const TileRef& which, Location where);
TILEWRIGHT_API TileRef pack(const TileRef& x, Location where);
TILEWRIGHT_API TileRef unpack(const TileRef& x, DType to, Location where);
/// The element of a tile of one.
TILEWRIGHT_API TileRef item(const TileRef& x, Location where);

TILEWRIGHT_API TileRef mma(const TileRef& a, const TileRef& b, const TileRef& acc, bool fast_acc,
                           Location where);
TILEWRIGHT_API TileRef mma_scaled(const TileRef& a, const TileRef& b, const TileRef& acc,
                                  const TileRef& a_scale, const TileRef& b_scale, Location where);

/// A reduction by one of the named combiners (add, mul, min, max, and, or, xor); keeps the axis as
/// one.
TILEWRIGHT_API TileRef reduce(Binary combiner, const TileRef& x, int axis,
                              const FloatOptions& options, Location where);

/// A combiner given as code: fills `results` from the scalars `accumulators` and `elements`.
struct Combiner {
  void* context;
  void (*call)(void* context, const TileRef* accumulators, const TileRef* elements,
               TileRef* results);
};
/// Reduces or scans several tiles of one shape together; `results` holds as many tiles.
TILEWRIGHT_API void reduce(std::span<const TileRef> xs, std::span<const Number> identities,
                           int axis, Combiner combiner, TileRef* results, Location where);
TILEWRIGHT_API void scan(std::span<const TileRef> xs, std::span<const Number> identities, int axis,
                         bool reverse, Combiner combiner, TileRef* results, Location where);

/// Notes an error and gives a usable tile when `x` is not of the declared shape.
TILEWRIGHT_API TileRef declared(const TileRef& x, std::span<const int> dims, Location where);

TILEWRIGHT_API void print(const char* format, std::span<const TileRef> values, Location where);
TILEWRIGHT_API void check(const TileRef& condition, const char* message, Location where);

}  // namespace tw::inline v0::detail
