// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All of Tilewright but `tw::unsafe` and coroutines: the kernel language, tensors and launches.
#include <tilewright/kernel.hpp>
#include <tilewright/runtime/borrow.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/launch.hpp>
#include <tilewright/runtime/mut.hpp>
#include <tilewright/runtime/report.hpp>
#include <tilewright/runtime/rows.hpp>
#include <tilewright/runtime/transfer.hpp>
