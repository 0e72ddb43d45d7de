// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tilewright/ir/type.hpp>

#include "bytecode/entry_table.hpp"

namespace tw::inline v0::bytecode {

/// A list of extents or the like, each of `width` bytes.
Shape read_shape(ByteReader& in, std::size_t width);

/// The types of a file, each read when it is first asked for.
///
/// A type is made of simpler kinds of type than itself, and what it refers to is asked for by kind:
/// so no type can contain itself, whatever the file says.
class TypeReader {
 public:
  TypeReader(EntryTable entries, ReadContext& context)
      : entries_(std::move(entries)), types_(entries_.size()), context_(context) {}

  /// The type whose number comes next in `in`.
  const ir::Type& type(ByteReader& in);
  /// The same; throws ReadError unless it is an element type.
  ElementKind element(ByteReader& in);
  /// The same; throws ReadError unless it is a function's type.
  const ir::FunctionType& signature(ByteReader& in);

 private:
  const ir::Type& resolve(std::uint64_t index, const ByteReader& user);
  ir::Type decode(ByteReader entry);
  ir::Type composite(std::uint64_t tag, ByteReader& in);
  ir::Type tile(ByteReader& in);
  ir::Type partition_view(ByteReader& in);
  ir::Type strided_view(ByteReader& in);
  ir::Type gather_scatter_view(ByteReader& in);
  ir::Type function(ByteReader& in);

  ir::PointerType pointer_to(ByteReader& in);
  ir::TensorViewType tensor(ByteReader& in);
  ir::TensorViewType viewed(ByteReader& in);
  std::vector<ir::Type> types(ByteReader& in);
  bool flag(ByteReader& in, Version since);
  std::optional<ir::Padding> padding(ByteReader& in, bool present);
  std::vector<std::int32_t> axes(ByteReader& in);
  /// The tag of the type whose number comes next.
  std::uint64_t peek_tag(ByteReader in);

  EntryTable entries_;
  std::vector<ir::Type> types_;
  ReadContext& context_;
};

}  // namespace tw::inline v0::bytecode
