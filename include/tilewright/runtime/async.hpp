// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <tilewright/runtime/launch.hpp>
#include <tilewright/runtime/task.hpp>

namespace tw::inline v0 {

namespace detail {

template <class R>
Task<R> run_async(LaunchHandle launch, typename Launch<R>::Result result, StreamRef stream,
                  Executor& executor, Location where) {
  const Event launched = enqueue(std::move(launch), stream, where);
  co_await runtime::reached(launched, executor);
  wait(launched, where);
  if constexpr (!std::is_void_v<R>) co_return std::move(result);
}

}  // namespace detail

template <class R>
Task<R> Launch<R>::async(StreamRef stream, Location where) && {
  return std::move(*this).async(stream, completion_executor(), where);
}
template <class R>
Task<R> Launch<R>::async(StreamRef stream, Executor& executor, Location where) && {
  return detail::run_async<R>(std::move(state_), std::move(result_), stream, executor, where);
}

}  // namespace tw::inline v0
