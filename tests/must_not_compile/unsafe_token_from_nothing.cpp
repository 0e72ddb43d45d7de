// SPDX-License-Identifier: Apache-2.0
// Consent is not given by accident: only unsafe::accept() makes a token.
// expect: private
#include <tilewright/unsafe.hpp>

void kernel(tw::In<float, tw::dyn> x) { auto p = tw::unsafe::base({}, x); }
