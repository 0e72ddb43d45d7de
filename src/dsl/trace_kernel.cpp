// SPDX-License-Identifier: Apache-2.0
#include <tilewright/dsl/trace_kernel.hpp>
#include <tilewright/ir/verifier.hpp>

#include "dsl/box.hpp"
#include "dsl/places.hpp"

namespace tw::inline v0::detail {
namespace {

/// The name of the entry in every module: symbols must not reach hashes or caches.
constexpr const char* entry_name = "kernel";

ir::Type argument_type(const ir::AbiSlot& slot) {
  switch (slot.kind) {
    case ir::AbiKind::base:
    case ir::AbiKind::ids:
    case ir::AbiKind::rows:
    case ir::AbiKind::fault_block:
      return ir::pointer_tile_type(slot.element);
    default:
      return ir::tile_type(slot.element);
  }
}

ir::Kernel empty_kernel(const Specialisation& specialisation) {
  ir::Kernel kernel;
  kernel.abi = abi_of(specialisation);
  ir::Function& entry = kernel.module.functions.emplace_back();
  entry.name = entry_name;
  if (!specialisation.hints.empty()) entry.hints["default"] = specialisation.hints;
  for (const ir::AbiSlot& slot : kernel.abi) {
    entry.body.arguments.push_back(entry.fresh(argument_type(slot)));
  }
  return kernel;
}

void append_return(Trace& trace, Location where) {
  ir::Builder& builder = trace.at(where);
  ir::OpDraft draft(ir::Opcode::return_, builder.location());
  draft.group(std::span<const ir::Value>{});
  builder.append(draft, {});
}

void throw_unless_empty(std::vector<Diagnostic> errors) {
  if (!errors.empty()) throw KernelError(std::move(errors));
}

}  // namespace

bool is_recording() noexcept { return Trace::active() != nullptr; }

ir::Kernel trace_kernel(const Specialisation& specialisation, KernelBody body, Location where) {
  ir::Kernel kernel = empty_kernel(specialisation);
  Trace trace(kernel);
  Boxes boxes(trace, specialisation, where);
  kernel.entry().location = kernel.module.locations.add(where);
  try {
    trace_places(boxes, body.context, body.call, where);
    trace.finish();
    if (!trace.has_errors()) boxes.require_stores();
  } catch (const TraceEnded&) {         // has noted why
  } catch (const KernelError& error) {  // what ends a trace early joins what was wrong before
    for (const Diagnostic& each : error.diagnostics()) {
      trace.error(each.message, each.where, each.notes);
    }
  }
  throw_unless_empty(trace.take_errors());
  append_return(trace, where);
  if (!trace.is_verified()) throw_unless_empty(ir::verify(kernel.module));
  return kernel;
}

}  // namespace tw::inline v0::detail
