// SPDX-License-Identifier: Apache-2.0
#include "bytecode/entry_table.hpp"

#include <fmt/format.h>

namespace tw::inline v0::bytecode {

EntryTable::EntryTable(ByteReader& section, std::size_t offset_width, const char* what)
    : what_(what) {
  const std::size_t count = section.count(offset_width);
  section.align(offset_width);
  ByteReader offsets = section.part(count * offset_width);
  data_ = section.part(section.remaining());
  starts_.reserve(count + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t start = offsets.fixed(offset_width);
    const std::size_t previous = i == 0 ? 0 : starts_.back();
    if (start > data_->remaining() || start < previous || (i == 0 && start != 0)) {
      offsets.fail(fmt::format("the {} {} starts at {}, out of order", what, i, start));
    }
    starts_.push_back(static_cast<std::size_t>(start));
  }
  if (count == 0) data_->expect_end("an empty table");
  starts_.push_back(data_->remaining());
}

ByteReader EntryTable::entry(std::uint64_t index, const ByteReader& user) const {
  if (index >= size()) user.fail(fmt::format("there is no {} {}", what_, index));
  const auto at = static_cast<std::size_t>(index);
  ByteReader reader = *data_;
  reader.bytes(starts_[at]);
  return reader.part(starts_[at + 1] - starts_[at]);
}

}  // namespace tw::inline v0::bytecode
