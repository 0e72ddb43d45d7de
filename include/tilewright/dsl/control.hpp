// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <tilewright/dsl/tile.hpp>

namespace tw::inline v0 {

namespace detail {

class OpenLoop;      // the loop whose body is being traced
class OpenBranches;  // the branch whose sides are being traced

/// The end of a traced loop: the body runs once.
struct Done {};

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
    explicit Iterator(Range& range) : range_(&range) {}
    Int operator*() const { return Int(detail::Trusted{range_->open()}); }
    Iterator& operator++() {
      range_->close();
      return *this;
    }
    bool operator!=(detail::Done) const { return !range_->traced_; }

   private:
    Range* range_;
  };
  [[nodiscard]] Iterator begin();
  [[nodiscard]] detail::Done end() const { return {}; }

 private:
  detail::TileRef open();
  void close();

  detail::OpenLoop* loop_;
  bool traced_ = false;
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
    explicit Iterator(Loop& loop) : loop_(&loop) {}
    Loop& operator*() const {
      loop_->open();
      return *loop_;
    }
    Iterator& operator++() {
      loop_->close();
      return *this;
    }
    bool operator!=(detail::Done) const { return !loop_->traced_; }

   private:
    Loop* loop_;
  };
  [[nodiscard]] Iterator begin();
  [[nodiscard]] detail::Done end() const { return {}; }

 private:
  void open();
  void close();

  detail::OpenLoop* loop_;
  bool traced_ = false;
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
  [[nodiscard]] bool taken() const { return side_ == 0; }

  class Iterator {
   public:
    explicit Iterator(Branches& branches) : branches_(&branches) {}
    Branches& operator*() const { return *branches_; }
    Iterator& operator++() {
      branches_->advance();
      return *this;
    }
    bool operator!=(detail::Done) const { return branches_->side_ < 2; }

   private:
    Branches* branches_;
  };
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] detail::Done end() const { return {}; }

 private:
  void advance();

  detail::OpenBranches* branches_;
  int side_ = 0;
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
