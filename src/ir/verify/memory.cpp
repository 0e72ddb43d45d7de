// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "ir/verify/op_check.hpp"
#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

using enum Opcode;

/// Whether the table calls an operand or result of this name a token.
bool names_token(std::string_view name) { return name == "token" || name == "tokens"; }

bool token_c1(const OpContext& c) {
  const auto groups = c.row.operands;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!names_token(groups[i].name)) continue;
    for (const Value each : c.op.group(i)) {
      if (!c.type(each).is_token()) {
        return c.fail("token_c1", "{} is given as a token", to_string(c.type(each)));
      }
    }
  }
  const Type& last = c.type(c.op.results.back());
  return last.is_token() || c.fail("token_c1", "the last result is {}", to_string(last));
}

bool join_tokens_c1(const OpContext& c) {
  return c.op.operands.size() >= 2 || c.fail("join_tokens_c1", "{} tokens", c.op.operands.size());
}

constexpr unsigned bit(MemoryOrdering ordering) { return 1u << static_cast<unsigned>(ordering); }

unsigned allowed_orderings(Opcode code) {
  using enum MemoryOrdering;
  switch (code) {
    case load_ptr_tko:
    case load_view_tko:
      return bit(weak) | bit(relaxed) | bit(acquire);
    case store_ptr_tko:
    case store_view_tko:
      return bit(weak) | bit(relaxed) | bit(release);
    case atomic_red_view_tko:
      return bit(relaxed);
    default:
      return bit(relaxed) | bit(acquire) | bit(release) | bit(acq_rel);
  }
}

bool order_c1(const OpContext& c) {
  const auto ordering = c.op.as<MemoryOrdering>(AttributeName::memory_ordering);
  return (allowed_orderings(c.op.code) & bit(ordering)) != 0 ||
         c.fail("order_c1", "it cannot be {}",
                value_names(AttributeKind::memory_ordering)[static_cast<std::size_t>(ordering)]);
}

bool order_c2(const OpContext& c) {
  const bool weak = c.op.as<MemoryOrdering>(AttributeName::memory_ordering) == MemoryOrdering::weak;
  const bool scoped = c.op.find(AttributeName::memory_scope) != nullptr;
  return weak != scoped ||
         c.fail("order_c2", "{}", weak ? "it is weak and has a scope" : "it has no scope");
}

/// The number of values behind the pointers: stored, added, or compared and exchanged.
std::size_t value_count(Opcode code) {
  switch (code) {
    case load_ptr_tko:
      return 0;
    case atomic_cas_tko:
      return 2;
    default:
      return 1;
  }
}

bool pointer_access_c1(const OpContext& c) {
  return pointer_tile(c.operand(0)) != nullptr ||
         c.fail("pointer_access_c1", "it goes through {}", to_string(c.operand(0)));
}

/// Whether a type is a tile of what is behind a tile of pointers.
bool is_behind(const Type& type, const TileType& pointers) {
  return is_tile_of(type, pointers.kind()) && has_shape(type, pointers.shape);
}

bool pointer_access_c2(const OpContext& c) {
  const TileType& pointers = c.operand(0).tile();
  auto values = std::span(c.op.operands).subspan(1, value_count(c.op.code));
  if (c.op.code != store_ptr_tko && !is_behind(c.result(), pointers)) {
    return c.fail("pointer_access_c2", "{} gives {}", to_string(c.operand(0)),
                  to_string(c.result()));
  }
  for (const Value each : values) {
    if (is_behind(c.type(each), pointers)) continue;
    return c.fail("pointer_access_c2", "{} takes {}", to_string(c.operand(0)),
                  to_string(c.type(each)));
  }
  return true;
}

bool pointer_access_c3(const OpContext& c) {
  const Type* mask = c.optional(1 + value_count(c.op.code));
  return mask == nullptr ||
         (is_tile_of(*mask, ElementKind::i1) && same_shape(*mask, c.operand(0))) ||
         c.fail("pointer_access_c3", "{} is masked by {}", to_string(c.operand(0)),
                to_string(*mask));
}

bool load_ptr_c1(const OpContext& c) {
  const Type* padding = c.optional(2);
  return padding == nullptr || *padding == c.result() ||
         c.fail("load_ptr_c1", "{} is padded by {}", to_string(c.result()), to_string(*padding));
}

bool load_ptr_c2(const OpContext& c) {
  return c.optional(2) == nullptr || c.optional(1) != nullptr ||
         c.warn("load_ptr_c2", "{} is padded", to_string(c.result()));
}

/// The elements that an atomic exchanges as a whole.
bool is_exchangeable(ElementKind kind) {
  return is_number(kind) && (info(kind).bits == 32 || info(kind).bits == 64);
}

bool has_atomic(AtomicMode mode, ElementKind kind, Version tool) {
  switch (mode) {
    case AtomicMode::addf:
      return is_base_float(kind) && (kind != ElementKind::bf16 || tool >= Version{13, 3});
    case AtomicMode::xchg:
      return is_exchangeable(kind);
    default:
      return kind == ElementKind::i32 || kind == ElementKind::i64;
  }
}

ElementKind atomic_element(const OpContext& c) {
  return c.op.code == atomic_red_view_tko ? viewed_tensor(c.operand(0)).element
                                          : c.operand(0).tile().kind();
}

