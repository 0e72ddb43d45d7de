// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The kernel language: all that a kernel needs.
#include <tilewright/dsl/atomic.hpp>
#include <tilewright/dsl/control.hpp>
#include <tilewright/dsl/math.hpp>
#include <tilewright/dsl/mma.hpp>
#include <tilewright/dsl/output.hpp>
#include <tilewright/dsl/reduction.hpp>
#include <tilewright/dsl/report.hpp>
#include <tilewright/dsl/shaping.hpp>
#include <tilewright/dsl/var.hpp>
#include <tilewright/dsl/view.hpp>
