// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "dsl/box.hpp"

namespace tw::inline v0::detail {

/// The number of a block among all blocks of the launch, and how many they are.
ir::Value linear_block(Boxes& boxes, Location where);
ir::Value linear_block_count(Boxes& boxes, Location where);

/// How many boxes an output has along each axis; one along axes that are not cut.
std::vector<ir::Value> box_counts(Boxes& boxes, int parameter, const Box& tensor, Location where);
ir::Value product_of(Boxes& boxes, const std::vector<ir::Value>& counts, Location where);

/// The place along each axis of box number `linear` in row-major order, or in groups of rows under
/// a swizzle.
std::vector<ir::Value> decode_places(Boxes& boxes, const ParameterFacts& facts,
                                     const std::vector<ir::Value>& counts, ir::Value linear,
                                     Location where);
/// The place along each axis of a parameter, from coordinates on the common grid.
std::vector<ir::Value> box_places(Boxes& boxes, const ParameterFacts& facts, const Place& place,
                                  Location where);

/// Traces the kernel once for each way in which its blocks meet their places.
void trace_places(Boxes& boxes, void* context, void (*call)(void*, PlaceRef), Location where);

}  // namespace tw::inline v0::detail
