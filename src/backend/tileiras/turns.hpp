// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tw::inline v0::backend::tileiras {

/// The right to run one assembler. At any time a process holds no more of them than the machine has
/// processors; making one waits.
class Turn {
 public:
  Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn();
};

}  // namespace tw::inline v0::backend::tileiras
