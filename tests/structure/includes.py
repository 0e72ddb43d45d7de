# SPDX-License-Identifier: Apache-2.0
"""The #include lines of the project's C++ files and where they lead."""

import re
from pathlib import Path

SUFFIXES = {".hpp", ".cpp", ".h", ".inc"}
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)


def includes(text):
    """The (line, bracket, name) of each include in `text`; bracket is `<` or `"`."""
    return [
        (text.count("\n", 0, match.start()) + 1, match[1], match[2])
        for match in _INCLUDE.finditer(text)
    ]


def resolve(root, name):
    """The project's file that `name` means below `root`, or None for a foreign header."""
    for folder in ("include", "src", "."):
        path = root / folder / name
        if path.is_file():
            return path
    return None


class Closures:
    """What texts include, directly and not. Reads each of the project's files once."""

    def __init__(self, root):
        self.root = root
        self.texts = {}

    def of(self, text):
        """The project's files behind `text` with their texts, in a stable order."""
        found, pending = {}, [text]
        while pending:
            for _, _, name in includes(pending.pop()):
                path = resolve(self.root, name)
                if path is not None and path not in found:
                    found[path] = self.read(path)
                    pending.append(found[path])
        return dict(sorted(found.items()))

    def read(self, path):
        if path not in self.texts:
            self.texts[path] = path.read_text(encoding="utf-8")
        return self.texts[path]


def sources(root, folders):
    """The C++ files below the given folders of `root` that exist."""
    return sorted(
        path
        for folder in folders
        for path in Path(root, folder).rglob("*")
        if path.suffix in SUFFIXES and path.is_file()
    )
