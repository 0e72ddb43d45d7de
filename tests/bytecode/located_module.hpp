// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ir/make_value.hpp"

namespace tw::ir {

/// A module with one of each kind of debug info: a place in the kernel's file, one in another file,
/// and one in a block of a function whose call was inlined.
inline Module located_module() {
  Module module;
  LocationTable& places = module.locations;
  Function function{.name = "k"};
  function.location = places.add(SourcePlace{"src/k.cpp", 3, 6});
  Builder builder(function);
  builder.at(places.add(SourcePlace{"src/k.cpp", 4, 10}));
  builder.integer(ElementKind::i32, 1);
  builder.at(places.add(SourcePlace{"/h.hpp", 9, 2}));
  builder.integer(ElementKind::i32, 2);
  const ScopeId helper = places.add(SourceScope{.file = "src/h.cpp",
                                                .line = 20,
                                                .name = "helper",
                                                .linkage_name = "_helper",
                                                .body_line = 21,
                                                .unit = "src/k.cpp"});
  const ScopeId block =
      places.add(SourceScope{.file = "src/h.cpp", .line = 22, .column = 3, .parent = helper});
  const LocationId call = places.add(SourcePlace{"src/k.cpp", 5, 7});
  builder.at(places.add(
      SourcePlace{.file = "src/h.cpp", .line = 23, .column = 5, .scope = block, .caller = call}));
  builder.integer(ElementKind::i32, 3);
  builder.at(LocationId::unknown);
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

}  // namespace tw::ir
