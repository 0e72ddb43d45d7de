// SPDX-License-Identifier: Apache-2.0
#include "dsl/trace.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include <tilewright/core/float_conversion.hpp>

#include "core/per_thread.hpp"

namespace tw::inline v0::detail {
namespace {

TILEWRIGHT_FOUND_AT_ONCE thread_local Trace* active_trace = nullptr;
std::atomic<std::uint32_t> trace_count{0};

/// What the IR allows, as its extents are stored.
constexpr std::int64_t max_tile_elements = std::int64_t{1} << 24;

bool fits_a_tile(const Shape& shape) {
  std::int64_t room = max_tile_elements;
  for (const std::int64_t extent : shape) {
    if (extent > room) return false;
    const auto positive = static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 1));
    room /= static_cast<std::int64_t>(std::bit_ceil(positive));
  }
  return true;
}

}  // namespace

// --- variables

void Slots::add(Slot& slot) {
  slot.number_ = ++count_;
  slot.previous_ = head_.previous_;
  slot.next_ = &head_;
  head_.previous_->next_ = &slot;
  head_.previous_ = &slot;
}

void Slots::remove(Slot& slot) {
  slot.previous_->next_ = slot.next_;
  slot.next_->previous_ = slot.previous_;
  slot.previous_ = slot.next_ = &slot;
}

std::vector<std::uint32_t> Slots::alive() {
  std::vector<std::uint32_t> numbers;
  for (Slot* slot = head_.next_; slot != &head_; slot = slot->next_) {
    numbers.push_back(slot->number_);
  }
  return numbers;
}

TileRef* Slots::tile(std::uint32_t number) {
  for (Slot* slot = head_.next_; slot != &head_; slot = slot->next_) {
    if (slot->number_ == number) return slot->tile_;
  }
  return nullptr;
}

std::vector<TileRef*> Slots::tiles_of(std::uint32_t region) {
  std::vector<TileRef*> tiles;
  for (Slot* slot = head_.next_; slot != &head_; slot = slot->next_) {
    if (slot->region_ == region) tiles.push_back(slot->tile_);
  }
  return tiles;
}

Slot::Slot(TileRef& tile, Location where) : tile_(&tile), previous_(this), next_(this) {
  Trace& trace = Trace::current(where);
  tile = trace.usable(tile, where);
  region_ = trace.region();
  trace.slots().add(*this);
}

Slot::~Slot() { Slots::remove(*this); }

void Slot::assign(const TileRef& next, Location where) {
  Trace& trace = Trace::current(where);
  if (tile_->trace != trace.number()) {
    trace.error("this variable belongs to another kernel", where);
    return;
  }
  // One that has survived its region begins anew.
  if (!trace.is_open(region_)) region_ = trace.region();
  if (next.shape != tile_->shape) {
    trace.error(fmt::format("a variable of shape {} cannot become {}", to_string(tile_->shape),
                            to_string(next.shape)),
                where);
    return;
  }
  *tile_ = trace.usable(next, where);
}

// --- the trace

Trace::Trace(ir::Kernel& kernel)
    : kernel_(kernel), builder_(kernel.entry()), outer_(active_trace), number_(++trace_count) {
  open_.push_back({0, RegionKind::kernel, 0, {}});
  is_open_.push_back(true);
  active_trace = this;  // once nothing can fail, as only the destructor ends it
}

Trace::~Trace() { active_trace = outer_; }

Trace* Trace::active() { return active_trace; }

Trace& Trace::current(Location where) {
  if (active_trace == nullptr) {
    throw KernelError("tile operations only exist inside a kernel", where);
  }
  return *active_trace;
}

void Trace::error(std::string message, CodePlace where, std::vector<Diagnostic::Note> notes) {
  errors_.push_back({std::move(message), std::move(where), std::move(notes)});
}

void Trace::fail(std::string message, CodePlace where, std::vector<Diagnostic::Note> notes) {
  error(std::move(message), std::move(where), std::move(notes));
  throw TraceEnded({errors_.back()});
}

