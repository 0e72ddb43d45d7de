// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/copy.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <tilewright/runtime/submit.hpp>
#include <tilewright/runtime/transfer.hpp>

#include "runtime/cuda/device_command.hpp"
#include "runtime/cuda/gpu.hpp"
#include "runtime/element_copy.hpp"
#include "runtime/frozen_part.hpp"
#include "runtime/queue.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

/// Memory of the host that a copy goes through: pinned, but for large ones, for which the driver
/// has its own way.
class HostBuffer {
 public:
  HostBuffer(Gpu& gpu, std::size_t bytes, Location where) {
    if (bytes <= Staging::block_bytes) {
      pinned_.emplace(gpu.staging().take(bytes, where));
    } else {
      plain_.resize(bytes);
    }
  }
  [[nodiscard]] std::byte* data() noexcept { return pinned_ ? pinned_->data() : plain_.data(); }

 private:
  std::optional<StagingBlock> pinned_;
  std::vector<std::byte> plain_;
};

/// One tensor of a copy, while it is in flight.
struct End {
  Lease storage;
  Layout layout;

  explicit End(const TensorState& tensor) : storage(tensor.storage), layout(tensor.layout) {}
  [[nodiscard]] driver::DevicePointer address() const noexcept {
    return address_of(storage, static_cast<std::size_t>(layout.offset));
  }
};

/// Between tensors of GPUs, in row-major order without gaps.
struct DeviceCopy {
  const driver::Table* table;
  End to;
  End from;
  std::size_t bytes;
  Location where;

  void operator()(Execution& execution) {
    issue(execution, to.storage, [&](driver::StreamHandle stream) {
      table->memcpy_on_device_async(where, to.address(), from.address(), bytes, stream);
    });
  }
};

/// From the CPU to a tensor of a GPU in row-major order: what the CPU has to do comes at once.
struct CopyToDevice {
  const driver::Table* table;
  End to;
  End from;
  Layout packed;
  std::size_t bytes;
  HostBuffer buffer;
  Location where;

  void operator()(Execution& execution) {
    copy_elements(buffer.data(), packed, detail::memory_of(*from.storage), from.layout);
    issue(execution, to.storage, [&](driver::StreamHandle stream) {
      table->memcpy_to_device_async(where, to.address(), buffer.data(), bytes, stream);
    });
  }
};

/// From a tensor of a GPU in row-major order to the CPU, which does its part at the end.
struct CopyToHost {
  const driver::Table* table;
  End to;
  End from;
  Layout packed;
  std::size_t bytes;
  HostBuffer buffer;
  Location where;
  bool issued = false;

  void operator()(Execution& execution) {
    issue(execution, to.storage, [&](driver::StreamHandle stream) {
      table->memcpy_to_host_async(where, buffer.data(), from.address(), bytes, stream);
      issued = true;
    });
  }
  void settle(Execution&) {
    if (!issued) return;
    copy_elements(detail::memory_of(*to.storage), to.layout, buffer.data(), packed);
  }
};

/// A copy that somebody is to enqueue.
struct Request {
  const TensorState& to;
  const TensorState& from;
  const StreamRef& stream;
  Location where;

