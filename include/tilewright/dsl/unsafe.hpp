// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What kernels can do beyond the safety contract. No header of the safe language includes it.
#include <tilewright/dsl/unsafe/access.hpp>
#include <tilewright/dsl/unsafe/assume.hpp>
#include <tilewright/dsl/unsafe/block.hpp>
#include <tilewright/dsl/unsafe/math.hpp>
#include <tilewright/dsl/unsafe/order.hpp>
#include <tilewright/dsl/unsafe/pointer.hpp>
#include <tilewright/dsl/unsafe/report.hpp>
#include <tilewright/dsl/unsafe/token.hpp>
#include <tilewright/dsl/unsafe/var.hpp>
#include <tilewright/dsl/unsafe/view.hpp>
#include <tilewright/kernel.hpp>