ir::Builder& Trace::at(Location where) {
  builder_.at(kernel_.module.locations.add(where));
  return builder_;
}

ir::Value Trace::use(const TileRef& tile, Location where) {
  if (tile.trace != number_) {
    error("this tile belongs to another kernel", where);
    return ir::Value{poison(tile.dtype, tile.shape, where).value};
  }
  const Origin& origin = origins_[tile.value];
  if (!is_open_[origin.region]) {
    error("this tile was made inside a loop or branch that has ended: carry it out in a tw::Var",
          where, {{"made here", tile.where}});
    return ir::Value{poison(tile.dtype, tile.shape, where).value};
  }
  return ir::Value{tile.value};
}

bool Trace::may_use(const TileRef& tile) const {
  return tile.trace == number_ && is_open_[origins_[tile.value].region];
}

std::vector<std::uint32_t> Trace::variables() {
  std::vector<std::uint32_t> usable = slots_.alive();
  std::erase_if(usable, [&](std::uint32_t variable) { return !may_use(*slots_.tile(variable)); });
  return usable;
}

TileRef Trace::usable(const TileRef& tile, Location where) {
  TileRef usable = tile;
  usable.value = use(tile, where).index;
  usable.trace = number_;
  return usable;
}

TileRef Trace::make(ir::Value value, DType dtype, Shape shape, Location where) {
  if (origins_.size() <= value.index) origins_.resize(value.index + 1);
  Origin& origin = origins_[value.index];
  if (!origin.known) origin = {region_of(value), true};
  if (!fits_a_tile(shape)) {
    error(fmt::format("a tile of {} has more than the {} elements that a tile may have",
                      to_string(shape), max_tile_elements),
          where);
    return poison(dtype, Shape::filled(shape.size(), 1), where);
  }
  return {value.index, number_, dtype, std::move(shape), where};
}

TileRef Trace::poison(DType dtype, const Shape& shape, Location where) {
  return make(at(where).constant(element_kind(dtype), 0, stored_shape(shape)), dtype, shape, where);
}

std::uint32_t Trace::region_of(ir::Value value) const {
  const auto is_inside = [&](const OpenRegion& region) {
    return region.first_value <= value.index;
  };
  return std::find_if(open_.rbegin(), open_.rend(), is_inside)->number;
}

std::uint32_t Trace::open_region(ir::Block& block, RegionKind kind, Location where) {
  builder_.enter(block);
  const auto number = static_cast<std::uint32_t>(is_open_.size());
  open_.push_back({number, kind, static_cast<std::uint32_t>(function().types.size()), where});
  is_open_.push_back(true);
  return number;
}

void Trace::leave_innermost() {
  const std::uint32_t region = open_.back().number;
  builder_.leave();
  // A variable that survives the region it was made in names nothing: whatever it was set to, it
  // was set there, in some iterations or launches only.
  for (TileRef* tile : slots_.tiles_of(region)) {
    const ir::Value nothing = function().fresh(function().type(ir::Value{tile->value}));
    tile->value = make(nothing, tile->dtype, tile->shape, tile->where).value;
  }
  is_open_[region] = false;
  open_.pop_back();
}

void Trace::close_region(std::uint32_t region) {
  const OpenRegion inner = open_.back();
  if (inner.number != region) {
    fail(inner.kind == RegionKind::combiner
             ? "a combiner is pure scalar code: the end of a loop or branch cannot be part of it"
             : "this loop or branch is still open where the one around it ends: walk it by a "
               "range-based for",
         inner.where);
  }
  leave_innermost();
}

void Trace::abandon_region(std::uint32_t region) {
  while (is_open_[region]) leave_innermost();
}

void Trace::left_by_exception(std::string message, Location where) {
  unwound_.push_back({std::move(message), where, {}});
}

