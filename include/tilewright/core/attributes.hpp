// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks what the shared library gives to other layers, tests and users; all else is hidden.
#if defined(TILEWRIGHT_STATIC)
#define TILEWRIGHT_API
#else
#define TILEWRIGHT_API [[gnu::visibility("default")]]
#endif

#if defined(__clang__)
#define TILEWRIGHT_CLANG(...) [[clang::__VA_ARGS__]]
#else
#define TILEWRIGHT_CLANG(...)
#endif

/// The returned reference or view lives no longer than the parameter, or `*this`, so marked.
#define TILEWRIGHT_LIFETIMEBOUND TILEWRIGHT_CLANG(lifetimebound)

// What is held is "unknown" to clang, not "unconsumed": whatever is passed by reference becomes
// unknown, so that a loop that launches with a tensor would seem to change the tensor's state.

/// On a class whose objects are used up by moving them on: clang then reports use after move.
#define TILEWRIGHT_CONSUMABLE TILEWRIGHT_CLANG(consumable(unknown))

/// On a constructor or a function that makes a consumable object: it holds something.
#define TILEWRIGHT_RETURNS_HELD TILEWRIGHT_CLANG(return_typestate(unknown))

/// On a member function, such as move assignment, after which the object holds something.
#define TILEWRIGHT_SETS_HELD TILEWRIGHT_CLANG(set_typestate(unknown))

/// On a member function that uses the object up.
#define TILEWRIGHT_SETS_CONSUMED TILEWRIGHT_CLANG(set_typestate(consumed))

/// On a member function that must not be called on a consumed object.
#define TILEWRIGHT_NEEDS_HELD TILEWRIGHT_CLANG(callable_when("unknown"))