  [[nodiscard]] bool to_cpu() const noexcept { return to.storage->device() == Device::cpu(); }
  [[nodiscard]] bool from_cpu() const noexcept { return from.storage->device() == Device::cpu(); }
  [[nodiscard]] Device gpu() const noexcept { return (to_cpu() ? from : to).storage->device(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return download_bytes(from); }
  [[nodiscard]] Layout packed() const {
    return row_major(from.layout.dtype, from.layout.extents, where);
  }
  void submit(Command command) const {
    const detail::TensorGeometry target = geometry_of(*to.storage, to.layout);
    const Use uses[] = {{to.storage.get(), Access::write, nullptr, &target},
                        {from.storage.get(), Access::read}};
    runtime::submit(stream, uses, std::move(command), RunOn::worker, where);
  }
};

/// Waits for what a GPU still has to write to memory of the CPU, where the order of streams does
/// not hold it: the host has a part in it.
void await_gpu_writes(const Storage& storage) noexcept {
  const Mark mark = storage.ledger().last_write();
  Queue* queue = Queue::find(mark.queue());
  if (queue != nullptr && queue->device() != Device::cpu()) queue->wait(mark.ticket());
}

/// A tensor in row-major order on the same device, of unspecified contents.
TensorState packed_like(const Request& copy, Device device) {
  return allocate(copy.from.layout.dtype, copy.from.layout.extents, device, copy.where);
}

void copy_on_gpu(const Request& copy) {
  const Location where = copy.where;
  const Device to = copy.to.storage->device();
  const Device from = copy.from.storage->device();
  if (is_row_major(copy.to.layout) && is_row_major(copy.from.layout)) {
    const driver::Table& table = gpu_of(to, where).table();
    copy.submit(DeviceCopy{&table, End(copy.to), End(copy.from), copy.bytes(), where});
  } else if (to == from && copy.stream.device(where) == to) {
    copy_by_kernel(copy.to, copy.from, copy.stream, where);
  } else {
    // Each GPU sees to its own tensor.
    const TensorState there = packed_like(copy, from);
    copy_with_gpu(there, copy.from, current_stream(from, where), where);
    const TensorState here = packed_like(copy, to);
    copy_on_gpu({here, there, copy.stream, where});
    copy_with_gpu(copy.to, here, current_stream(to, where), where);
  }
}

void copy_to_gpu(const Request& copy) {
  if (!is_row_major(copy.to.layout)) {
    const TensorState between = packed_like(copy, copy.gpu());
    copy_to_gpu({between, copy.from, copy.stream, copy.where});
    return copy_on_gpu({copy.to, between, copy.stream, copy.where});
  }
  await_gpu_writes(*copy.from.storage);
  Gpu& gpu = gpu_of(copy.gpu(), copy.where);
  const std::size_t bytes = copy.bytes();
  copy.submit(CopyToDevice{&gpu.table(), End(copy.to), End(copy.from), copy.packed(), bytes,
                           HostBuffer(gpu, bytes, copy.where), copy.where});
}

void copy_to_cpu(const Request& copy) {
  if (!is_row_major(copy.from.layout)) {
    const TensorState between = packed_like(copy, copy.gpu());
    copy_on_gpu({between, copy.from, copy.stream, copy.where});
    return copy_to_cpu({copy.to, between, copy.stream, copy.where});
  }
  await_gpu_writes(*copy.to.storage);
  Gpu& gpu = gpu_of(copy.gpu(), copy.where);
  const std::size_t bytes = copy.bytes();
  copy.submit(CopyToHost{&gpu.table(), End(copy.to), End(copy.from), copy.packed(), bytes,
                         HostBuffer(gpu, bytes, copy.where), copy.where});
}

}  // namespace

void copy_with_gpu(const TensorState& to, const TensorState& from, const StreamRef& stream,
                   Location where) {
  const Request copy{to, from, stream, where};
  const bool any_on_gpu = !copy.to_cpu() || !copy.from_cpu();
  if (from.layout.size() == 0) return;
  if (any_on_gpu != (stream.device(where) != Device::cpu())) {
    const Device device = any_on_gpu ? copy.gpu() : Device::cpu();
    const StreamRef proper = current_stream(device, where);
    proper.wait(stream.record(where), where);
    enqueue_copy(to, from, proper, where);
    stream.wait(proper.record(where), where);
  } else if (copy.to_cpu()) {
    copy_to_cpu(copy);
  } else if (copy.from_cpu()) {
    copy_to_gpu(copy);
  } else {
    copy_on_gpu(copy);
  }
}

}  // namespace tw::inline v0::runtime::cuda
