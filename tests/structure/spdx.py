# SPDX-License-Identifier: Apache-2.0
"""Every source file starts with the licence line.

usage: spdx.py ROOT
"""

import subprocess
import sys
from pathlib import Path

LINE = "SPDX-License-Identifier: Apache-2.0"
COMMENTS = {
    "//": {".hpp", ".cpp", ".h", ".c", ".inc"},
    "#": {".py", ".pyi", ".sh", ".cmake", ".in", ".yaml", ".yml", ".toml"},
}


def comment_of(path, first_line):
    """How a comment starts in the file, or None if the file carries no licence line."""
    for comment, suffixes in COMMENTS.items():
        if path.suffix in suffixes:
            return comment
    if path.name == "CMakeLists.txt" or first_line.startswith("#!"):
        return "#"
    return None


def lacks_licence(path):
    try:
        lines = path.read_text(encoding="utf-8").split("\n", 2)
    except UnicodeDecodeError:
        return False
    comment = comment_of(path, lines[0])
    if comment is None:
        return False
    line = lines[1] if lines[0].startswith("#!") and len(lines) > 1 else lines[0]
    return line != f"{comment} {LINE}"


def tracked(root):
    """The files under version control, or all files where there is none."""
    git = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(git, capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        names = (root / name for name in listing.stdout.split("\0") if name)
    else:
        names = root.rglob("*")
    return sorted(path for path in names if path.is_file())


def violations(root):
    return [str(path.relative_to(root)) for path in tracked(root) if lacks_licence(path)]


if __name__ == "__main__":
    missing = violations(Path(sys.argv[1]).resolve())
    print("\n".join(f"{name}: the first line must say {LINE}" for name in missing)
          or "every source file names its licence")
    sys.exit(bool(missing))