void Trace::finish() {
  for (Diagnostic& left : unwound_) errors_.push_back(std::move(left));
  for (const OpenRegion& region : open_) {
    if (region.kind == RegionKind::kernel) continue;
    error("this loop or branch is never closed: walk it by a range-based for", region.where);
  }
}

std::uint32_t Trace::keep(std::unique_ptr<Construct> construct) {
  constructs_.push_back(std::move(construct));
  return static_cast<std::uint32_t>(constructs_.size() - 1);
}

bool Trace::only_branches_inside(std::uint32_t region) const {
  for (std::size_t i = open_.size(); i-- > 0;) {
    if (open_[i].number == region) return true;
    if (open_[i].kind != RegionKind::branch) return false;
  }
  return false;
}

void Trace::refuse_in_combiner(std::string_view what, Location where) {
  for (const OpenRegion& region : open_) {
    if (region.kind != RegionKind::combiner) continue;
    error(fmt::format("a combiner is pure scalar code: {} cannot be part of it", what), where);
    return;
  }
}

std::int64_t Trace::add_site(ir::Site site) {
  kernel_.module.sites.push_back(std::move(site));
  return static_cast<std::int64_t>(kernel_.module.sites.size()) - 1;
}

void Trace::check_bounds(ir::Site site, ir::Value condition, ir::Value index, ir::Value bound,
                         Location where) {
  ir::Builder& builder = at(where);
  site.location = builder.location();
  const std::int64_t row = add_site(std::move(site));
  ir::OpDraft draft(ir::Opcode::check, builder.location());
  draft.operand(condition).operand(index).operand(bound).set(ir::AttributeName::site, row);
  builder.append(draft, {});
}

std::optional<std::int64_t> Trace::known_integer(ir::Value value) const {
  return value.index < origins_.size() ? origins_[value.index].number : std::nullopt;
}

void Trace::note_integer(const TileRef& tile, std::int64_t number) {
  origins_[tile.value].number = number;
}

// --- shapes and numbers

Shape stored_shape(const Shape& shape) {
  Shape stored = shape;
  for (std::int64_t& extent : stored) {
    extent = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent)));
  }
  return stored;
}

bool is_stored(const Shape& shape) {
  for (const std::int64_t extent : shape) {
    if (!std::has_single_bit(static_cast<std::uint64_t>(extent))) return false;
  }
  return true;
}

ir::Type stored_type(DType dtype, const Shape& shape) {
  return ir::tile_type(element_kind(dtype), stored_shape(shape));
}

bool has_axis(Trace& trace, std::string_view name, std::size_t rank, int axis, Location where) {
  if (axis >= 0 && static_cast<std::size_t>(axis) < rank) return true;
  trace.error(fmt::format("{}: axis {} is outside rank {}", name, axis, rank), where);
  return false;
}

std::optional<Shape> broadcast_shape(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const std::size_t lead = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& extent = result[lead + i];
    if (extent == 1) {
      extent = shorter[i];
    } else if (shorter[i] != 1 && shorter[i] != extent) {
      return std::nullopt;
    }
  }
  return result;
}

