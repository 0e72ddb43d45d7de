// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tilewright/core/element.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/dsl/specialisation.hpp>
#include <tilewright/runtime/mut.hpp>
#include <tilewright/runtime/rows.hpp>
#include <tilewright/runtime/tensor.hpp>

namespace tw::inline v0 {

/// In a partition: the full axis is one tile, whose extent is a constant of the specialisation.
struct All {};
inline constexpr All all;
/// In a partition: the block owns the full axis and streams it in smaller tiles.
struct Whole {};
inline constexpr Whole whole;

/// How a partition divides one axis: a number cuts it into pieces of that many elements.
class AxisCut {
 public:
  template <std::integral I>
  constexpr AxisCut(I size) noexcept  // NOLINT(google-explicit-constructor)
      : cut_{CutKind::tile, std::cmp_greater(size, std::int64_t{1} << 62)
                                ? std::int64_t{1} << 62
                                : static_cast<std::int64_t>(size)} {}
  constexpr AxisCut(All) noexcept : cut_{CutKind::all, 0} {}      // NOLINT
  constexpr AxisCut(Whole) noexcept : cut_{CutKind::whole, 0} {}  // NOLINT

  [[nodiscard]] constexpr Cut cut() const noexcept { return cut_; }

 private:
  Cut cut_;
};

namespace detail {

/// How the tensors of one output are divided among blocks.
struct Division {
  std::array<Cut, max_rank> cuts{};
  RowIds rows;  ///< of axis 0; none for boxes
};

/// The division of a tensor with these extents. Throws LaunchError when a number is below one.
[[nodiscard]] TILEWRIGHT_API Division divide(const Shape& extents, std::span<const AxisCut> cuts,
                                             Location where);
/// The division of the rows that `rows` names. Throws LaunchError when axis 0 is not cut, or when
/// the ids are certified for another number of rows.
[[nodiscard]] TILEWRIGHT_API Division divide_rows(const Shape& extents, RowIds rows,
                                                  std::span<const AxisCut> cuts, Location where);
/// The number of blocks along each axis.
[[nodiscard]] TILEWRIGHT_API Shape blocks_of(const Shape& extents, const Division& division);
/// The division that all tensors of a list share. Throws LaunchError when there is none, or when
/// their extents along an `all` axis differ.
[[nodiscard]] TILEWRIGHT_API Division divide_list(std::span<const runtime::TensorState> tensors,
                                                  std::span<const AxisCut> cuts, Location where);

/// The ids that a partition by rows goes by.
[[nodiscard]] inline RowIds rows_of(const Rows& rows, Location) { return rows.ids(); }
template <runtime::readable Ids>
[[nodiscard]] RowIds rows_of(const Ids& ids, Location where) {
  static_assert(Ids::rank == 1 && std::is_same_v<typename Ids::element_type, std::int32_t>,
                "rows are named by a tensor of int32_t of rank 1, or by a Rows certificate");
  return plain_rows(runtime::TensorAccess::state(ids, where), where);
}

/// How launches reach into partitions, whatever kind they are of.
struct PartitionAccess {
  template <class P>
  [[nodiscard]] static const Division& division(const P& partition) noexcept {
    return partition.division_;
  }
  template <class P>
  [[nodiscard]] static const auto& tensors(const P& partition) noexcept {
    return partition.tensors_;
  }
  /// Uses a partition up and gives it to the launch of `kernel`.
  template <class P>
  [[nodiscard]] static P take(P& partition, const char* kernel) {
    if (!partition.tensors_.held()) return std::move(partition);
    return P(partition.tensors_.take(kernel, Location()), std::move(partition.division_));
  }
  /// Uses a loan up for the launch of `kernel`, which keeps what it was a loan of.
  template <class P>
  [[nodiscard]] static runtime::TensorState&& take_tensor(P& loan, const char* kernel) {
    return loan.tensors_.take(kernel, Location());
  }
  template <class P, class Tensors>
  [[nodiscard]] static P make(Tensors tensors, Division division) {
    return P(std::move(tensors), std::move(division));
  }
  /// Takes what `from` holds, unless `divide`, which makes the division of it, throws.
  template <class P, class Owner, class Divide>
  [[nodiscard]] static P make(Owner& from, const Divide& divide, Location where) {
    return P(from, divide, where);
  }
};

}  // namespace detail

/// A tensor divided into disjoint boxes, one for each block: what an output of a kernel takes. A
/// launch uses it up and gives it back.
template <element T, int R>
  requires runtime::is_rank<R>
class [[nodiscard("the partition owns the tensor: launch with it or join it")]]
TILEWRIGHT_CONSUMABLE Partition {
 public:
  using element_type = T;
  static constexpr int rank = R;

  TILEWRIGHT_RETURNS_HELD Partition(Partition&&) = default;
  TILEWRIGHT_SETS_HELD Partition& operator=(Partition&&) = default;
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;
  ~Partition() = default;

  /// The extents of the tensor.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] const Shape& shape(Location where = Location::current()) const
      TILEWRIGHT_LIFETIMEBOUND {
    return tensors_.get(where).layout.extents;
  }
  /// The number of blocks along each axis.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] Shape grid(Location where = Location::current()) const {
    return detail::blocks_of(shape(where), division_);
  }
  /// The tensor again.
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Tensor<T, R> join(
      Location where = Location::current()) && {
    return runtime::TensorAccess::make<Tensor<T, R>>(tensors_.take("join()", where));
  }

