# SPDX-License-Identifier: Apache-2.0
"""The structure checks find what is wrong in small trees made for them."""

import tempfile
import unittest
from pathlib import Path

import addresses
import door
import layers
import places
import spdx


class TreeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class LayerRule(TreeTest):
    def setUp(self):
        super().setUp()
        for layer in ("core", "ir", "dsl", "passes", "runtime"):
            self.write(f"include/tilewright/{layer}/it.hpp", "#pragma once\n")

    def assert_found(self, *expected):
        self.assertEqual(layers.violations(self.root), list(expected))

    def test_lower_layers_are_seen(self):
        self.write("src/ir/a.cpp", "#include <tilewright/core/it.hpp>\n#include <vector>\n")
        self.write("src/runtime/a.cpp", "#include <tilewright/dsl/it.hpp>\n")
        self.assert_found()

    def test_a_higher_layer_is_not(self):
        self.write("src/dsl/a.cpp", "\n#include <tilewright/runtime/it.hpp>\n")
        self.assert_found("src/dsl/a.cpp:2: tilewright/runtime/it.hpp: dsl does not see runtime")

    def test_siblings_do_not_see_each_other(self):
        self.write("include/tilewright/dsl/a.hpp", "#include <tilewright/passes/it.hpp>\n")
        self.assert_found(
            "include/tilewright/dsl/a.hpp:1: tilewright/passes/it.hpp: dsl does not see passes"
        )

    def test_private_headers_obey_too(self):
        self.write("src/runtime/inner.hpp", "")
        self.write("src/ir/a.cpp", '#include "runtime/inner.hpp"\n')
        self.assert_found("src/ir/a.cpp:1: runtime/inner.hpp: ir does not see runtime")

    def test_an_umbrella_header_stands_for_what_it_lists(self):
        self.write(
            "include/tilewright/all.hpp",
            "#include <tilewright/dsl/it.hpp>\n#include <tilewright/runtime/it.hpp>\n",
        )
        self.write("kernels/a.hpp", "#include <tilewright/all.hpp>\n")
        self.assert_found("kernels/a.hpp:1: tilewright/all.hpp: kernels does not see runtime")

    def test_public_headers_stay_light_and_public(self):
        self.write("src/ir/inner.hpp", "")
        self.write("include/tilewright/ir/a.hpp", '#include <fmt/core.h>\n#include "ir/inner.hpp"\n')
        self.assert_found(
            "include/tilewright/ir/a.hpp:1: fmt/core.h: "
            "public headers include only Tilewright and the C++ standard library",
            "include/tilewright/ir/a.hpp:2: ir/inner.hpp: a public header includes a private one",
        )

    def test_restricted_headers_have_their_place(self):
        self.write("src/backend/cpu/a.cpp", "#include <llvm/IR/Module.h>\n")
        self.write("src/core/os.cpp", "#include <unistd.h>\n")
        self.write("src/ir/a.cpp", "#include <iostream>\n")
        self.write("src/passes/a.cpp", "#include <llvm/IR/Module.h>\n")
        self.write("src/runtime/a.cpp", "#include <sys/mman.h>\n")
        self.assert_found(
            "src/ir/a.cpp:1: iostream: the library never prints",
            "src/passes/a.cpp:1: llvm/IR/Module.h: only backend/cpu sees LLVM",
            "src/runtime/a.cpp:1: sys/mman.h: "
            "calls of the operating system live in src/core/os.cpp",
        )

    def test_missing_and_relative_headers_are_named(self):
        self.write("src/ir/inner.hpp", "")
        self.write("src/ir/a.cpp", '#include <tilewright/ir/gone.hpp>\n#include "inner.hpp"\n')
        self.assert_found(
            "src/ir/a.cpp:1: tilewright/ir/gone.hpp: there is no such header",
            'src/ir/a.cpp:2: inner.hpp: private headers are named from src/, as in "ir/private.hpp"',
        )


