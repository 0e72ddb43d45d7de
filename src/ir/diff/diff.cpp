// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include <tilewright/ir/diff.hpp>

#include "ir/attribute_text.hpp"
#include "ir/diff/content_key.hpp"
#include "ir/diff/function_diff.hpp"
#include "ir/form_printer.hpp"

namespace tw::inline v0::ir {
namespace {

constexpr std::array<std::string_view, 7> harmless_names{
    "commuted operands", "order of promises", "sharing of constants", "sharing of values",
    "unused op",         "moved op",          "empty else",
};
static_assert(harmless_names.size() == static_cast<std::size_t>(HarmlessKind::empty_else) + 1);

DiffPlace place(const Module& module, const Function& function) {
  return DiffSide(module, function).place();
}

DiffPlace place(const Module& module, const Global& global) {
  return {symbol_text(global.name), module.locations[global.location], global_text(global)};
}

template <class Item>
using ByName = std::map<std::string_view, const Item*>;

template <class Item>
ByName<Item> by_name(const std::vector<Item>& items) {
  ByName<Item> found;
  for (const Item& each : items) found.emplace(each.name, &each);
  return found;
}

class ModuleDiff {
 public:
  ModuleDiff(const Module& left, const Module& right, const DiffOptions& options)
      : left_(left), right_(right), options_(options) {}

  Diff run() {
    const auto compare_global = [&](const Global& a, const Global& b) { globals(a, b); };
    const auto compare_function = [&](const Function& a, const Function& b) { functions(a, b); };
    pair(left_.globals, right_.globals, compare_global, "global");
    if (left_.functions.size() == 1 && right_.functions.size() == 1) {
      if (!found_.divergence) functions(left_.functions.front(), right_.functions.front());
    } else {
      pair(left_.functions, right_.functions, compare_function, "function");
    }
    return std::move(found_);
  }

 private:
  /// Compares what has the same name; what is on one side alone differs.
  template <class Item, class Compare>
  void pair(const std::vector<Item>& left, const std::vector<Item>& right, Compare compare,
            const char* what) {
    const ByName<Item> partners = by_name(right);
    const ByName<Item> own = by_name(left);
    for (const Item& each : left) {
      if (found_.divergence) return;
      const auto partner = partners.find(each.name);
      if (partner == partners.end()) {
        found_.divergence = Divergence{what, place(left_, each), {}};
      } else {
        compare(each, *partner->second);
      }
    }
    for (const Item& each : right) {
      if (found_.divergence) return;
      if (!own.contains(each.name)) found_.divergence = Divergence{what, {}, place(right_, each)};
    }
  }

  void functions(const Function& left, const Function& right) {
    FunctionDiff(left_, left, right_, right, options_, found_).run();
  }

  void globals(const Global& left, const Global& right) {
    const auto differ = [&](const char* what) {
      found_.divergence = Divergence{what, place(left_, left), place(right_, right)};
    };
    if (left.type != right.type) return differ("type");
    if (left.value != right.value) return differ("value");
    if (left.alignment != right.alignment) return differ("alignment");
    if (left.constant != right.constant) return differ("constant");
    if (left.visibility != right.visibility) return differ("visibility");
    if (place_key(left_, left.location, options_) != place_key(right_, right.location, options_)) {
      differ("source place");
    }
  }

  const Module& left_;
  const Module& right_;
  const DiffOptions& options_;
  Diff found_;
};

}  // namespace

std::string_view to_string(HarmlessKind kind) {
  return harmless_names.at(static_cast<std::size_t>(kind));
}

Diff diff(const Module& left, const Module& right, const DiffOptions& options) {
  return ModuleDiff(left, right, options).run();
}

}  // namespace tw::inline v0::ir
