// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <tilewright/core/element.hpp>

namespace tw::inline v0 {
namespace detail {

/// Stands for a member of unknown type while the members of an aggregate are counted.
struct AnyMember {
  template <class T>
  constexpr operator T() const noexcept;  // NOLINT(google-explicit-constructor)
};

/// How many members an aggregate has. A C array counts once for each of its elements.
template <class T, class... Members>
consteval std::size_t member_count() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; }) {
    return member_count<T, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

template <class T, std::size_t... Before, std::size_t... After>
consteval bool takes_pair(std::index_sequence<Before...>, std::index_sequence<After...>) {
  return requires {
    T{(static_cast<void>(Before), AnyMember{})...,
      {AnyMember{}, AnyMember{}},
      (static_cast<void>(After), AnyMember{})...};
  };
}

/// Whether the initialiser number `I` of the `Count` that `T` takes begins a C array: then two of
/// them may be in braces of their own, which leaves one initialiser too many.
template <class T, std::size_t Count, std::size_t I>
consteval bool begins_array() {
  if constexpr (I + 2 > Count) {
    return false;
  } else {
    constexpr auto before = std::make_index_sequence<I>{};
    return takes_pair<T>(before, std::index_sequence<>{}) &&
           !takes_pair<T>(before, std::make_index_sequence<Count - I - 1>{});
  }
}

template <class T, std::size_t... I>
consteval bool has_array(std::index_sequence<I...>) {
  return (begins_array<T, sizeof...(I), I>() || ...);
}

inline constexpr std::size_t max_constant_members = 16;

/// `use(member...)` with all members of an aggregate.
template <class T, class Use>
constexpr auto with_members(const T& value, Use&& use) {
  constexpr std::size_t count = member_count<T>();
  // clang-format off
  if constexpr (count == 0) { return use(); }
  else if constexpr (count == 1) { const auto& [a] = value; return use(a); }
  else if constexpr (count == 2) { const auto& [a, b] = value; return use(a, b); }
  else if constexpr (count == 3) { const auto& [a, b, c] = value; return use(a, b, c); }
  else if constexpr (count == 4) { const auto& [a, b, c, d] = value; return use(a, b, c, d); }
  else if constexpr (count == 5) { const auto& [a, b, c, d, e] = value; return use(a, b, c, d, e); }
  else if constexpr (count == 6) { const auto& [a, b, c, d, e, f] = value; return use(a, b, c, d, e, f); }
  else if constexpr (count == 7) { const auto& [a, b, c, d, e, f, g] = value; return use(a, b, c, d, e, f, g); }
  else if constexpr (count == 8) { const auto& [a, b, c, d, e, f, g, h] = value; return use(a, b, c, d, e, f, g, h); }
  else if constexpr (count == 9) { const auto& [a, b, c, d, e, f, g, h, i] = value; return use(a, b, c, d, e, f, g, h, i); }
  else if constexpr (count == 10) { const auto& [a, b, c, d, e, f, g, h, i, j] = value; return use(a, b, c, d, e, f, g, h, i, j); }
  else if constexpr (count == 11) { const auto& [a, b, c, d, e, f, g, h, i, j, k] = value; return use(a, b, c, d, e, f, g, h, i, j, k); }
  else if constexpr (count == 12) { const auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value; return use(a, b, c, d, e, f, g, h, i, j, k, l); }
  else if constexpr (count == 13) { const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value; return use(a, b, c, d, e, f, g, h, i, j, k, l, m); }
  else if constexpr (count == 14) { const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value; return use(a, b, c, d, e, f, g, h, i, j, k, l, m, n); }
  else if constexpr (count == 15) { const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value; return use(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o); }
  else if constexpr (count == 16) { const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value; return use(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); }
  // clang-format on
}

template <class T>
struct IsConstant;

template <class... T>
using AllConstants = std::bool_constant<(IsConstant<T>::value && ...)>;

/// Whether values of `T` can be told apart word by word, and kept as bytes.
template <class T>
consteval bool is_constant() {
  if constexpr (std::is_same_v<T, long double>) {
    return false;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || element<T>) {
    return true;
  } else if constexpr (std::is_empty_v<T> && std::is_trivially_copyable_v<T>) {
    return true;  // one value is like another, however it was made
  } else if constexpr (std::is_aggregate_v<T> && std::is_class_v<T> &&
                       std::is_trivially_copyable_v<T> && std::is_copy_assignable_v<T>) {
    // What cannot be assigned may hold a reference, whose value is not its own.
    constexpr std::size_t count = member_count<T>();
    if constexpr (count > max_constant_members || has_array<T>(std::make_index_sequence<count>{})) {
      return false;
    } else {
      return decltype(with_members(std::declval<const T&>(), [](const auto&... members) {
        return AllConstants<std::remove_cvref_t<decltype(members)>...>{};
      }))::value;
    }
  } else {
    return false;
  }
}

template <class T>
struct IsConstant : std::bool_constant<is_constant<T>()> {};
template <class T, std::size_t N>
struct IsConstant<std::array<T, N>> : IsConstant<T> {};

/// The words that tell one specialisation of a kernel from the others.
using KeyWords = std::vector<std::uint64_t>;

/// Appends the words that tell `value` from every other value of its type: floats by their bits.
template <class T>
constexpr void append_constant(KeyWords& key, const T& value) {
  if constexpr (std::is_same_v<T, float>) {
    key.push_back(std::bit_cast<std::uint32_t>(value));
  } else if constexpr (std::is_same_v<T, double>) {
    key.push_back(std::bit_cast<std::uint64_t>(value));
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    key.push_back(static_cast<std::uint64_t>(value));
  } else if constexpr (element<T>) {
    key.push_back(value.bits());
  } else if constexpr (std::is_empty_v<T>) {
    static_cast<void>(value);
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    for (const auto& each : value) append_constant(key, each);
  } else {
    with_members(value, [&](const auto&... members) { (append_constant(key, members), ...); });
  }
}

}  // namespace detail

/// A plain C++ value that a kernel may take as a constant of its specialisation: a number, an
/// enumerator, an empty class, or an aggregate (of at most 16 members, none a C array) or
/// std::array of such. Kernels are specialised for each value, and values are compared member by
/// member, floating-point numbers by their bits.
template <class T>
concept kernel_constant = detail::IsConstant<T>::value;

}  // namespace tw::inline v0
