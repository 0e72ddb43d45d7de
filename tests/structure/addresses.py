# SPDX-License-Identifier: Apache-2.0
"""Who gets or hands in a raw address has written `unsafe`.

No public header names a pointer to memory (`void*`, `std::byte*`, a pointer to elements, or an
address as an integer) outside `detail`, which is not for programs, and `unsafe`.

usage: addresses.py ROOT
"""

import re
import sys
from pathlib import Path

from door import UNSAFE
from includes import sources

POINTER = re.compile(r"\b(?:void|std::byte|T|std::uint8_t)(?: const)? ?\*|\bstd::uintptr_t\b")
HIDDEN = {"detail", "unsafe"}

# What else names such a pointer, and why a program cannot reach memory of a tensor by it.
EXCEPTIONS = {
    "include/tilewright/backend/backend.hpp": "a driver's handle, which is only passed on",
    "include/tilewright/core/bulk_conversion.hpp": "converts the caller's own bytes",
    "include/tilewright/core/os_library.hpp": "handles and symbols of a loaded library",
    "include/tilewright/core/small_vector.hpp": "the elements of a list",
    "include/tilewright/driver/": "the functions of libcuda as they are, for the library alone",
    "include/tilewright/ir/attribute.hpp": "a part of an attribute",
    "include/tilewright/ir/op.hpp": "an attribute of an op",
    "include/tilewright/ir/type.hpp": "a part of a type",
    "include/tilewright/runtime/command.hpp": "the work that a command holds",
    "include/tilewright/runtime/storage.hpp": "the constructor and the member are not public",
    "include/tilewright/runtime/task.hpp": "a callback's own context",
}

_TOKEN = re.compile(r"namespace(?P<name>[ \w:]*)\{|[{}]|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"")


def seen_by_programs(text):
    """The text without comments, strings and what stands in a hidden namespace, line by line."""
    kept, scopes, at = [], [], 0
    for token in _TOKEN.finditer(text):
        piece = text[at : token.start()]
        hidden = any(name in HIDDEN for name in scopes)
        kept.append(re.sub(r"[^\n]", " ", piece) if hidden else piece)
        kept.append("\n" * token[0].count("\n"))
        at = token.end()
        if token["name"] is not None:
            scopes.append(token["name"].split("::")[-1].strip())
        elif token[0] == "{":
            scopes.append("")
        elif token[0] == "}" and scopes:
            scopes.pop()
    return "".join(kept) + text[at:]


def violations(root):
    found = []
    for path in sources(root, ("include",)):
        place = path.relative_to(root).as_posix()
        if UNSAFE.search(place) or place.startswith(tuple(EXCEPTIONS)):
            continue
        text = seen_by_programs(path.read_text(encoding="utf-8"))
        for match in POINTER.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{place}:{line}: {match[0]} outside detail and unsafe")
    return found


if __name__ == "__main__":
    wrong = violations(Path(sys.argv[1]).resolve())
    print("\n".join(wrong) or "raw addresses are for those who write unsafe")
    sys.exit(bool(wrong))