class OneDoor(TreeTest):
    def setUp(self):
        super().setUp()
        self.write(
            door.OP_TABLE,
            '    value(addf, "addf", plain, binary),\n'
            '    load(load_ptr_tko, "load_ptr_tko", attributes, operands),\n'
            '    effect(store_ptr_tko, "store_ptr_tko", 1, attributes, operands),\n'
            '    effect(print_tko, "print_tko", 1, attributes, operands),\n',
        )
        self.write(
            door.BUILDER,
            "Value Builder::add(Value a) {\n  return make(Opcode::addf, a);\n}\n"
            "void Builder::put(Value at,\n                  Value what) {\n"
            "  append(OpDraft(Opcode::store_ptr_tko).operand(at));\n}\n",
        )

    def assert_found(self, *expected):
        self.assertEqual(door.violations(self.root), list(expected))

    def test_the_door_and_unsafe_may_touch_memory(self):
        self.write("src/dsl/access.cpp", "builder.put(at, what);\n")
        self.write("src/dsl/unsafe/op.cpp", "Opcode::load_ptr_tko\n")
        self.write("include/tilewright/dsl/unsafe/pointer.hpp", "Op(Opcode::store_ptr_tko);\n")
        self.assert_found()

    def test_others_may_not(self):
        self.write("src/dsl/atomic.cpp", "int x;\nOpDraft draft(Opcode::load_ptr_tko);\n")
        self.write("src/dsl/views.cpp", "trace.at(where).put(at, what);\n")
        self.write("src/dsl/math.cpp", "builder.add(a); Opcode::print_tko;\n")
        self.assert_found(
            "src/dsl/atomic.cpp:2: load_ptr_tko touches memory outside the one door",
            "src/dsl/views.cpp:1: put touches memory outside the one door",
        )

    def test_public_headers_may_not_either(self):
        self.write("include/tilewright/dsl/fast.hpp", "inline void f() { b->put(at, what); }\n")
        self.write("include/tilewright/ir/opcode.hpp", "load_ptr_tko = 1,\n")
        self.assert_found(
            "include/tilewright/dsl/fast.hpp:1: put touches memory outside the one door"
        )

    def test_new_ops_with_an_effect_touch_memory_until_they_are_known_not_to(self):
        table = self.root / door.OP_TABLE
        table.write_text(table.read_text() + '    effect(swap_tko, "swap_tko", 1, plain, nothing),\n')
        self.write("src/dsl/swap.cpp", "OpDraft draft(Opcode::swap_tko);\n")
        self.assert_found("src/dsl/swap.cpp:1: swap_tko touches memory outside the one door")

    def test_unsafe_is_asked_for(self):
        self.write("include/tilewright/unsafe.hpp", "#include <tilewright/dsl/unsafe/op.hpp>\n")
        self.write("include/tilewright/kernel.hpp", "#include <tilewright/dsl/unsafe/op.hpp>\n")
        self.write("kernels/a.hpp", "\nauto p = unsafe::base(token, x);\n")
        self.assert_found(
            "include/tilewright/kernel.hpp:1: "
            "tilewright/dsl/unsafe/op.hpp is for those who ask for it",
            "kernels/a.hpp:2: it needs tw::unsafe",
        )


class RawAddresses(TreeTest):
    def test_only_detail_and_unsafe_have_them(self):
        self.write(
            "include/tilewright/a.hpp",
            "namespace tw::inline v0 {\nnamespace detail {\nstruct A { void* p; };\n}\n"
            "void f(int n);  // not void* p\n}  // namespace tw::inline v0\n"
            "namespace tw::inline v0::detail {\nstd::byte* of(const B& b) { return b.p; }\n}\n",
        )
        self.write("include/tilewright/runtime/unsafe.hpp", "void* address();\n")
        self.assertEqual(addresses.violations(self.root), [])

    def test_any_other_is_found(self):
        self.write(
            "include/tilewright/a.hpp",
            "namespace tw {\nnamespace detail {\nint f() { return 1; }\n}\n"
            "struct S {\n  const std::byte* data() const;\n};\n}\n",
        )
        self.assertEqual(
            addresses.violations(self.root),
            ["include/tilewright/a.hpp:6: std::byte* outside detail and unsafe"],
        )


class UsersPlaces(TreeTest):
    def test_only_defaults_and_bug_errors_take_a_place(self):
        self.write(
            "include/tilewright/a.hpp",
            "void f(int x,\n       Location where =\n           Location::current());\n",
        )
        self.write("src/a.cpp", 'void g() {\n  throw BugError("a {}",\n    Location::current());\n}\n')
        self.assertEqual(places.violations(self.root), [])

    def test_any_other_place_is_found(self):
        self.write("include/tilewright/a.hpp", "\nvoid f() { g(Location::current()); }\n")
        self.write("src/a.cpp", 'throw BugError("a");\nthrow Error("b", Location::current());\n')
        self.assertEqual(
            places.violations(self.root),
            [
                "include/tilewright/a.hpp:2: an error would name this line",
                "src/a.cpp:2: an error would name this line",
            ],
        )


class LicenceLine(TreeTest):
    def test_files_without_it_are_found(self):
        self.write("good.cpp", f"// {spdx.LINE}\nint x;\n")
        self.write("good.py", f"#!/usr/bin/env python3\n# {spdx.LINE}\n")
        self.write("README.md", "# prose\n")
        self.write("bad.hpp", f"#pragma once\n// {spdx.LINE}\n")
        self.write("bad_script", "#!/bin/bash\necho\n")
        self.write("CMakeLists.txt", f"// {spdx.LINE}\n")
        self.assertEqual(spdx.violations(self.root), ["CMakeLists.txt", "bad.hpp", "bad_script"])


if __name__ == "__main__":
    unittest.main()
