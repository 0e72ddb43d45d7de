// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every public header includes first: TILEWRIGHT_API, the attribute macros, and the tie
// between the versions of headers and library.
#include <tilewright/core/attributes.hpp>
#include <tilewright/core/version.hpp>
