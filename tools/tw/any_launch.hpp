// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <tilewright/ir/kernel.hpp>
#include <tilewright/runtime/any_tensor.hpp>
#include <tilewright/tilewright.hpp>

namespace tw::cli {

/// A launch of any kernel that gives its outputs back. Either member function uses it up.
class AnyLaunch {
 public:
  template <class R>
  AnyLaunch(Launch<R> launch)  // NOLINT(google-explicit-constructor)
      : held_(std::make_unique<Held<R>>(std::move(launch))) {}

  /// The kernel as it is recorded for these arguments, before any pass.
  [[nodiscard]] ir::Kernel record() && { return held_->record(); }
  /// Runs the launch and returns its outputs in the order of the kernel's parameters.
  [[nodiscard]] std::vector<AnyTensor> run() && { return held_->run(); }

 private:
  using Tensors = std::vector<AnyTensor>;

  struct Base {
    virtual ~Base() = default;
    virtual ir::Kernel record() = 0;
    virtual Tensors run() = 0;
  };

  template <class R>
  struct Held final : Base {
    explicit Held(Launch<R> launch) : launch_(std::move(launch)) {}
    ir::Kernel record() override { return std::move(launch_).record(); }
    Tensors run() override {
      Tensors tensors;
      append(tensors, std::move(launch_).sync());
      return tensors;
    }
    Launch<R> launch_;
  };

  template <class T, int R>
  static void append(Tensors& tensors, Tensor<T, R>&& tensor) {
    tensors.emplace_back(std::move(tensor));
  }
  template <class T, int R>
  static void append(Tensors& tensors, Partition<T, R>&& partition) {
    append(tensors, std::move(partition).join());
  }
  template <class... X>
  static void append(Tensors& tensors, Outputs<X...>&& outputs) {
    std::apply([&](auto&&... each) { (append(tensors, std::move(each)), ...); },
               std::move(outputs).join());
  }

  std::unique_ptr<Base> held_;
};

}  // namespace tw::cli
