# SPDX-License-Identifier: Apache-2.0
"""How long a user's file takes to compile, as a ratio to a file with the same standard headers only."""

import argparse
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

USER = """#include <tilewright/tilewright.hpp>
#include "kernels/softmax.hpp"
using namespace tw;
template <class T>
void run() {
  const auto x = zeroed<T>(4, 8);
  auto y = zeroed<T>(4, 8);
  launch<kernels::softmax<T>>(mut(y).partition({1, all}), x).sync();
}
int main() {
  run<float>();
  run<half>();
}
"""


def standard_headers(compiler: str, root: Path, source: Path) -> str:
    """The standard headers that the library's headers include, in one file."""
    listed = subprocess.run([compiler, "-std=c++20", f"-I{root}/include", f"-I{root}", "-M", str(source)],
                            check=True, capture_output=True, text=True).stdout
    ours = [Path(name) for name in listed.split() if name.startswith(str(root))]
    names = {match for path in ours if path.suffix == ".hpp"
             for match in re.findall(r"^#include (<[a-z_0-9]+>)", path.read_text(), re.MULTILINE)}
    return "".join(f"#include {name}\n" for name in sorted(names)) + "int main() {}\n"


def seconds(compiler: str, root: Path, source: Path) -> float:
    begin = time.perf_counter()
    subprocess.run([compiler, "-std=c++20", "-O2", f"-I{root}/include", f"-I{root}", "-c", str(source),
                    "-o", "/dev/null"], check=True)
    return time.perf_counter() - begin


def measure(compiler: str, repeat: int) -> tuple[float, float]:
    """The seconds that the user's file takes, and their ratio to the plain file's: medians of pairs."""
    root = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as folder:
        user, plain = Path(folder) / "softmax.cpp", Path(folder) / "headers.cpp"
        user.write_text(USER)
        plain.write_text(standard_headers(compiler, root, user))
        pairs = [(seconds(compiler, root, user), seconds(compiler, root, plain)) for _ in range(repeat)]
    return (statistics.median(pair[0] for pair in pairs),
            statistics.median(pair[0] / pair[1] for pair in pairs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    ours, ratio = measure(options.compiler, options.repeat)
    print(f"{options.compiler}: {ours:.2f} s, {ratio:.2f} x a file with the same standard headers only")


if __name__ == "__main__":
    main()
