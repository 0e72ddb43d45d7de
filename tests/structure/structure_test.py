# SPDX-License-Identifier: Apache-2.0
"""The structure checks find what is wrong in small trees made for them."""

import tempfile
import unittest
from pathlib import Path

import layers
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
