# SPDX-License-Identifier: Apache-2.0
"""The judge of compile cases reports cases that are wrong, and compiles nothing twice.

usage: compile_cases_test.py --gcc PROGRAM --clang PROGRAM
"""

import argparse
import sys
import tempfile
import unittest
from pathlib import Path

import compile_cases
from compile_cases import Compiler, Session

COMPILERS = []
LOCK = """
template <class T> struct Lock {
  Lock() = default;
  Lock(const Lock&) = delete;
};
"""
COPIES = "#include <tilewright/lock.hpp>\nLock<int> a;\nLock<int> b = a;\n"


class JudgeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.write("include/tilewright/lock.hpp", "#pragma once" + LOCK)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def judge(self, rule, *texts):
        """The failures of the cases with these texts, and how many compilations that took."""
        cases = [
            compile_cases.read_case(self.write(f"{number}.cpp", text))
            for number, text in enumerate(texts)
        ]
        session = Session(rule, self.root, self.root / "stamps", jobs=2)
        failures, _, compiled = session.run(cases, COMPILERS)
        return failures, compiled

    def assert_one_failure_each(self, failures, reason):
        self.assertEqual(len(failures), len(COMPILERS), failures)
        for failure in failures:
            self.assertIn(reason, failure)

    def test_a_case_that_fails_as_stated_passes(self):
        failures, compiled = self.judge("rejected", "// expect: deleted\n" + COPIES)
        self.assertEqual((failures, compiled), ([], len(COMPILERS)))

    def test_a_case_that_compiles_is_reported(self):
        failures, _ = self.judge("rejected", "// expect: deleted\nint x;\n")
        self.assert_one_failure_each(failures, "compiles, but must not")

    def test_a_case_that_fails_for_another_reason_is_reported(self):
        failures, _ = self.judge("rejected", "// expect: deleted\nint deleted = nowhere;\n")
        self.assert_one_failure_each(failures, "fails first for a reason that is not expected")

    def test_every_expectation_must_be_met(self):
        failures, _ = self.judge("rejected", "// expect: deleted\n// expect: moon\n" + COPIES)
        self.assert_one_failure_each(failures, "the diagnostics lack: moon")

    def test_errors_inside_templates_count(self):
        text = """// expect: only large types
template <class T> void f() { static_assert(sizeof(T) > 8, "only large types"); }
void g() { f<char>(); }
"""
        self.assertEqual(self.judge("rejected", text)[0], [])

    def test_an_expectation_for_one_compiler_asks_only_that_one(self):
        text = "// expect(clang): consumed\n" + """
struct [[clang::consumable(unconsumed)]] Handle {
  [[clang::return_typestate(unconsumed)]] Handle() {}
  [[clang::set_typestate(consumed)]] void close() {}
  [[clang::callable_when("unconsumed")]] void use() {}
};
void f() { Handle h; h.close(); h.use(); }
"""
        failures, compiled = self.judge("rejected", text)
        self.assertEqual(failures, [])
        self.assertEqual(compiled, sum(compiler.kind == "clang" for compiler in COMPILERS))

    def test_warnings_are_found_and_missed(self):
        warns = "// expect: nodiscard\n[[nodiscard]] int f();\nvoid g() { f(); }\n"
        self.assertEqual(self.judge("warned", warns)[0], [])
        silent = "// expect: nodiscard\n[[nodiscard]] int f();\nint g() { return f(); }\n"
        self.assert_one_failure_each(self.judge("warned", silent)[0], "lack: nodiscard")
        broken = "// expect: nodiscard\nint g() { return nowhere; }\n"
        self.assert_one_failure_each(self.judge("warned", broken)[0], "does not compile")

    def test_a_case_must_say_what_it_expects(self):
        for text in ("int x = y;\n", "// expect(msvc): C2065\nint x = y;\n"):
            with self.assertRaises(compile_cases.BadCase):
                self.judge("rejected", text)

    def test_nothing_unchanged_is_compiled_again(self):
        case = "// expect: deleted\n" + COPIES
        self.judge("rejected", case)
        self.assertEqual(self.judge("rejected", case), ([], 0))
        self.write("include/tilewright/other.hpp", "int unrelated;\n")
        self.assertEqual(self.judge("rejected", case), ([], 0))

    def test_a_changed_header_is_noticed(self):
        case = "// expect: deleted\n" + COPIES
        self.judge("rejected", case)
        self.write("include/tilewright/lock.hpp", "#pragma once\ntemplate <class T> struct Lock {};\n")
        self.assert_one_failure_each(self.judge("rejected", case)[0], "compiles, but must not")

    def test_failures_are_not_remembered(self):
        wrong = "// expect: deleted\nint x;\n"
        self.judge("rejected", wrong)
        self.assert_one_failure_each(self.judge("rejected", wrong)[0], "compiles, but must not")

    def test_cases_with_equal_includes_share_a_precompiled_header(self):
        lines = "#include <vector>\n#include <tilewright/lock.hpp>\nLock<int> a;\n"
        good = f"// expect: deleted\n{lines}Lock<int> b = a;\n"
        failures, _ = self.judge("rejected", good, good, f"// expect: deleted\n{lines}")
        self.assert_one_failure_each(failures, "2.cpp")

    def test_a_header_that_does_not_stand_alone_is_reported(self):
        needy = self.write("include/tilewright/needy.hpp", "#pragma once\nstd::string name;\n")
        plain = self.root / "include/tilewright/lock.hpp"
        cases = [compile_cases.header_case(self.root, path) for path in (needy, plain)]
        session = Session("accepted", self.root, self.root / "stamps", jobs=2)
        failures, _, _ = session.run(cases, COMPILERS)
        self.assert_one_failure_each(failures, "tilewright/needy.hpp")

    def test_an_accepted_program_compiles_without_a_warning(self):
        texts = {"good.cpp": "int f();\n", "warns.cpp": "int f(double x) { return x; }\n"}
        cases = [
            compile_cases.case_of("accepted", self.root, self.write(name, text))
            for name, text in texts.items()
        ]
        session = Session("accepted", self.root, self.root / "stamps", jobs=2)
        self.assert_one_failure_each(session.run(cases, COMPILERS)[0], "warns.cpp")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--gcc")
    parser.add_argument("--clang")
    programs, rest = parser.parse_known_args()
    COMPILERS += [
        Compiler(kind, program)
        for kind, program in (("g++", programs.gcc), ("clang", programs.clang))
        if program
    ]
    unittest.main(argv=[sys.argv[0], *rest])
