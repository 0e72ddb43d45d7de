// SPDX-License-Identifier: Apache-2.0
#include <tilewright/backend/tileiras/cubin.hpp>

#include "core/byte_record.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

constexpr std::uint32_t format = 1;

void put(RecordWriter& writer, const std::string& text) {
  writer.number(std::uint32_t(text.size())).raw(std::as_bytes(std::span(text)));
}

std::string text_from(RecordReader& reader) {
  const auto bytes = reader.raw(reader.number<std::uint32_t>());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void put(RecordWriter& writer, const Remark& remark) {
  writer.number(static_cast<std::uint8_t>(remark.kind)).number(remark.op);
  for (const std::string* text : {&remark.name, &remark.text, &remark.instruction, &remark.shape}) {
    put(writer, *text);
  }
  writer.number(std::uint32_t(remark.reasons.size()));
  for (const std::string& reason : remark.reasons) put(writer, reason);
}

Remark remark_from(RecordReader& reader) {
  Remark remark;
  remark.kind = static_cast<Remark::Kind>(reader.number<std::uint8_t>());
  remark.op = reader.number<std::uint32_t>();
  for (std::string* text : {&remark.name, &remark.text, &remark.instruction, &remark.shape}) {
    *text = text_from(reader);
  }
  const auto reasons = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < reasons && reader.is_whole(); ++i) {
    remark.reasons.push_back(text_from(reader));
  }
  return remark;
}

constexpr std::uint32_t Resources::* resource_fields[] = {
    &Resources::threads, &Resources::registers, &Resources::shared_bytes, &Resources::local_bytes};

}  // namespace

std::vector<std::byte> to_bytes(const Cubin& cubin) {
  RecordWriter writer;
  writer.number(format);
  put(writer, cubin.entry);
  for (const auto field : resource_fields) writer.number(cubin.resources.*field);
  writer.number(std::uint32_t(cubin.remarks.size()));
  for (const Remark& remark : cubin.remarks) put(writer, remark);
  writer.number(std::uint64_t{cubin.bytes.size()}).raw(cubin.bytes);
  return writer.bytes();
}

Cubin cubin_from(std::span<const std::byte> bytes, Location where) {
  RecordReader reader(bytes);
  const bool is_ours = reader.number<std::uint32_t>() == format;
  Cubin cubin;
  cubin.entry = text_from(reader);
  for (const auto field : resource_fields) cubin.resources.*field = reader.number<std::uint32_t>();
  const auto remarks = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < remarks && reader.is_whole(); ++i) {
    cubin.remarks.push_back(remark_from(reader));
  }
  const auto code = reader.raw(reader.number<std::uint64_t>());
  cubin.bytes.assign(code.begin(), code.end());
  if (!is_ours || !reader.is_whole() || !reader.rest().empty()) {
    throw CompilerError("these bytes are no compiled kernel", where);
  }
  return cubin;
}

}  // namespace tw::inline v0::backend::tileiras
