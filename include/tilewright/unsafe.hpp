// SPDX-License-Identifier: Apache-2.0
#pragma once

/// `tw::unsafe`: all that can break the safety contract if it is used wrongly. No other header
/// brings it along.
#include <tilewright/dsl/unsafe.hpp>
#include <tilewright/runtime/unsafe.hpp>