 private:
  friend detail::PartitionAccess;

  TILEWRIGHT_RETURNS_HELD Partition(runtime::TensorState&& tensor,
                                    detail::Division division) noexcept
      : division_(std::move(division)), tensors_(std::move(tensor)) {}
  template <class Divide>
  TILEWRIGHT_RETURNS_HELD Partition(runtime::Ownership& from, const Divide& divide, Location where)
      : division_(divide(from.get(where).layout.extents)),
        tensors_(from.take("partition()", where)) {}

  detail::Division division_;  ///< first, since it is made before anything is taken
  runtime::Ownership tensors_;
};

/// A loan divided into disjoint boxes, one for each block: `mut(t).partition(...)`. A launch uses
/// it up and gives nothing back, since the owner has kept the tensor.
template <element T, int R>
  requires runtime::is_rank<R>
class [[nodiscard("a loan is meant for a launch")]] TILEWRIGHT_CONSUMABLE LentPartition {
 public:
  using element_type = T;
  static constexpr int rank = R;

  TILEWRIGHT_RETURNS_HELD LentPartition(LentPartition&&) = default;
  TILEWRIGHT_SETS_HELD LentPartition& operator=(LentPartition&&) = default;
  LentPartition(const LentPartition&) = delete;
  LentPartition& operator=(const LentPartition&) = delete;
  ~LentPartition() = default;

  /// The number of blocks along each axis.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] Shape grid(Location where = Location::current()) const {
    return detail::blocks_of(tensors_.get(where).layout.extents, division_);
  }

 private:
  friend detail::PartitionAccess;

  template <class Divide>
  TILEWRIGHT_RETURNS_HELD LentPartition(runtime::Ownership& from, const Divide& divide,
                                        Location where)
      : division_(divide(from.get(where).layout.extents)),
        tensors_(from.take("partition()", where)) {}

  detail::Division division_;  ///< first, since it is made before anything is taken
  runtime::Ownership tensors_;
};

namespace detail {

/// The tensors of a list, and who used them up.
class ListOwnership {
 public:
  explicit ListOwnership(std::vector<runtime::TensorState> tensors) noexcept
      : tensors_(std::move(tensors)), held_(true) {}
  ListOwnership(ListOwnership&& other) noexcept
      : tensors_(std::move(other.tensors_)),
        held_(std::exchange(other.held_, false)),
        consumer_(other.consumer_),
        consumed_at_(other.consumed_at_) {}
  ListOwnership& operator=(ListOwnership&& other) noexcept {
    ListOwnership taken(std::move(other));
    tensors_ = std::move(taken.tensors_);
    held_ = taken.held_;
    consumer_ = taken.consumer_;
    consumed_at_ = taken.consumed_at_;
    return *this;
  }
  ~ListOwnership() = default;

