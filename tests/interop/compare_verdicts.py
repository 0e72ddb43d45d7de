# SPDX-License-Identifier: Apache-2.0
"""Compares our verifier with NVIDIA's disassembler on kernels that are changed at random: both must accept the same
ones, but for the classes of difference below."""

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

DIFFERENCES = Path(__file__).parent / "differences"
LEAST_MET = 100  # each op and attribute
LEAST_ACCEPTED = 0.2  # of all cases, by both


class Class(NamedTuple):
    """Differences with one reason, which the text of this name in differences/ tells."""

    name: str
    ours: str  # the broken rule, or nothing
    theirs: str  # a pattern of the error, or nothing
    text: str = ""  # a pattern that the kernel has


CLASSES = [
    Class("axes_of_several_types", "axes_c2", ""),
    Class("reduction_that_yields_a_tile", "reduce_c6", "", r"yield .*: tile<\d"),
]


def class_of(ours, theirs, text):
    for each in CLASSES:
        if each.ours == ours and bool(each.theirs) == bool(theirs) and re.search(each.theirs, theirs):
            if re.search(each.text, text):
                return each.name
    return None


def lines(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, check=True, text=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def check_texts(program, disassembler):
    """Whether each class still occurs, and its text shows it."""
    wrong = []
    for each in CLASSES:
        found = lines(program, disassembler, DIFFERENCES / f"{each.name}.mlir")
        if len(found) != 1 or class_of(*found[0][1:]) != each.name:
            wrong.append(f"{each.name}.mlir does not show its difference: {found}")
    return wrong


def compare(program, disassembler, seed, count, jobs):
    share = -(-count // jobs)
    with ThreadPoolExecutor(jobs) as pool:
        parts = pool.map(lambda job: lines(program, disassembler, seed + job, share), range(jobs))
        rows = [row for part in parts for row in part]
    met, accepted, classes, unknown = Counter(), Counter(), Counter(), {}
    for kind, *row in rows:
        if kind == "count":
            met[row[0]] += int(row[1])
            accepted[row[0]] += int(row[2])
        elif name := class_of(*row):
            classes[name] += 1
        else:
            unknown.setdefault((row[0], re.sub(r"\d+", "N", row[1])), row)
    return met, accepted, classes, unknown


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True, help="interop_verdicts")
    parser.add_argument("--disassembler", type=Path, required=True, help="tileirdisasm")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    problems = check_texts(options.program, options.disassembler)
    met, accepted, classes, unknown = compare(**vars(options))
    for (ours, _), row in unknown.items():
        problems.append(f"a new difference: ours {ours or 'accepted'}, theirs {row[1] or 'accepted'}: {row[2]}")
    problems += [f"{what} was met only {count} times" for what, count in met.items() if count < LEAST_MET]
    share = accepted["cases"] / met["cases"]
    if share < LEAST_ACCEPTED:
        problems.append(f"only {share:.0%} were accepted by both")
    print(*problems, sep="\n")
    for name, count in classes.most_common():
        print(f"{count:6} {name}")
    print(f"{met['cases']} cases, {share:.0%} accepted by both, {sum(classes.values())} differences of "
          f"{len(classes)} known classes, {len(unknown)} new classes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
