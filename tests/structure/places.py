# SPDX-License-Identifier: Apache-2.0
"""Errors name the user's code, never the library's.

A `Location::current()` in the library names the library, unless it is the default of a parameter:
then it names the caller. Only a BugError may do so, since the library is what is wrong.

usage: places.py ROOT
"""

import re
import sys
from pathlib import Path

from includes import sources

PLACE = re.compile(r"\bLocation::current\(\)")
DEFAULT = re.compile(r"Location \w+ =\s*$")


def is_allowed(before):
    """Whether a place may be taken behind this text."""
    statement = re.split(r"[;{}]\n", before)[-1]
    return bool(DEFAULT.search(before)) or "BugError" in statement


def violations(root):
    found = []
    for path in sources(root, ("include", "src", "kernels")):
        text = path.read_text(encoding="utf-8")
        for place in PLACE.finditer(text):
            if not is_allowed(text[: place.start()]):
                line = text.count("\n", 0, place.start()) + 1
                found.append(f"{path.relative_to(root)}:{line}: an error would name this line")
    return found


if __name__ == "__main__":
    wrong = violations(Path(sys.argv[1]).resolve())
    print("\n".join(wrong) or "no error but a BugError names the library")
    sys.exit(bool(wrong))