  [[nodiscard]] bool held() const noexcept { return held_; }
  /// Throws LaunchError when the tensors are gone.
  [[nodiscard]] const std::vector<runtime::TensorState>& get(Location where) const
      TILEWRIGHT_LIFETIMEBOUND {
    if (!held_) refuse(where);
    return tensors_;
  }
  [[nodiscard]] std::vector<runtime::TensorState> take(const char* consumer, Location where) {
    if (!held_) refuse(where);
    held_ = false;
    consumer_ = consumer;
    consumed_at_ = where;
    return std::move(tensors_);
  }

 private:
  [[noreturn]] TILEWRIGHT_API void refuse(Location where) const;

  std::vector<runtime::TensorState> tensors_;
  bool held_;
  const char* consumer_ = nullptr;
  Location consumed_at_;
};

}  // namespace detail

/// Tensors of different extents divided alike, as one output: blocks go through one tensor after
/// the other. Made by `partition(std::move(tensors), {...})`; a launch uses it up and gives it
/// back.
template <element T, int R>
  requires runtime::is_rank<R>
class [[nodiscard("the partition owns the tensors: launch with it or join it")]]
TILEWRIGHT_CONSUMABLE PartitionList {
 public:
  using element_type = T;
  static constexpr int rank = R;

  TILEWRIGHT_RETURNS_HELD PartitionList(PartitionList&&) = default;
  TILEWRIGHT_SETS_HELD PartitionList& operator=(PartitionList&&) = default;
  PartitionList(const PartitionList&) = delete;
  PartitionList& operator=(const PartitionList&) = delete;
  ~PartitionList() = default;

  /// The tensors again, in their order.
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] std::vector<Tensor<T, R>> join(
      Location where = Location::current()) && {
    std::vector<Tensor<T, R>> tensors;
    for (runtime::TensorState& state : tensors_.take("join()", where)) {
      tensors.push_back(runtime::TensorAccess::make<Tensor<T, R>>(std::move(state)));
    }
    return tensors;
  }

 private:
  friend detail::PartitionAccess;

  TILEWRIGHT_RETURNS_HELD PartitionList(std::vector<runtime::TensorState> tensors,
                                        detail::Division division) noexcept
      : tensors_(std::move(tensors)), division_(std::move(division)) {}

  detail::ListOwnership tensors_;
  detail::Division division_;
};

/// The same of tensors that are lent to one launch.
template <element T, int R>
  requires runtime::is_rank<R>
class [[nodiscard("a loan is meant for a launch")]] TILEWRIGHT_CONSUMABLE LentPartitionList {
 public:
  using element_type = T;
  static constexpr int rank = R;

  TILEWRIGHT_RETURNS_HELD LentPartitionList(LentPartitionList&&) = default;
  TILEWRIGHT_SETS_HELD LentPartitionList& operator=(LentPartitionList&&) = default;
  LentPartitionList(const LentPartitionList&) = delete;
  LentPartitionList& operator=(const LentPartitionList&) = delete;
  ~LentPartitionList() = default;

 private:
  friend detail::PartitionAccess;

  TILEWRIGHT_RETURNS_HELD LentPartitionList(std::vector<runtime::TensorState> tensors,
                                            detail::Division division) noexcept
      : tensors_(std::move(tensors)), division_(std::move(division)) {}

  detail::ListOwnership tensors_;
  detail::Division division_;
};

/// Tensors that are lent to one launch for writing; made by `mut(tensors)`.
template <element T, int R>
  requires runtime::is_rank<R>
class [[nodiscard("a loan is meant for a launch")]] MutList {
 public:
  explicit MutList(std::vector<runtime::TensorState> tensors) noexcept
      : tensors_(std::move(tensors)) {}

  /// Divides each tensor as `Mut::partition` does.
  template <std::size_t N>
    requires(N == R)
  [[nodiscard]] LentPartitionList<T, R> partition(runtime::Braced<AxisCut, N> cuts,
                                                  Location where = Location::current()) && {
    detail::Division division = detail::divide_list(tensors_.get(where), cuts, where);
    return detail::PartitionAccess::make<LentPartitionList<T, R>>(
        tensors_.take("partition()", where), std::move(division));
  }

