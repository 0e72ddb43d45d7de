// SPDX-License-Identifier: Apache-2.0
#include "wrong_kernel.hpp"

namespace tw::tests {

TEST_P(MustThrow, NamesTheUsersLine) { expect_errors(GetParam()); }

}  // namespace tw::tests
