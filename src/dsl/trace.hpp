// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/dsl/tile_ref.hpp>
#include <tilewright/dsl/var.hpp>
#include <tilewright/ir/builder.hpp>
#include <tilewright/ir/kernel.hpp>

namespace tw::inline v0::detail {

/// All variables alive in a trace. Each has a number of its own.
class Slots {
 public:
  void add(Slot& slot);
  static void remove(Slot& slot);
  /// The numbers of the variables alive, oldest first.
  [[nodiscard]] std::vector<std::uint32_t> alive();
  /// The tile that a variable names now; nullptr once the variable is destroyed.
  [[nodiscard]] TileRef* tile(std::uint32_t number);
  /// The tiles that the variables made in a region name now.
  [[nodiscard]] std::vector<TileRef*> tiles_of(std::uint32_t region);

 private:
  Slot head_{Slot::Sentinel{}};
  std::uint32_t count_ = 0;
};

/// What a region of the kernel is the body of.
enum class RegionKind : std::uint8_t { kernel, loop, branch, combiner };

/// A loop or branch, which the trace keeps because the user's handles may outlive it.
class Construct {
 public:
  Construct() = default;
  virtual ~Construct() = default;
  Construct(const Construct&) = delete;
  Construct& operator=(const Construct&) = delete;
};

/// Ends a trace that has noted why, even if the kernel catches it.
class TraceEnded : public KernelError {
 public:
  using KernelError::KernelError;
};

/// One kernel while it is being recorded.
///
/// Mistakes of the user are collected, not thrown, so that one run reports them all.
class Trace {
 public:
  explicit Trace(ir::Kernel& kernel);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// The trace of this thread; throws KernelError when there is none.
  static Trace& current(Location where);
  /// The same, or nullptr.
  static Trace* active();

  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] Slots& slots() { return slots_; }
  [[nodiscard]] ir::Kernel& kernel() { return kernel_; }
  [[nodiscard]] ir::Function& function() { return kernel_.entry(); }

  void error(std::string message, CodePlace where, std::vector<Diagnostic::Note> notes = {});
  /// Notes an error after which the recording cannot go on, and throws TraceEnded.
  [[noreturn]] void fail(std::string message, CodePlace where,
                         std::vector<Diagnostic::Note> notes = {});
  [[nodiscard]] bool has_errors() const { return !errors_.empty(); }
  [[nodiscard]] std::vector<Diagnostic> take_errors() { return std::move(errors_); }

  /// Says that the kernel has ops that the language did not make sure of.
  void must_verify() { verified_ = false; }
  [[nodiscard]] bool is_verified() const { return verified_; }

  /// The builder, set to give new ops this place.
  ir::Builder& at(Location where);

  /// The value of a tile, after a look whether it may be used here: it must come from this trace
  /// and from a region that is still open.
  ir::Value use(const TileRef& tile, Location where);
  /// The same, as a tile.
  TileRef usable(const TileRef& tile, Location where);
  /// A tile for a new value. `shape` is what the user sees.
  TileRef make(ir::Value value, DType dtype, Shape shape, Location where);
  /// A tile that stands for the result of an operation that the user got wrong.
  TileRef poison(DType dtype, const Shape& shape, Location where);

  /// The variables alive whose tiles may be used here, oldest first.
  [[nodiscard]] std::vector<std::uint32_t> variables();

  /// Opens a region: ops go into `block`, and tiles made meanwhile die with `close_region`. Gives
  /// its number.
  std::uint32_t open_region(ir::Block& block, RegionKind kind, Location where);
  /// Closes a region that is complete; fails when another one inside it is still open.
  void close_region(std::uint32_t region);
  /// Closes a region, if it is open, with all inside it.
  void abandon_region(std::uint32_t region);
  /// The innermost region that is open.
  [[nodiscard]] std::uint32_t region() const { return open_.back().number; }
  [[nodiscard]] bool is_open(std::uint32_t region) const { return is_open_[region]; }
  /// Notes what an exception has left; an error unless the exception leaves the kernel, too.
  void left_by_exception(std::string message, Location where);
  /// Notes errors for what the kernel has left open.
  void finish();

  /// Keeps a loop or branch until the trace ends. Gives its number.
  std::uint32_t keep(std::unique_ptr<Construct> construct);
  [[nodiscard]] Construct& construct(std::uint32_t number) { return *constructs_[number]; }
  /// Whether a region is the innermost one but for branches.
  [[nodiscard]] bool only_branches_inside(std::uint32_t region) const;
  /// Notes an error where a combiner, which is pure scalar code, holds something else.
  void refuse_in_combiner(std::string_view what, Location where);

  std::int64_t add_site(ir::Site site);
  /// Emits `tw.check condition, index, bound`; the site takes the user's line.
  void check_bounds(ir::Site site, ir::Value condition, ir::Value index, ir::Value bound,
                    Location where);
  /// The number that an integer scalar is known to be, seen through its defining constant.
  [[nodiscard]] std::optional<std::int64_t> known_integer(ir::Value value) const;
  void note_integer(const TileRef& tile, std::int64_t number);

 private:
  struct OpenRegion {
    std::uint32_t number;
    RegionKind kind;
    std::uint32_t first_value;  ///< older ones were made outside
    Location where;
  };
  /// The region that a value was made in, of those open now.
  [[nodiscard]] std::uint32_t region_of(ir::Value value) const;
  [[nodiscard]] bool may_use(const TileRef& tile) const;
  void leave_innermost();

  struct Origin {
    std::uint32_t region = 0;
    bool known = false;
    std::optional<std::int64_t> number = std::nullopt;  ///< of an integer scalar constant
  };

  ir::Kernel& kernel_;
  ir::Builder builder_;
  Slots slots_;
  Trace* outer_;
  std::uint32_t number_;
  std::vector<bool> is_open_;     ///< of every region ever opened
  std::vector<OpenRegion> open_;  ///< those open now, outermost first
  std::vector<Origin> origins_;   ///< by value
  std::vector<std::unique_ptr<Construct>> constructs_;
  std::vector<Diagnostic> errors_;
  std::vector<Diagnostic> unwound_;  ///< what exceptions have left
  bool verified_ = true;
};

/// The extents that a tile of `shape` has in the IR: the next powers of two.
Shape stored_shape(const Shape& shape);
/// Whether the user's extents are those of the IR.
bool is_stored(const Shape& shape);
ir::Type stored_type(DType dtype, const Shape& shape);

/// The value with the lanes beyond the user's extent of one axis replaced by a number with these
/// bits.
ir::Value masked(Trace& trace, const TileRef& x, std::size_t axis, std::uint64_t bits,
                 Location where);

/// Whether there is such an axis; notes an error otherwise.
bool has_axis(Trace& trace, std::string_view name, std::size_t rank, int axis, Location where);

/// The shape of two broadcast tiles, or nothing.
std::optional<Shape> broadcast_shape(const Shape& a, const Shape& b);

/// The bits of a number as an element of `dtype`; notes an error when it does not fit.
std::uint64_t number_bits(Trace& trace, Number number, DType dtype, Location where);

inline ir::Signedness signedness(DType dtype) {
  return info(dtype).is_signed ? ir::Signedness::signed_ : ir::Signedness::unsigned_;
}

}  // namespace tw::inline v0::detail