 private:
  detail::ListOwnership tensors_;
};

/// Lends all tensors of a list to one launch for writing. Throws LaunchError when one was moved
/// away.
template <element T, int R>
[[nodiscard]] MutList<T, R> mut(std::vector<Tensor<T, R>>& tensors,
                                Location where = Location::current()) {
  std::vector<runtime::TensorState> states;
  states.reserve(tensors.size());
  for (const Tensor<T, R>& tensor : tensors) {
    states.push_back(runtime::TensorAccess::state(tensor, where));
  }
  return MutList<T, R>(std::move(states));
}

/// Divides each tensor of a list as `Tensor::partition` does. Throws LaunchError when one was moved
/// away.
template <element T, int R, std::size_t N>
  requires(N == R)
[[nodiscard]] PartitionList<T, R> partition(std::vector<Tensor<T, R>>&& tensors,
                                            runtime::Braced<AxisCut, N> cuts,
                                            Location where = Location::current()) {
  std::vector<runtime::TensorState> states;
  states.reserve(tensors.size());
  for (const Tensor<T, R>& tensor : tensors) {
    states.push_back(runtime::TensorAccess::state(tensor, where));
  }
  detail::Division division = detail::divide_list(states, cuts, where);
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i] = runtime::TensorAccess::take(tensors[i], "partition()", where);
  }
  return detail::PartitionAccess::make<PartitionList<T, R>>(std::move(states), std::move(division));
}

/// How many blocks a launch has that no output counts; made by `grid`.
template <int R>
struct BlockGrid {
  std::array<std::int64_t, static_cast<std::size_t>(R)> extents;
};

/// The argument for a `Grid` parameter: blocks along each axis, the last one innermost.
template <std::integral... I>
  requires(sizeof...(I) >= 1 && sizeof...(I) <= max_rank)
[[nodiscard]] constexpr BlockGrid<sizeof...(I)> grid(I... blocks) noexcept {
  return {{static_cast<std::int64_t>(blocks)...}};
}

template <element T, int R>
  requires runtime::is_rank<R>
template <std::size_t N>
  requires(N == R)
Partition<T, R> Tensor<T, R>::partition(runtime::Braced<AxisCut, N> cuts, Location where) && {
  const auto divide = [&](const Shape& extents) { return detail::divide(extents, cuts, where); };
  return detail::PartitionAccess::make<Partition<T, R>>(state_, divide, where);
}
template <element T, int R>
  requires runtime::is_rank<R>
template <class Ids, std::size_t N>
  requires(N == R)
Partition<T, R> Tensor<T, R>::partition(const Ids& ids, runtime::Braced<AxisCut, N> cuts,
                                        Location where) && {
  const auto divide = [&](const Shape& extents) {
    return detail::divide_rows(extents, detail::rows_of(ids, where), cuts, where);
  };
  return detail::PartitionAccess::make<Partition<T, R>>(state_, divide, where);
}

template <element T, int R>
  requires runtime::is_rank<R>
template <std::size_t N>
  requires(N == R)
LentPartition<T, R> Mut<T, R>::partition(runtime::Braced<AxisCut, N> cuts, Location where) && {
  const auto divide = [&](const Shape& extents) { return detail::divide(extents, cuts, where); };
  return detail::PartitionAccess::make<LentPartition<T, R>>(state_, divide, where);
}
template <element T, int R>
  requires runtime::is_rank<R>
template <class Ids, std::size_t N>
  requires(N == R)
LentPartition<T, R> Mut<T, R>::partition(const Ids& ids, runtime::Braced<AxisCut, N> cuts,
                                         Location where) && {
  const auto divide = [&](const Shape& extents) {
    return detail::divide_rows(extents, detail::rows_of(ids, where), cuts, where);
  };
  return detail::PartitionAccess::make<LentPartition<T, R>>(state_, divide, where);
}

}  // namespace tw::inline v0
