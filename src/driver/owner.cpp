// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include <tilewright/core/log.hpp>
#include <tilewright/driver/owner.hpp>

namespace tw::inline v0::driver {
namespace {

/// Sends the failure of a call in a destructor to the log.
void log_failure(const Table& table, const char* call, Result result) noexcept {
  if (result == Result::success) return;
  try {
    table.fail(call, result, {});
  } catch (const std::exception& error) {
    write_log(LogLevel::error, error.what());
  }
}

/// Has `create` make a thing in the context, and owns it.
template <class Owned, class Handle, class... Parameters>
Owned make(const PrimaryContext& context, Location where,
           const Function<Handle*, Parameters...>& create, Parameters... parameters) {
  const CurrentContext current(context.table(), context.get(), where);
  Handle handle{};
  create(where, &handle, parameters...);
  return Owned(context, handle);
}

}  // namespace

CurrentContext::CurrentContext(const Table& table, ContextHandle context, Location where)
    : table_(&table) {
  table.ctx_push_current(where, context);
}

CurrentContext::~CurrentContext() {
  ContextHandle popped = nullptr;
  log_failure(*table_, table_->ctx_pop_current.name(), table_->ctx_pop_current.attempt(&popped));
}

PrimaryContext::PrimaryContext(const Table& table, DeviceNumber device, Location where)
    : table_(&table), device_(device) {
  table.primary_ctx_retain(where, &context_, device);
}

PrimaryContext::~PrimaryContext() {
  if (table_ == nullptr) return;
  const auto& release = table_->primary_ctx_release;
  log_failure(*table_, release.name(), release.attempt(device_));
}

ReleaseScope::ReleaseScope(const Table& table, ContextHandle context) noexcept : table_(&table) {
  const Result pushed = table.ctx_push_current.attempt(context);
  is_current_ = pushed == Result::success;
  report(table.ctx_push_current.name(), pushed);
}

ReleaseScope::~ReleaseScope() {
  if (!is_current_) return;
  ContextHandle popped = nullptr;
  report(table_->ctx_pop_current.name(), table_->ctx_pop_current.attempt(&popped));
}

void ReleaseScope::report(const char* call, Result result) const noexcept {
  log_failure(*table_, call, result);
}

Stream make_stream(const PrimaryContext& context, Location where) {
  return make<Stream>(context, where, context.table().stream_create, non_blocking_stream);
}

Event make_event(const PrimaryContext& context, unsigned flags, Location where) {
  return make<Event>(context, where, context.table().event_create, flags);
}

MemoryPool make_memory_pool(const PrimaryContext& context, std::uint64_t kept_bytes,
                            Location where) {
  const CurrentContext current(context.table(), context.get(), where);
  const PoolProperties properties{.location = {LocationType::device, context.device()}};
  auto pool = make<MemoryPool>(context, where, context.table().mem_pool_create, &properties);
  context.table().mem_pool_set_attribute(where, pool.get(), PoolAttribute::release_threshold,
                                         &kept_bytes);
  return pool;
}

Module load_module(const PrimaryContext& context, const void* image, Location where) {
  return make<Module>(context, where, context.table().module_load_data, image);
}

DeviceMemory allocate(const PrimaryContext& context, std::size_t bytes, Location where) {
  return make<DeviceMemory>(context, where, context.table().mem_alloc, bytes);
}

PinnedMemory allocate_pinned(const PrimaryContext& context, std::size_t bytes, Location where) {
  return make<PinnedMemory>(context, where, context.table().mem_host_alloc, bytes,
                            portable_host_memory | mapped_host_memory);
}

}  // namespace tw::inline v0::driver
