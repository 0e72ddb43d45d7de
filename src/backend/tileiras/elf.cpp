// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/elf.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/byte_record.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

using Bytes = std::span<const std::byte>;

/// The bytes from `offset`; fewer or none where there are not so many.
Bytes part(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size()) return {};
  return bytes.subspan(static_cast<std::size_t>(offset),
                       static_cast<std::size_t>(std::min(size, bytes.size() - offset)));
}

std::string_view text_at(Bytes texts, std::uint64_t offset) {
  const Bytes rest = part(texts, offset, texts.size());
  const auto end = std::ranges::find(rest, std::byte{0});
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

struct Section {
  std::string_view name;
  std::uint64_t size = 0;  ///< also of one that has no bytes in the file
  Bytes bytes;
};

std::vector<Section> sections_of(Bytes file) {
  constexpr std::array magic = {std::byte{0x7f}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'},
                                std::byte{2}};  // the last: 64 bits
  constexpr std::uint64_t table_at = 0x28;
  constexpr std::uint64_t counts_at = 0x3a;
  constexpr std::uint64_t header_size = 64;
  constexpr std::uint32_t without_bytes = 8;
  if (!std::ranges::equal(part(file, 0, magic.size()), magic)) return {};
  const auto table = RecordReader(part(file, table_at, 8)).number<std::uint64_t>();
  RecordReader counts(part(file, counts_at, 6));
  counts.raw(2);
  const auto count = counts.number<std::uint16_t>();
  const auto names = counts.number<std::uint16_t>();

  std::vector<Section> sections;
  std::vector<std::uint32_t> name_offsets;
  for (std::uint64_t i = 0; i < count; ++i) {
    RecordReader header(part(file, table + i * header_size, header_size));
    name_offsets.push_back(header.number<std::uint32_t>());
    const auto type = header.number<std::uint32_t>();
    header.raw(16);  // flags and address
    const auto offset = header.number<std::uint64_t>();
    const auto size = header.number<std::uint64_t>();
    if (!header.is_whole()) return {};
    sections.push_back({{}, size, type == without_bytes ? Bytes() : part(file, offset, size)});
  }
  if (names >= sections.size()) return {};
  for (std::size_t i = 0; i < sections.size(); ++i) {
    sections[i].name = text_at(sections[names].bytes, name_offsets[i]);
  }
  return sections;
}

const Section* find(const std::vector<Section>& sections, std::string_view name) {
  const auto found = std::ranges::find(sections, name, &Section::name);
  return found == sections.end() ? nullptr : &*found;
}

/// The number of the symbol with this name.
std::optional<std::uint32_t> symbol_index(const std::vector<Section>& sections,
                                          std::string_view name) {
  constexpr std::size_t symbol_size = 24;
  const Section* symbols = find(sections, ".symtab");
  const Section* names = find(sections, ".strtab");
  if (symbols == nullptr || names == nullptr) return std::nullopt;
  for (std::size_t i = 0; (i + 1) * symbol_size <= symbols->bytes.size(); ++i) {
    RecordReader symbol(symbols->bytes.subspan(i * symbol_size, symbol_size));
    if (text_at(names->bytes, symbol.number<std::uint32_t>()) == name) {
      return static_cast<std::uint32_t>(i);
    }
  }
  return std::nullopt;
}

/// Attributes of `.nv.info`: a word of form, name and size or value, and for one form a payload.
enum class Info : std::uint8_t { block_threads = 0x10, frame_size = 0x11, registers = 0x2f };

template <class Visit>
void visit_infos(Bytes bytes, Visit&& visit) {
  constexpr std::uint8_t form_with_payload = 4;
  RecordReader reader(bytes);
  while (!reader.rest().empty() && reader.is_whole()) {
    const auto form = reader.number<std::uint8_t>();
    const auto name = reader.number<std::uint8_t>();
    const auto value = reader.number<std::uint16_t>();
    if (form != form_with_payload) continue;
    const Bytes payload = reader.raw(value);
    if (reader.is_whole()) visit(static_cast<Info>(name), RecordReader(payload));
  }
}

}  // namespace

std::optional<Resources> resources_of(std::span<const std::byte> cubin, std::string_view entry) {
  const std::vector<Section> sections = sections_of(cubin);
  const Section* of_all = find(sections, ".nv.info");
  const Section* of_entry = find(sections, ".nv.info." + std::string(entry));
  const std::optional<std::uint32_t> symbol = symbol_index(sections, entry);
  if (of_all == nullptr || of_entry == nullptr || !symbol) return std::nullopt;

  Resources resources;
  if (const Section* shared = find(sections, ".nv.shared." + std::string(entry))) {
    resources.shared_bytes = static_cast<std::uint32_t>(shared->size);
  }
  visit_infos(of_all->bytes, [&](Info name, RecordReader payload) {
    if (payload.number<std::uint32_t>() != *symbol) return;
    const auto value = payload.number<std::uint32_t>();
    if (name == Info::registers) resources.registers = value;
    if (name == Info::frame_size) resources.local_bytes = value;
  });
  visit_infos(of_entry->bytes, [&](Info name, RecordReader payload) {
    if (name == Info::block_threads) resources.threads = payload.number<std::uint32_t>();
  });
  return resources;
}

}  // namespace tw::inline v0::backend::tileiras
