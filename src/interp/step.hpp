// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "interp/frame.hpp"

namespace tw::inline v0::interp {

/// Where control goes after a step.
enum class Flow : std::uint8_t { next, break_, continue_, return_ };

/// One action of a prepared kernel. All that can be known before the run (where operands lie, how
/// many elements they have, which instructions suit the machine) is fixed inside it.
class Step {
 public:
  Step() = default;
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  virtual ~Step() = default;
  virtual Flow run(Frame& frame) const = 0;
};

using Steps = std::vector<std::unique_ptr<const Step>>;

/// A step that calls `Action`, a function of the frame that gives a Flow, or nothing to go on.
template <class Action>
class ActionStep final : public Step {
 public:
  explicit ActionStep(Action action) : action_(std::move(action)) {}
  Flow run(Frame& frame) const override {
    if constexpr (std::is_void_v<std::invoke_result_t<const Action&, Frame&>>) {
      action_(frame);
      return Flow::next;
    } else {
      return action_(frame);
    }
  }

 private:
  Action action_;
};

/// Runs steps until one of them leaves the straight line.
inline Flow run(const Steps& steps, Frame& frame) {
  for (const auto& step : steps) {
    if (const Flow flow = step->run(frame); flow != Flow::next) return flow;
  }
  return Flow::next;
}

}  // namespace tw::inline v0::interp
