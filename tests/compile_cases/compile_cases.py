# SPDX-License-Identifier: Apache-2.0
"""Compiles small programs and judges what the compilers say about them.

A case is one file that a rule judges:

  rejected  a program that must not compile, for the stated reason
  warned    a program that compiles, with the stated warning
  accepted  a program, or a header alone, that compiles without a warning

The reasons are regular expressions in comments of the case, searched in the diagnostics:

  // expect: use of deleted function        by every compiler
  // expect(g++): no match for call         by g++
  // expect(clang): consumed                by clang; without lines for g++, clang alone is asked

Source lines are not part of the diagnostics, so an expectation cannot match the case's own text. The
first error must be an expected one: a case that fails early for another reason is reported.

A check that succeeded is remembered under a hash of everything that it depends on, and not repeated.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "structure"))
from includes import Closures  # noqa: E402

COMMON_FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-fdiagnostics-color=never"]
COMPILER_FLAGS = {
    "g++": ["-fno-diagnostics-show-caret"],
    "clang": [
        "-fno-caret-diagnostics",
        "-Wthread-safety",
        "-Wconsumed",
        "-Werror=thread-safety",
        "-Werror=consumed",
        "-Werror=dangling",
    ],
}
RULE_FLAGS = {
    "rejected": [],
    "warned": ["-Wno-error"],
    "accepted": ["-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"],
}
STAMP_DAYS = 30
SHOWN_LINES = 30


@dataclass(frozen=True)
class Compiler:
    kind: str  # a key of COMPILER_FLAGS
    program: str

    def version(self):
        answer = subprocess.run(
            [self.program, "--version"], capture_output=True, text=True, check=True
        )
        return answer.stdout.split("\n", 1)[0]


@dataclass
class Case:
    name: str
    text: str
    expectations: dict = field(default_factory=dict)  # compiler kind -> regular expressions

    @property
    def prefix(self):
        """The includes that the text starts with: cases that share them share a precompiled header."""
        match = re.match(r"(?:[ \t]*//.*\n|[ \t]*\n|#include <.*>\n)*", self.text)
        return tuple(re.findall(r"^#include <.*>$", match[0], re.MULTILINE))


@dataclass(frozen=True)
class Check:
    case: Case
    compiler: Compiler
    stamp: Path


class BadCase(Exception):
    """A case that cannot be judged."""


def read_case(path):
    """A program with its expectations."""
    text = path.read_text(encoding="utf-8")
    expectations = {}
    for kind, pattern in re.findall(r"^\s*// expect(?:\((.*?)\))?: *(.*?) *$", text, re.MULTILINE):
        if kind and kind not in COMPILER_FLAGS:
            raise BadCase(f"{path.name}: unknown compiler '{kind}'")
        for each in [kind] if kind else COMPILER_FLAGS:
            expectations.setdefault(each, []).append(re.compile(pattern))
    if not expectations:
        raise BadCase(f"{path.name}: says nothing about what to expect")
    return Case(path.name, text, expectations)


def program_case(path):
    """A program that compiles without a word."""
    return Case(path.name, path.read_text(encoding="utf-8"), {kind: [] for kind in COMPILER_FLAGS})


def header_case(root, path):
    """A program that includes one header, twice: it must stand alone and bear repetition."""
    path = path.resolve()
    base = root / "include"
    name = path.relative_to(base if path.is_relative_to(base) else root).as_posix()
    return Case(name, f"#include <{name}>\n" * 2, {kind: [] for kind in COMPILER_FLAGS})


def case_of(rule, root, path):
    """What a rule judges in a file."""
    if rule != "accepted":
        return read_case(path)
    return header_case(root, path) if path.suffix == ".hpp" else program_case(path)


def verdict(rule, expectations, status, output):
    """What is wrong with a compiler's answer; None if nothing is."""
    if rule == "accepted":
        return None if status == 0 else "does not compile cleanly"
    if rule == "rejected":
        if status == 0:
            return "compiles, but must not"
        first = re.search(r"^.*error: .*$", output, re.MULTILINE)
        if first and not any(pattern.search(first[0]) for pattern in expectations):
            return "fails first for a reason that is not expected"
    elif status != 0:
        return "does not compile, but must, with a warning"
    missing = [pattern.pattern for pattern in expectations if not pattern.search(output)]
    return f"the diagnostics lack: {', '.join(missing)}" if missing else None


