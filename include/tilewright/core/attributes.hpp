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

/// On a class whose objects are used up by moving them on: clang then reports use after move.
#define TILEWRIGHT_CONSUMABLE TILEWRIGHT_CLANG(consumable(unconsumed))

/// On a constructor or a function that makes a consumable object: it holds something.
#define TILEWRIGHT_RETURNS_HELD TILEWRIGHT_CLANG(return_typestate(unconsumed))

/// On a member function, such as move assignment, after which the object holds something.
#define TILEWRIGHT_SETS_HELD TILEWRIGHT_CLANG(set_typestate(unconsumed))

/// On a member function that uses the object up.
#define TILEWRIGHT_SETS_CONSUMED TILEWRIGHT_CLANG(set_typestate(consumed))

/// On a member function that must not be called on a consumed object.
// "unknown" is what clang knows of parameters and of objects in loops: refusing it raises false
// alarms.
#define TILEWRIGHT_NEEDS_HELD TILEWRIGHT_CLANG(callable_when("unconsumed", "unknown"))

/// On a by-reference parameter of a consumable type that the call uses up.
#define TILEWRIGHT_CONSUMES TILEWRIGHT_CLANG(return_typestate(consumed))