namespace {

bool fits_integer(Number number, DType dtype) {
  const auto bits = info(element_kind(dtype)).bits;
  const std::int64_t value = number.integer();
  const bool huge = number.kind() == Number::Kind::unsigned_integer && value < 0;
  if (dtype == DType::boolean) return value == 0 || value == 1;
  if (info(dtype).is_signed) {
    return !huge && (bits == 64 || (value >= -(std::int64_t{1} << (bits - 1)) &&
                                    value < (std::int64_t{1} << (bits - 1))));
  }
  if (number.kind() == Number::Kind::signed_integer && value < 0) return false;
  return bits == 64 || (!huge && value < (std::int64_t{1} << bits));
}

std::string spelling(Number number) {
  switch (number.kind()) {
    case Number::Kind::floating_point:
      return fmt::format("{}", number.floating());
    case Number::Kind::unsigned_integer:
      return fmt::format("{}", static_cast<std::uint64_t>(number.integer()));
    default:
      return fmt::format("{}", number.integer());
  }
}

/// Whether a floating-point value is exactly this integer.
bool is_integer(double value, Number number) {
  const bool is_signed = number.kind() == Number::Kind::signed_integer;
  const double limit = is_signed ? 0x1p63 : 0x1p64;
  if (!(value < limit) || (is_signed ? value < -limit : value < 0)) return false;
  return is_signed
             ? static_cast<std::int64_t>(value) == number.integer()
             : static_cast<std::uint64_t>(value) == static_cast<std::uint64_t>(number.integer());
}

std::uint64_t integer_bits(std::int64_t value, DType dtype) {
  const auto bits = info(element_kind(dtype)).bits;
  const auto pattern = static_cast<std::uint64_t>(value);
  return bits == 64 ? pattern : pattern & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace

std::uint64_t number_bits(Trace& trace, Number number, DType dtype, Location where) {
  const ElementKind kind = element_kind(dtype);
  const bool floating = number.kind() == Number::Kind::floating_point;
  if (is_float(dtype)) {
    if (floating) return numeric::encode(number.floating(), kind);
    const std::uint64_t bits =
        number.kind() == Number::Kind::signed_integer
            ? numeric::encode_signed(number.integer(), kind)
            : numeric::encode_unsigned(static_cast<std::uint64_t>(number.integer()), kind);
    if (!is_integer(numeric::decode(bits, kind), number)) {
      trace.error(fmt::format("{} is not a value of {}: write {}.0 for the nearest one",
                              spelling(number), info(dtype).name, spelling(number)),
                  where);
    }
    return bits;
  }
  if (floating && number.floating() == std::trunc(number.floating()) &&
      std::abs(number.floating()) < 0x1p53) {
    return number_bits(trace, Number(static_cast<std::int64_t>(number.floating())), dtype, where);
  }
  if (floating || !fits_integer(number, dtype)) {
    trace.error(floating
                    ? fmt::format("{} is not a value of {}", spelling(number), info(dtype).name)
                    : fmt::format("{} does not fit into {}", spelling(number), info(dtype).name),
                where);
    return 0;
  }
  return integer_bits(number.integer(), dtype);
}

// --- entry points of the typed layer

int extent(const TileRef& tile, int axis, Location where) {
  if (!has_axis(Trace::current(where), "extent", tile.shape.size(), axis, where)) return 1;
  return static_cast<int>(tile.shape[static_cast<std::size_t>(axis)]);
}

TileRef constant(Number number, DType dtype, Location where) {
  return filled(number, dtype, {}, where);
}

TileRef filled(Number number, DType dtype, const Shape& shape, Location where) {
  Trace& trace = Trace::current(where);
  for (const std::int64_t extent : shape) {
    if (extent < 1) {
      trace.error(fmt::format("a tile cannot have the shape {}: every extent must be positive",
                              to_string(shape)),
                  where);
      return trace.poison(dtype, Shape::filled(shape.size(), 1), where);
    }
  }
  const std::uint64_t bits = number_bits(trace, number, dtype, where);
  TileRef tile =
      trace.make(trace.at(where).constant(element_kind(dtype), bits, stored_shape(shape)), dtype,
                 shape, where);
  if (shape.empty() && dtype == DType::int32) {
    trace.note_integer(tile, static_cast<std::int32_t>(bits));
  }
  return tile;
}

TileRef declared(const TileRef& x, std::span<const int> dims, Location where) {
  Trace& trace = Trace::current(where);
  Shape wanted = x.shape;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != dyn) wanted[i] = dims[i];
  }
  if (wanted == x.shape) return x;
  trace.error(
      fmt::format("a tile of shape {} is used as {}", to_string(x.shape), to_string(wanted)),
      where);
  return trace.poison(x.dtype, wanted, where);
}

}  // namespace tw::inline v0::detail
