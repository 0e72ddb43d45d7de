# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the C++ snippets of a document: `cpp kernel` fences at namespace scope, `cpp` and `cpp host`
fences in order inside main, and `cpp program` fences by themselves, which print what their last comment says. A
fence that fails is named by its line in the document."""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FENCE = re.compile(r"^```cpp(?: (kernel|host))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)

PROGRAM = re.compile(r"^```cpp program\n(.*?)^```$", re.MULTILINE | re.DOTALL)

PREAMBLE = "#undef NDEBUG\n#include <cassert>\n#include <cmath>\n#include <tuple>\n#include <vector>\n"


def program(document: Path) -> str:
    """One program made of all snippets, with the lines of the document."""
    text = document.read_text(encoding="utf-8")
    kernels, statements = [], []
    for fence in FENCE.finditer(text):
        line = text.count("\n", 0, fence.start(2)) + 1
        numbered = f'#line {line} "{document.name}"\n{fence.group(2)}'
        (kernels if fence.group(1) == "kernel" else statements).append(numbered)
    if not kernels or not statements:
        raise SystemExit(f"{document}: no snippets to run")
    return PREAMBLE + "".join(kernels) + "int main() {\n" + "".join(statements) + "}\n"


def programs(document: Path) -> list[tuple[str, str]]:
    """The whole programs of a document, each with what it prints."""
    text = document.read_text(encoding="utf-8")
    found = []
    for fence in PROGRAM.finditer(text):
        line = text.count("\n", 0, fence.start(1)) + 1
        prints = re.search(r"printf\(.*// (.*)$", fence.group(1), re.MULTILINE).group(1)
        found.append((f'#line {line} "{document.name}"\n{fence.group(1)}', prints))
    return found


def run(text: str, options: argparse.Namespace) -> str | None:
    """What a program prints, with single spaces; None when it does not compile or fails."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "snippets.cpp"
        source.write_text(text, encoding="utf-8")
        binary = Path(folder) / "snippets"
        build = [options.compiler, "-std=c++20", *options.flags.split(), f"-I{options.include}", str(source),
                 "-o", str(binary), str(options.library), f"-Wl,-rpath,{options.library.parent}"]
        if subprocess.run(build, check=False).returncode != 0:
            return None
        done = subprocess.run([str(binary)], check=False, stdout=subprocess.PIPE, text=True)
        return " ".join(done.stdout.split()) if done.returncode == 0 else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", default="")
    parser.add_argument("--include", required=True)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("documents", type=Path, nargs="+")
    options = parser.parse_args()
    failed = False
    for document in options.documents:
        good = run(program(document), options) is not None
        for text, prints in programs(document):
            printed = run(text, options)
            if printed != prints:
                print(f"{document.name}: prints {printed!r}, not {prints!r}", file=sys.stderr)
                good = False
        print(f"{document.name}: {'ok' if good else 'FAILED'}", file=sys.stderr)
        failed |= not good
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
