// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tilewright/dsl/unsafe/pointer.hpp>

#include "dsl/box.hpp"

namespace tw::inline v0::unsafe::detail {

using tw::detail::Box;
using tw::detail::BoxAxis;
using tw::detail::Boxes;
using tw::detail::BoxRef;
using tw::detail::Scalars;
using tw::detail::Trace;

TileRef base(const BoxRef& ref, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box& box = boxes.box(ref, where);
  boxes.note_store(box);  // by what is done with the address
  const Scalars scalars(boxes, where);
  ir::Value address = box.base;
  for (const BoxAxis& axis : box.axes) {
    if (!axis.fixed) continue;
    ir::Value elements = boxes.to_index(axis.fixed, where);
    if (axis.stride) elements = scalars.multiply(elements, axis.stride);
    ir::Builder& builder = scalars.builder();
    address = builder.simple(Opcode::offset, builder.type(address), {address, elements});
  }
  return boxes.trace().make(address, box.dtype, {}, where);
}

TileRef stride(const BoxRef& ref, int axis, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box& box = boxes.box(ref, where);
  const auto of_tensor = static_cast<std::size_t>(box.visible[static_cast<std::size_t>(axis)]);
  const ir::Value elements = box.axes[of_tensor].stride;
  if (!elements) return tw::detail::constant(1, DType::int64, where);
  return tw::detail::convert(boxes.as_index(elements, where), DType::int64, rounding::standard,
                             where);
}

std::string add_global(DType dtype, std::span<const std::uint64_t> patterns,
                       std::uint64_t alignment, bool constant, Location where) {
  Trace& trace = Trace::current(where);
  const ElementKind kind = element_kind(dtype);
  std::vector<ir::Global>& globals = trace.kernel().module.globals;
  std::string name = fmt::format("global_{}", globals.size());
  globals.push_back({.name = name,
                     .type = ir::tile_type(kind, {static_cast<std::int64_t>(patterns.size())}),
                     .value = ir::dense(kind, {patterns.begin(), patterns.end()}),
                     .alignment = alignment != 0 ? alignment : storage_bytes(dtype),
                     .constant = constant,
                     .visibility = ir::Visibility::private_,
                     .location = trace.at(where).location()});
  return name;
}

}  // namespace tw::inline v0::unsafe::detail
