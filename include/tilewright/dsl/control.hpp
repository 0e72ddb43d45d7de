// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <tilewright/dsl/tile.hpp>

namespace tw::inline v0 {

namespace detail {

/// A loop or branch of the user, held by the trace: its handles may outlive it.
struct ControlRef {
  std::uint32_t index = 0;
  std::uint32_t trace = 0;
  Location where;  ///< what made it
};

/// The end of a traced loop: the body runs once.
struct Done {};

// Each throws KernelError where its handle is used in another kernel, or not as a range-based for
// does.

/// Begins a walk of a loop.
TILEWRIGHT_API void walk_loop(const ControlRef& loop);
/// Opens the body of a loop. Gives the number of the iteration, if iterations have one.
TILEWRIGHT_API TileRef enter_loop(const ControlRef& loop);
TILEWRIGHT_API void leave_loop(const ControlRef& loop);
[[nodiscard]] TILEWRIGHT_API bool is_traced(const ControlRef& loop);

/// The side of a branch that is being traced: 0, then 1; 2 when both are.
[[nodiscard]] TILEWRIGHT_API int side_of(const ControlRef& branches);
TILEWRIGHT_API void next_side(const ControlRef& branches);

/// What a branch decides on.
template <class T, int... D>
const Bool& as_condition(const Tile<T, D...>& condition) {
  static_assert(std::is_same_v<T, bool>, "a condition is a Bool: compare the value with another");
  static_assert(sizeof...(D) == 0,
                "a condition is one Bool for all lanes: use tw::where, or item(any_of<0>(x))");
  return condition;
}

}  // namespace detail

/// The iterations of a counted device loop; made by `range`.
class TILEWRIGHT_API Range {
 public:
  Range(const Int& from, const Int& to, const Int& step, Location where);
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  ~Range();

  class Iterator {
   public:
    Int operator*() const { return Int(detail::Trusted{detail::enter_loop(loop_)}); }
    Iterator& operator++() {
      detail::leave_loop(loop_);
      return *this;
    }
    bool operator!=(detail::Done) const { return !detail::is_traced(loop_); }

   private:
    friend class Range;
    explicit Iterator(const detail::ControlRef& loop) : loop_(loop) {}

    detail::ControlRef loop_;
  };
  [[nodiscard]] Iterator begin() {
    detail::walk_loop(loop_);
    return Iterator(loop_);
  }
  [[nodiscard]] detail::Done end() const { return {}; }

 private:
  detail::ControlRef loop_;
};

/// `for (Int i : range(n))`: a loop of the device over 0, 1, ... n - 1. Its body is traced once;
/// variables
/// (`Var`) that it assigns are carried from one iteration to the next.
inline Range range(const Int& to, Location where = Location::current()) {
  return Range(Int(0, where), to, Int(1, where), where);
}
inline Range range(const Int& from, const Int& to, Location where = Location::current()) {
  return Range(from, to, Int(1, where), where);
}
/// The step must be positive: a constant that is not is an error, any other is checked on the
/// device.
inline Range range(const Int& from, const Int& to, const Int& step,
                   Location where = Location::current()) {
  return Range(from, to, step, where);
}

/// The body of an open-ended device loop; made by `loop`.
class TILEWRIGHT_API Loop {
 public:
  explicit Loop(Location where);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop();

  /// Leaves the loop where the condition holds, with the variables as they are here.
  void break_if(const Bool& condition, Location where = Location::current());
  /// Begins the next iteration where the condition holds. (C++'s `continue` cannot be seen by a
  /// trace.)
  void continue_if(const Bool& condition, Location where = Location::current());

  class Iterator {
   public:
    Loop& operator*() const {
      detail::enter_loop(ref_);  // throws when the loop is gone
      return *loop_;
    }
    Iterator& operator++() {
      detail::leave_loop(ref_);
      return *this;
    }
    bool operator!=(detail::Done) const { return !detail::is_traced(ref_); }

   private:
    friend class Loop;
    explicit Iterator(Loop& loop) : loop_(&loop), ref_(loop.loop_) {}

    Loop* loop_;
    detail::ControlRef ref_;
  };
  [[nodiscard]] Iterator begin() {
    detail::walk_loop(loop_);
    return Iterator(*this);
  }
  [[nodiscard]] detail::Done end() const { return {}; }

 private:
  detail::ControlRef loop_;
};

/// `for (auto& l : loop()) { l.break_if(done); ... }`: a device loop that only `break_if` ends.
inline Loop loop(Location where = Location::current()) { return Loop(where); }

/// Both sides of a device branch, traced in turn; `TW_IF` spells it.
class TILEWRIGHT_API Branches {
 public:
  Branches(const Bool& condition, Location where);
  template <class T, int... D>
  Branches(const Tile<T, D...>& condition, Location where)
      : Branches(detail::as_condition(condition), where) {}
  Branches(const Branches&) = delete;
  Branches& operator=(const Branches&) = delete;
  ~Branches();

  /// Whether the side being traced is the one taken when the condition holds.
  [[nodiscard]] bool taken() const { return detail::side_of(branches_) == 0; }

  class Iterator {
   public:
    Branches& operator*() const {
      (void)detail::side_of(ref_);  // throws when the branch is gone
      return *branches_;
    }
    Iterator& operator++() {
      detail::next_side(ref_);
      return *this;
    }
    bool operator!=(detail::Done) const { return detail::side_of(ref_) < 2; }

   private:
    friend class Branches;
    explicit Iterator(Branches& branches) : branches_(&branches), ref_(branches.branches_) {}

    Branches* branches_;
    detail::ControlRef ref_;
  };
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] detail::Done end() const { return {}; }

 private:
  detail::ControlRef branches_;
};

/// The same as a function, for code without macros.
template <class Then, class Else>
void if_(const Bool& condition, Then&& then, Else&& otherwise,
         Location where = Location::current()) {
  for (auto& branch : Branches(condition, where)) {
    if (branch.taken()) {
      std::forward<Then>(then)();
    } else {
      std::forward<Else>(otherwise)();
    }
  }
}
template <class Then>
void if_(const Bool& condition, Then&& then, Location where = Location::current()) {
  if_(condition, std::forward<Then>(then), [] {}, where);
}

}  // namespace tw::inline v0

/// A branch of the device: `TW_IF (c) ... else TW_IF (d) ... else ...`. Variables assigned on
/// either side are merged after it. `break`, `continue` and `return` cannot leave it: use
/// `break_if` and `continue_if`.
#define TW_IF(...) TILEWRIGHT_IF(TILEWRIGHT_JOIN(tw_branch_, __LINE__), __VA_ARGS__)

// Branches inside one another stand on lines of their own, so no name hides another.
#define TILEWRIGHT_JOIN(A, B) TILEWRIGHT_JOIN_EXPANDED(A, B)
#define TILEWRIGHT_JOIN_EXPANDED(A, B) A##B
#define TILEWRIGHT_IF(BRANCH, ...)                                                    \
  for (auto& BRANCH : ::tw::Branches(__VA_ARGS__, ::std::source_location::current())) \
    if (BRANCH.taken())
