// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>

namespace tw::inline v0::unsafe {

class Token;

/// Gives the consent, on the host. Inside a kernel it is an error: there it must be a parameter.
[[nodiscard]] TILEWRIGHT_API Token accept(Location where = Location::current());

/// The consent to use operations that can break the safety contract. Each of them takes it first,
/// so a kernel that uses any has it as a parameter, and each of its launches says so, too:
/// `launch<k>(unsafe::accept(), ...)`.
class Token {
  Token() = default;
  friend Token accept(Location where);
};

}  // namespace tw::inline v0::unsafe