bool atomic_c1(const OpContext& c) {
  const auto mode = c.op.as<AtomicMode>(AttributeName::mode);
  return has_atomic(mode, atomic_element(c), c.options.tool) ||
         c.fail("atomic_c1", "it has no {} of {}",
                value_names(AttributeKind::atomic_mode)[static_cast<std::size_t>(mode)],
                info(atomic_element(c)).name);
}

bool atomic_c2(const OpContext& c) {
  return atomic_element(c) != ElementKind::bf16 || c.options.architecture.value_or(90) >= 90 ||
         c.fail("atomic_c2", "sm_{} has no addf of bf16", *c.options.architecture);
}

bool atomic_cas_c1(const OpContext& c) {
  return is_exchangeable(c.operand(0).tile().kind()) ||
         c.fail("atomic_cas_c1", "it exchanges through {}", to_string(c.operand(0)));
}

bool atomic_red_view_c1(const OpContext& c) {
  return c.op.as<AtomicMode>(AttributeName::mode) != AtomicMode::xchg ||
         c.fail("atomic_red_view_c1", "a reduction cannot exchange");
}

bool atomic_red_view_c2(const OpContext& c) {
  return c.op.as<MemoryScope>(AttributeName::memory_scope) != MemoryScope::sys ||
         c.fail("atomic_red_view_c2", "its scope is sys");
}

bool atomic_red_view_c3(const OpContext& c) {
  const bool takes_padding = c.options.tool >= Version{13, 5};
  return (!c.operand(0).is<GatherScatterViewType>() &&
          (takes_padding || !view_padding(c.operand(0)))) ||
         c.fail("atomic_red_view_c3", "it goes through {}", to_string(c.operand(0)));
}

bool alloca_c1(const OpContext& c) {
  const TileType* pointer = pointer_tile(c.result());
  return (pointer != nullptr && pointer->shape.empty()) ||
         c.fail("alloca_c1", "it gives {}", to_string(c.result()));
}

bool alloca_c2(const OpContext& c) {
  const std::int64_t count = c.op.integer(AttributeName::num_elem);
  const std::int64_t alignment = c.op.integer(AttributeName::alignment);
  const auto bytes = static_cast<std::int64_t>(info(c.result().tile().kind()).storage_bytes());
  const bool aligned =
      alignment >= bytes && std::has_single_bit(static_cast<std::uint64_t>(alignment));
  return (count >= 0 && aligned) ||
         c.fail("alloca_c2", "{} elements of {} bytes are aligned to {}", count, bytes, alignment);
}

const Global* named_global(const OpContext& c) {
  const auto& globals = c.module.globals;
  const auto found =
      std::ranges::find(globals, c.op.get<std::string>(AttributeName::name), &Global::name);
  return found == globals.end() ? nullptr : &*found;
}

bool get_global_c1(const OpContext& c) {
  return named_global(c) != nullptr || c.fail("get_global_c1", "there is no global @{}",
                                              c.op.get<std::string>(AttributeName::name));
}

bool get_global_c2(const OpContext& c) {
  const TileType* global = number_tile(named_global(c)->type);
  const TileType* pointer = pointer_tile(c.result());
  return (pointer != nullptr && pointer->shape.empty() && global != nullptr &&
          pointer->kind() == global->kind()) ||
         c.fail("get_global_c2", "a global {} gives {}", to_string(named_global(c)->type),
                to_string(c.result()));
}

bool block_id_c1(const OpContext& c) {
  const Type id = tile_type(ElementKind::i32);
  return std::ranges::all_of(c.op.results, [&](Value each) { return c.type(each) == id; }) ||
         c.fail("block_id_c1", "it gives {}", to_string(c.result()));
}

const OpChecks table[] = {
    {{atomic_cas_tko, atomic_red_view_tko, atomic_rmw_tko, gdc_launch_dependents_tko, gdc_wait_tko,
      join_tokens, load_ptr_tko, load_view_tko, make_token, memory_fence_alias_tko, print_tko,
      store_ptr_tko, store_view_tko},
     {token_c1}},
    {{join_tokens}, {join_tokens_c1}},
    {{atomic_cas_tko, atomic_red_view_tko, atomic_rmw_tko, load_ptr_tko, load_view_tko,
      store_ptr_tko, store_view_tko},
     {order_c1}},
    {{load_ptr_tko, load_view_tko, store_ptr_tko, store_view_tko}, {order_c2}},
    {{atomic_cas_tko, atomic_rmw_tko, load_ptr_tko, store_ptr_tko},
     {pointer_access_c1, pointer_access_c2, pointer_access_c3}},
    {{load_ptr_tko}, {load_ptr_c1, load_ptr_c2}},
    {{atomic_red_view_tko}, {atomic_red_view_c1}},
    {{atomic_red_view_tko, atomic_rmw_tko}, {atomic_c1, atomic_c2}},
    {{atomic_cas_tko}, {atomic_cas_c1}},
    {{atomic_red_view_tko}, {atomic_red_view_c2, atomic_red_view_c3}},
    {{alloca_}, {alloca_c1, alloca_c2}},
    {{get_global}, {get_global_c1, get_global_c2}},
    {{get_num_tile_blocks, get_tile_block_id}, {block_id_c1}},
};

}  // namespace

std::span<const OpChecks> memory_checks() { return table; }

}  // namespace tw::inline v0::ir
