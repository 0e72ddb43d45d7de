# SPDX-License-Identifier: Apache-2.0
"""Holds the layer rule: dependencies between folders point one way.

usage: layers.py ROOT
"""

import re
import sys
from pathlib import Path

from includes import includes, resolve, sources

FOLDERS = ("include", "src", "kernels", "api", "python", "tools")

# What each layer uses; it also sees whatever those use.
USES = {
    "core": (),
    "ir": ("core",),
    "bytecode": ("ir",),
    "dsl": ("ir",),
    "passes": ("ir",),
    "interp": ("ir",),
    "backend": ("bytecode", "dsl", "passes", "interp"),
    "backend/cpu": ("backend",),
    "backend/tileiras": ("backend",),
    "driver": ("backend",),
    "cache": ("backend/tileiras",),
    "runtime": ("driver", "cache", "backend/cpu", "backend/tileiras"),
    "kernels": ("dsl",),
    "ops": ("runtime", "kernels"),
    "capi": ("ops",),
    "tune": ("ops",),
    "python": ("capi", "tune"),
    "tools": ("capi", "tune"),
}

# Foreign headers that only some places may include: pattern, places, reason.
RESTRICTED = (
    (r"(llvm|llvm-c|clang|lld)/", ("src/backend/cpu/",), "only backend/cpu sees LLVM"),
    (r"CLI/", ("tools/",), "only the tools parse command lines"),
    (r"(iostream|print)$", ("tools/",), "the library never prints"),
    (
        r"(dlfcn|unistd|fcntl|spawn|poll|sched|pthread|signal)\.h$|sys/",
        ("src/core/os",),
        "calls of the operating system live in src/core/os.cpp",
    ),
)


def visible(layer):
    """The layer itself and all that it may include."""
    return {layer}.union(*(visible(used) for used in USES[layer]))


def layer_of(path):
    """The layer a path (relative to the root) belongs to; None for an umbrella header."""
    inner = re.sub(r"^(include/tilewright|src)/", "", path.as_posix())
    candidates = [layer for layer in USES if inner.startswith(layer + "/")]
    return max(candidates, key=len, default=None)


def layers_behind(root, path):
    """The layers that including `path` brings in: an umbrella header stands for what it lists."""
    layer = layer_of(path.relative_to(root))
    if layer is not None:
        return {layer}
    text = path.read_text(encoding="utf-8")
    targets = (resolve(root, name) for _, _, name in includes(text))
    return set().union(*(layers_behind(root, target) for target in targets if target))


def complaints_about(root, path, bracket, name):
    """Why the file `path` must not include `name`, one string a reason."""
    place = path.relative_to(root)
    public = place.parts[0] == "include"
    for pattern, allowed, reason in RESTRICTED:
        if re.match(pattern, name) and not place.as_posix().startswith(allowed):
            yield reason
    target = resolve(root, name)
    if target is None:
        if name.startswith("tilewright/"):
            yield "there is no such header"
        elif public and re.search(r"[./]", name):
            yield "public headers include only Tilewright and the C++ standard library"
        elif bracket == '"' and place.parts[0] == "src":
            yield 'private headers are named from src/, as in "ir/private.hpp"'
        return
    if public and target.relative_to(root).parts[0] != "include":
        yield "a public header includes a private one"
    layer = layer_of(place)
    if layer is not None:
        for unseen in sorted(layers_behind(root, target) - visible(layer)):
            yield f"{layer} does not see {unseen}"


def violations(root):
    """All broken rules below `root`, as `file:line: include: reason`."""
    found = []
    for path in sources(root, FOLDERS):
        for line, bracket, name in includes(path.read_text(encoding="utf-8")):
            for reason in complaints_about(root, path, bracket, name):
                found.append(f"{path.relative_to(root)}:{line}: {name}: {reason}")
    return found


if __name__ == "__main__":
    broken = violations(Path(sys.argv[1]).resolve())
    print("\n".join(broken) or "the layer rule holds")
    sys.exit(bool(broken))