class Session:
    """One run over the cases of a folder."""

    def __init__(self, rule, root, stamps, jobs):
        self.rule = rule
        self.root = root
        self.closures = Closures(root)
        self.stamps = stamps
        self.jobs = jobs
        self.include_flags = [f"-I{root / 'include'}", f"-I{root}"]
        self.judges = b"".join(
            Path(file).read_bytes() for file in (__file__, sys.modules["includes"].__file__)
        )

    def flags(self, compiler):
        return COMMON_FLAGS + COMPILER_FLAGS[compiler.kind] + RULE_FLAGS[self.rule]

    def stamp(self, case, compiler, version):
        """The file that exists if this very check has succeeded before."""
        digest = hashlib.sha256(self.judges)
        parts = [self.rule, version, *self.flags(compiler), case.name, case.text]
        for path, text in self.closures.of(case.text).items():
            parts += [str(path.relative_to(self.root)), text]
        for part in parts:
            digest.update(part.encode() + b"\0")
        return self.stamps / digest.hexdigest()

    def checks(self, cases, compilers):
        versions = {compiler: compiler.version() for compiler in compilers}
        return [
            Check(case, compiler, self.stamp(case, compiler, versions[compiler]))
            for case in cases
            for compiler in compilers
            if compiler.kind in case.expectations
        ]

    def run(self, cases, compilers):
        """All failures as text, and how many checks there are and were compiled."""
        checks = self.checks(cases, compilers)
        to_do = [check for check in checks if not check.stamp.exists()]
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(self.jobs) as pool:
            precompiled = self.precompile(to_do, Path(folder), pool)
            failures = [text for text in pool.map(lambda c: self.judge(c, precompiled), to_do) if text]
        self.tidy(check.stamp for check in checks)
        return failures, len(checks), len(to_do)

    def precompile(self, checks, folder, pool):
        """Precompiled headers for the includes that several checks start with."""
        uses = Counter((check.compiler, check.case.prefix) for check in checks)
        shared = [key for key, count in uses.items() if key[1] and count > 1]

        def build(numbered):
            number, (compiler, prefix) = numbered
            header = folder / f"{number}.hpp"
            header.write_text("\n".join(prefix) + "\n", encoding="utf-8")
            flags = [flag for flag in self.flags(compiler) if flag != "-fsyntax-only"]
            out = f"{header}.gch"
            command = [compiler.program, *flags, *self.include_flags, "-w", "-x", "c++-header"]
            built = subprocess.run(
                [*command, header, "-o", out], capture_output=True, text=True, check=False
            )
            use = ["-include-pch", out] if compiler.kind == "clang" else ["-include", str(header)]
            return (compiler, prefix), use if built.returncode == 0 else []

        return dict(pool.map(build, enumerate(shared)))

    def judge(self, check, precompiled):
        """Compiles one case; the failure as text, or None after leaving a stamp."""
        case, compiler = check.case, check.compiler
        command = [
            compiler.program,
            *self.flags(compiler),
            *self.include_flags,
            *precompiled.get((compiler, case.prefix), []),
            *("-x", "c++", "-"),
        ]
        answer = subprocess.run(
            command, input=case.text, capture_output=True, text=True, check=False
        )
        output = answer.stdout + answer.stderr
        wrong = verdict(self.rule, case.expectations[compiler.kind], answer.returncode, output)
        if wrong:
            excerpt = "\n".join(output.split("\n")[:SHOWN_LINES])
            return f"{case.name} [{compiler.kind}]: {wrong}\n{excerpt}"
        self.stamps.mkdir(parents=True, exist_ok=True)
        check.stamp.touch()
        return None

    def tidy(self, used):
        """Keeps the stamps in use young and drops those that nothing has used for long."""
        for stamp in used:
            if stamp.exists():
                stamp.touch()
        oldest = time.time() - STAMP_DAYS * 24 * 3600
        for stamp in self.stamps.glob("*"):
            if stamp.stat().st_mtime < oldest:
                stamp.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("rule", choices=RULE_FLAGS)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--root", type=Path, required=True, help="the project's root")
    parser.add_argument("--gcc", help="the g++ to ask")
    parser.add_argument("--clang", help="the clang++ to ask")
    parser.add_argument("--stamps", type=Path, required=True, help="where success is remembered")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    root = options.root.resolve()
    compilers = [
        Compiler(kind, program)
        for kind, program in (("g++", options.gcc), ("clang", options.clang))
        if program
    ]
    try:
        cases = [case_of(options.rule, root, path) for path in sorted(options.files)]
    except BadCase as bad:
        sys.exit(str(bad))
    session = Session(options.rule, root, options.stamps, options.jobs)
    failures, total, compiled = session.run(cases, compilers)
    print("\n".join(failures))
    print(
        f"{len(cases)} files, {total} checks: {compiled} compiled, {total - compiled} unchanged, "
        f"{len(failures)} failed"
    )
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
