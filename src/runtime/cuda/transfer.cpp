// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/transfer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include <tilewright/runtime/submit.hpp>

#include "runtime/cuda/device_command.hpp"
#include "runtime/cuda/gpu.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

/// How many blocks of a large upload are in flight.
constexpr std::size_t uploads_in_flight = 4;

struct UploadCommand {
  const driver::Table* table;
  Lease to;
  std::size_t offset;
  std::size_t bytes;
  StagingBlock from;
  Location where;

  void operator()(Execution& execution) {
    issue(execution, to, [&](driver::StreamHandle stream) {
      table->memcpy_to_device_async(where, address_of(to, offset), from.data(), bytes, stream);
    });
  }
};

/// Repeats a pattern of up to eight bytes.
struct FillCommand {
  const driver::Table* table;
  Lease to;
  std::array<std::byte, 8> pattern;
  std::size_t pattern_bytes;
  std::optional<StagingBlock> start;  ///< of what the driver cannot fill by itself
  Location where;

  void operator()(Execution& execution) {
    issue(execution, to,
          [&](driver::StreamHandle stream) { start ? double_up(stream) : set(stream); });
  }

  template <class Word>
  [[nodiscard]] Word word() const noexcept {
    Word value;
    std::memcpy(&value, pattern.data(), sizeof(Word));
    return value;
  }
  void set(driver::StreamHandle stream) const {
    const std::size_t count = to->bytes() / pattern_bytes;
    switch (pattern_bytes) {
      case 1:
        return table->memset_8_async(where, address_of(to), word<unsigned char>(), count, stream);
      case 2:
        return table->memset_16_async(where, address_of(to), word<unsigned short>(), count, stream);
      default:
        return table->memset_32_async(where, address_of(to), word<unsigned>(), count, stream);
    }
  }
  // What is filled already is copied behind itself until all is.
  void double_up(driver::StreamHandle stream) const {
    std::size_t filled = std::min(to->bytes(), start_bytes);
    table->memcpy_to_device_async(where, address_of(to), start->data(), filled, stream);
    while (filled < to->bytes()) {
      const std::size_t more = std::min(filled, to->bytes() - filled);
      table->memcpy_on_device_async(where, address_of(to, filled), address_of(to), more, stream);
      filled += more;
    }
  }

  static constexpr std::size_t start_bytes = std::size_t{16} << 10;
};

/// The shortest pattern that gives the same bytes.
std::size_t shortest_pattern(const std::byte* element, std::size_t bytes) noexcept {
  while (bytes > 1 && std::memcmp(element, element + bytes / 2, bytes / 2) == 0) bytes /= 2;
  return bytes;
}

}  // namespace

void upload(const StorageRef& to, const void* from, std::size_t bytes, CopyBytes copy,
            const StreamRef& stream, Location where) {
  Gpu& gpu = gpu_of(to->device(), where);
  const Use uses[] = {{to.get(), Access::write}};
  std::array<Event, uploads_in_flight> events;
  for (std::size_t offset = 0, block = 0; offset < bytes; ++block) {
    const std::size_t size = std::min(bytes - offset, Staging::block_bytes);
    events[block % uploads_in_flight].wait(where);
    StagingBlock staging = gpu.staging().take(size, where);
    copy(staging.data(), static_cast<const std::byte*>(from) + offset, size);
    events[block % uploads_in_flight] =
        submit(stream, uses,
               UploadCommand{&gpu.table(), Lease(to), offset, size, std::move(staging), where},
               RunOn::worker, where);
    offset += size;
  }
}

void fill(const StorageRef& to, const std::byte* element, std::size_t element_bytes,
          const StreamRef& stream, Location where) {
  if (to->bytes() == 0) return;
  Gpu& gpu = gpu_of(to->device(), where);
  FillCommand command{&gpu.table(), Lease(to), {}, shortest_pattern(element, element_bytes),
                      {},           where};
  std::memcpy(command.pattern.data(), element, command.pattern_bytes);
  if (command.pattern_bytes == 8) {
    StagingBlock& start =
        command.start.emplace(gpu.staging().take(FillCommand::start_bytes, where));
    for (std::size_t at = 0; at < FillCommand::start_bytes; at += 8) {
      std::memcpy(start.data() + at, element, 8);
    }
  }
  const Use uses[] = {{to.get(), Access::write}};
  submit(stream, uses, std::move(command), RunOn::worker, where);
}

void download(const Storage& from, std::size_t offset, std::size_t bytes, std::byte* to,
              Location where) {
  if (bytes == 0) return;
  const auto begin = reinterpret_cast<driver::DevicePointer>(detail::memory_of(from)) + offset;
  gpu_of(from.device(), where).lanes().copy(begin, bytes, to, where);
}

}  // namespace tw::inline v0::runtime::cuda
