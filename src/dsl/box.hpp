// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <tilewright/dsl/box_ref.hpp>
#include <tilewright/dsl/specialisation.hpp>

#include "dsl/trace.hpp"

namespace tw::inline v0::detail {

/// One axis of a tensor, as the kernel sees it.
struct BoxAxis {
  ir::Value extent;  ///< of the index type
  std::optional<std::int64_t> known_extent;
  ir::Value stride;  ///< of the index type; no value for a unit stride
  ir::Value fixed;   ///< the one place that `select` or `squeeze` left, an Int; no value for a
                     ///< visible axis
};

/// A box of a tensor: base address, axes, and under which condition it may be touched at all.
struct Box {
  int parameter = -1;
  std::uint32_t region = 0;  ///< that its values were made in
  DType dtype = DType::f32;
  ir::Value base;
  std::vector<BoxAxis> axes;
  std::vector<int> visible;  ///< axes of the tensor that the user's view has, in order
  /// What has been checked when the view was made (`select`, `slice`, `a[g]`); no value: nothing.
  ir::Value guard;
  ir::Value group;  ///< which tensor of a list

  // Of what a block owns.
  bool is_owned = false;
  std::array<Cut, max_rank> cuts{};
  std::array<ir::Value, max_rank> place{};  ///< of the block along each axis, in boxes
  RowList rows = RowList::none;
  ir::Value row_ids;  ///< ids of axis 0, -1 beyond the end of the list
};

/// A box cut into tiles. Extents are the user's; what is stored is the next powers of two.
struct Tiling {
  std::uint32_t box = 0;
  std::uint32_t region = 0;
  Shape tile;
  std::optional<std::uint64_t> padding;  ///< bits of the number that lies outside
};

/// Where a block works, along the axes of the common grid.
struct Place {
  std::vector<ir::Value> coordinates;
  ir::Value linear;  ///< the number of the place, where blocks carry numbers
  ir::Value group;
};

/// The parameters of the kernel being traced, and the boxes made of them.
class Boxes {
 public:
  Boxes(Trace& trace, const Specialisation& specialisation, Location kernel_line);

  /// Of the trace that is active; throws KernelError when there is none.
  static Boxes& current(Location where);
  /// The same where a kernel's parameters are made: there is a trace.
  static Boxes& current();

  [[nodiscard]] Trace& trace() { return trace_; }
  [[nodiscard]] const Specialisation& specialisation() const { return specialisation_; }
  /// The user's line for what precedes the kernel's own code.
  [[nodiscard]] Location kernel_line() const { return kernel_line_; }
  [[nodiscard]] const ParameterFacts& facts(int parameter) const {
    return specialisation_.parameters[static_cast<std::size_t>(parameter)];
  }
  [[nodiscard]] ElementKind index_kind() const {
    return specialisation_.wide_index ? ElementKind::i64 : ElementKind::i32;
  }

  /// The argument of the entry that carries this; no value when the specialisation knows it.
  [[nodiscard]] ir::Value argument(ir::AbiKind kind, int parameter, int axis = -1) const;

  BoxRef add(Box box);
  TilingRef add(Tiling tiling);
  PlaceRef add(Place place);
  // What a handle names; each fails when the handle is kept from another kernel, or when the region
  // that it was made in has ended.
  const Box& box(const BoxRef& ref, Location where);
  const Tiling& tiling(const TilingRef& ref, Location where);
  const Place& place(const PlaceRef& ref, Location where);
  [[nodiscard]] int parameter(const ParameterRef& ref, Location where);
  [[nodiscard]] const Box& box_of(const Tiling& tiling) const { return boxes_[tiling.box]; }

  /// Notes that the kernel stores, or may store, into an output.
  void note_store(const Box& box);
  /// Notes an error for each output that is never stored: it would be left uninitialised.
  void require_stores();

  /// The tensor behind a parameter that is no list.
  Box tensor(int parameter, Location where);
  /// The tensor in row `which` of a list, whose number is checked.
  Box list_element(int parameter, ir::Value which, Location where);

  // Scalars of the index type and Ints.
  ir::Value index_number(std::int64_t number, Location where);
  ir::Value to_index(ir::Value integer, Location where);
  ir::Value to_int(ir::Value index, Location where);
  TileRef as_int(ir::Value value, Location where);
  TileRef as_index(ir::Value value, Location where);

 private:
  Trace& trace_;
  const Specialisation& specialisation_;
  Location kernel_line_;
  std::vector<Box> boxes_;
  std::vector<Tiling> tilings_;
  std::vector<Place> places_;
  std::vector<bool> stored_;  ///< by parameter
  Boxes* outer_;

 public:
  ~Boxes();
  Boxes(const Boxes&) = delete;
  Boxes& operator=(const Boxes&) = delete;
};

/// Integer scalar code at one place of the user's source, in the vocabulary of bounds.
class Scalars {
 public:
  Scalars(Boxes& boxes, Location where) : boxes_(boxes), where_(where) {}

  [[nodiscard]] ir::Builder& builder() const { return boxes_.trace().at(where_); }
  [[nodiscard]] ir::Value number(ElementKind kind, std::int64_t value) const;
  [[nodiscard]] ir::Value add(ir::Value a, ir::Value b) const;
  [[nodiscard]] ir::Value subtract(ir::Value a, ir::Value b) const;
  [[nodiscard]] ir::Value multiply(ir::Value a, ir::Value b) const;
  [[nodiscard]] ir::Value minimum(ir::Value a, ir::Value b) const;
  /// Quotients of numbers that are not negative by positive ones.
  [[nodiscard]] ir::Value divide(ir::Value a, ir::Value b) const;
  [[nodiscard]] ir::Value remainder(ir::Value a, ir::Value b) const;
  [[nodiscard]] ir::Value ceil_divide(ir::Value a, std::int64_t b) const;
  [[nodiscard]] ir::Value less(ir::Value a, ir::Value b) const;
  [[nodiscard]] ir::Value both(ir::Value a, ir::Value b) const;
  [[nodiscard]] ir::Value either(ir::Value a, ir::Value b) const;
  /// Whether 0 <= index < bound; works on tiles, too.
  [[nodiscard]] ir::Value inside(ir::Value index, ir::Value bound) const;

 private:
  Boxes& boxes_;
  Location where_;
};

}  // namespace tw::inline v0::detail
