// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include <tilewright/core/float_conversion.hpp>

#include "interp/integers.hpp"
#include "interp/memory_access.hpp"
#include "interp/order.hpp"
#include "interp/preparation.hpp"
#include "interp/rules.hpp"
#include "interp/window.hpp"

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;

/// An extent, a stride or the base of a tensor view: fixed by the type or an operand.
struct ViewWord {
  std::uint64_t fixed = 0;
  Slot slot;
  std::size_t bytes = 0;  ///< of the operand; none for a fixed word

  [[nodiscard]] std::uint64_t read(const Frame& frame) const {
    return bytes == 0 ? fixed : read_bits(frame.at<const std::byte>(slot), bytes);
  }
};

void append_words(const Preparation& preparation, const Shape& shape,
                  std::span<const ir::Value> given, std::vector<ViewWord>& words) {
  auto next = given.begin();
  for (const std::int64_t value : shape) {
    if (value == ir::dynamic) {
      words.push_back({0, preparation.slot(*next), preparation.element_bytes(*next)});
      ++next;
    } else {
      words.push_back({static_cast<std::uint64_t>(value), {}, 0});
    }
  }
}

void make_view(Preparation& preparation, const ir::Op& op) {
  const auto& type = *preparation.type(op.result()).as<ir::TensorViewType>();
  std::vector<ViewWord> words{{0, preparation.slot(op.operands[0]), sizeof(std::uint64_t)}};
  append_words(preparation, type.shape, op.group(1), words);
  append_words(preparation, type.strides, op.group(2), words);
  const Slot to = preparation.slot(op.result());
  preparation.add([to, words = std::move(words)](Frame& frame) {
    auto* word = frame.at<std::uint64_t>(to);
    for (const ViewWord& source : words) *word++ = source.read(frame);
  });
}

/// Appends the steps that write one integer an axis: `tiles_of` an extent.
void add_shape(Preparation& preparation, const ir::Op& op, const std::vector<TilingAxis>& axes) {
  const Slot view = preparation.slot(op.operands[0]);
  const std::size_t rank = axes.size();
  for (std::size_t k = 0; k < rank; ++k) {
    const Slot to = preparation.slot(op.results[k]);
    const std::size_t axis = axes[k].tensor_axis;
    const auto step = static_cast<std::uint64_t>(axes[k].step);
    with_integer(preparation.tile(op.results[k]).kind(), [&]<class I>() {
      preparation.add([=](Frame& frame) {
        const std::uint64_t extent = TensorView(frame, view, rank).extent(axis);
        const std::uint64_t tiles = extent / step + (extent % step != 0);
        *frame.at<typename I::Storage>(to) = I::wrap(static_cast<typename I::Work>(tiles));
      });
    });
  }
}

void index_space_shape(Preparation& preparation, const ir::Op& op) {
  add_shape(preparation, op, tiling_of(preparation.type(op.operands[0])));
}

void tensor_shape(Preparation& preparation, const ir::Op& op) {
  std::vector<TilingAxis> axes;
  for (std::size_t k = 0; k < op.results.size(); ++k) axes.push_back({1, k, 1});
  add_shape(preparation, op, axes);
}

/// The arena's bits of what a load reads outside the tensor.
std::uint64_t padding_bits(const ir::Type& view) {
  const ElementKind kind = ir::viewed_tensor(view).element;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto of_float = [&](double value) {
    return to_storage(
        numeric::encode(value, kind, Rounding::nearest_even, numeric::Overflow::special), kind);
  };
  switch (ir::view_padding(view).value_or(ir::Padding::zero)) {
    case ir::Padding::zero:
      return info(kind).is_float() ? of_float(0.0) : 0;
    case ir::Padding::neg_zero:
      return of_float(-0.0);
    case ir::Padding::nan:
      return of_float(std::numeric_limits<double>::quiet_NaN());
    case ir::Padding::pos_inf:
      return of_float(infinity);
    case ir::Padding::neg_inf:
      return of_float(-infinity);
  }
  return 0;
}

template <class Access>
void load_row(typename Access::Storage* tile, std::uint64_t base, const Window::Row& row) {
  if (Access::is_plain_copy && row.stride == 1) {
    std::memcpy(tile, element_at<typename Access::Storage>(base, row.first),
                static_cast<std::size_t>(row.count) * sizeof(*tile));
    return;
  }
  for (std::int64_t k = 0; k < row.count; ++k) {
    tile[k] = Access::load(base, row.first + k * row.stride);
  }
}

template <class Access>
void store_row(const typename Access::Storage* tile, std::uint64_t base, const Window::Row& row) {
  if (Access::is_plain_copy && row.stride == 1) {
    std::memcpy(element_at<typename Access::Storage>(base, row.first), tile,
                static_cast<std::size_t>(row.count) * sizeof(*tile));
    return;
  }
  for (std::int64_t k = 0; k < row.count; ++k) {
    Access::store(base, row.first + k * row.stride, tile[k]);
  }
}

void load_view(Preparation& preparation, const ir::Op& op) {
  const ir::Value view = op.operands[0];
  const ElementKind kind = ir::viewed_tensor(preparation.type(view)).element;
  const std::uint64_t padding = padding_bits(preparation.type(view));
  const Slot to = preparation.slot(op.result());
  with_access(kind, is_ordered_access(op), [&]<class Access>() {
    using Storage = typename Access::Storage;
    preparation.add([=, window = Window(preparation, view, op.group(1))](Frame& frame) {
      auto* tile = frame.at<Storage>(to);
      window.visit(
          frame,
          [&](std::uint64_t base, const Window::Row& row) {
            load_row<Access>(tile + row.tile, base, row);
          },
          [&](std::int64_t first, std::int64_t count) {
            std::fill_n(tile + first, count, static_cast<Storage>(padding));
          });
    });
  });
}

void store_view(Preparation& preparation, const ir::Op& op) {
  const ir::Value view = op.operands[1];
  const ElementKind kind = ir::viewed_tensor(preparation.type(view)).element;
  const Slot from = preparation.slot(op.operands[0]);
  with_access(kind, is_ordered_access(op), [&]<class Access>() {
    preparation.add([=, window = Window(preparation, view, op.group(2))](Frame& frame) {
      const auto* tile = frame.at<const typename Access::Storage>(from);
      window.visit(
          frame,
          [&](std::uint64_t base, const Window::Row& row) {
            store_row<Access>(tile + row.tile, base, row);
          },
          [](std::int64_t, std::int64_t) {});
    });
  });
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{get_index_space_shape, index_space_shape},
    OpRule{get_tensor_shape, tensor_shape},
    OpRule{load_view_tko, load_view},
    OpRule{make_tensor_view, make_view},
    OpRule{store_view_tko, store_view},
};

}  // namespace

std::span<const OpRule> view_rules() { return rules; }

}  // namespace tw::inline v0::interp
