# SPDX-License-Identifier: Apache-2.0
"""Holds the rule of the one door to memory: of all that serves kernels, only src/dsl/access.cpp and
`tw::unsafe` name ops that touch memory, and `tw::unsafe` is reached through its own headers alone.

usage: door.py ROOT
"""

import re
import sys
from pathlib import Path

from includes import includes, sources

FOLDERS = ("include/tilewright", "src/dsl", "src/runtime", "kernels", "examples")
OP_TABLE = "src/ir/op_table.cpp"
BUILDER = "src/ir/builder.cpp"
# The layer below describes ops; it traces no kernel.
BELOW = "include/tilewright/ir/"
DOOR = ("src/dsl/access.cpp", "include/tilewright/dsl/unsafe/", "src/dsl/unsafe/")
# Where the word itself may stand.
UNSAFE = re.compile(r"(^|/)unsafe(/|\.)")

# Ops with an effect that touch no memory of a tensor, and the effect that they have.
HARMLESS = {
    "alloca_": "gives new memory, which only unsafe accesses reach",
    "assert_": "ends the kernel",
    "check": "reports",
    "gdc_launch_dependents_tko": "starts another grid",
    "gdc_wait_tko": "waits for another grid",
    "memory_fence_alias_tko": "orders accesses",
    "print": "reports",
    "print_tko": "reports",
}

_EFFECT_ROW = re.compile(r"^ *(?:load|effect)\((\w+),", re.MULTILINE)
_BUILDER_METHOD = re.compile(r"^\S.*?\bBuilder::(\w+)\([^;]*?\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def memory_ops(root):
    """The enumerators of the ops that touch memory, by the op table."""
    ops = set(_EFFECT_ROW.findall((root / OP_TABLE).read_text(encoding="utf-8")))
    return ops - HARMLESS.keys()


def emitters(root, ops):
    """The methods of the builder that append such an op."""
    methods = _BUILDER_METHOD.findall((root / BUILDER).read_text(encoding="utf-8"))
    return {name for name, body in methods if ops & set(re.findall(r"\w+", body))}


def complaints_about(place, text, ops, methods):
    """Why the file must not hold what it holds, as (line, reason) pairs."""
    if not place.startswith(DOOR):
        uses = rf"\b({'|'.join(sorted(ops))})\b|(?:\.|->)({'|'.join(sorted(methods))})\("
        for match in re.finditer(uses, text):
            line = text.count("\n", 0, match.start()) + 1
            yield line, f"{match[1] or match[2]} touches memory outside the one door"
    if UNSAFE.search(place):
        return
    for line, _, name in includes(text):
        if UNSAFE.search(name):
            yield line, f"{name} is for those who ask for it"
    if place.startswith(("kernels/", "examples/")) and "unsafe" in text:
        yield text.count("\n", 0, text.index("unsafe")) + 1, "it needs tw::unsafe"


def violations(root):
    """All broken rules below `root`, as `file:line: reason`."""
    ops = memory_ops(root)
    methods = emitters(root, ops)
    found = []
    for path in sources(root, FOLDERS):
        place = path.relative_to(root).as_posix()
        if place.startswith(BELOW):
            continue
        text = path.read_text(encoding="utf-8")
        for line, reason in complaints_about(place, text, ops, methods):
            found.append(f"{place}:{line}: {reason}")
    return found


if __name__ == "__main__":
    broken = violations(Path(sys.argv[1]).resolve())
    print("\n".join(broken) or "there is one door to memory")
    sys.exit(bool(broken))
