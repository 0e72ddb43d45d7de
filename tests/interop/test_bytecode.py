# SPDX-License-Identifier: Apache-2.0
"""Exchanges bytecode with NVIDIA's tools: its disassembler reads what we write, and we read what
cuTile Python writes. Both print the same text."""

import argparse
import importlib
import io
import os
import pkgutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

SKIPPED = 77  # what CTest takes for a test that could not run

try:
    import cuda.tile as ct
    from cuda.tile.compilation import CallingConvention, KernelSignature, export_kernel

    import kernels
    from kernels.arrays import array

    TOOLS = metadata.files("nvidia-cuda-tileiras")
except (ImportError, metadata.PackageNotFoundError) as missing:
    print(f"not compared with NVIDIA's tools, for lack of a package: {missing}")
    sys.exit(SKIPPED)

# Programs, from the command line.
MODULES: Path  # interop_modules
TW: Path | None  # tw
EXAMPLES = (
    "attention",
    "dropout",
    "fused_moe",
    "histogram",
    "layer_norm",
    "matmul",
    "rope",
    "softmax",
    "vadd",
)
INSTALLED = {package.name for package in metadata.distributions()}
HAS_ASSEMBLER = {"nvidia-nvvm", "nvidia-cuda-nvcc"} <= INSTALLED
NO_ASSEMBLER = "the assembler needs the packages nvidia-nvvm and nvidia-cuda-nvcc"
PYTHON_VERSIONS = ("13.1", "13.2", "13.3", "13.4")

# The assembler prefers another toolkit's parts to its own where these name one.
CLEAN = {k: v for k, v in os.environ.items() if k not in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")}


def tool(name):
    return next(file.locate() for file in TOOLS if file.name == name)


def run(*command, text=None, **variables):
    return subprocess.run(
        [str(part) for part in command],
        input=text,
        capture_output=True,
        text=True,
        env=CLEAN | variables,
        check=False,
    )


def disassembled(file, *options):
    done = run(tool("tileirdisasm"), *options, file)
    return done.stdout.rstrip("\n") if done.returncode == 0 else f"refused: {done.stderr}"


def export(kernel, parameters, version):
    """The bytecode that cuTile Python makes of a kernel."""
    file = io.BytesIO()
    signature = KernelSignature(parameters, CallingConvention.cutile_python_v1())
    export_kernel(
        kernel,
        [signature],
        file,
        gpu_code="sm_100",
        output_format="tileir_bytecode",
        bytecode_version=version,
    )
    return file.getvalue()


def all_kernels():
    """What each is called, the kernel and its parameters."""
    for info in pkgutil.iter_modules(kernels.__path__):
        module = importlib.import_module(f"kernels.{info.name}")
        for number, (kernel, parameters) in enumerate(getattr(module, "KERNELS", ())):
            yield f"{info.name}-{number}", kernel, parameters


@ct.kernel
def largest_double(x, y):
    ct.store(y, index=(0,), tile=ct.max(ct.load(x, index=(0, 0), shape=(4, 64)), axis=1))


class BytecodeTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def compare(self, files):
        """The disassembler prints for each file the text beside it."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for file, text in zip(files, pool.map(disassembled, files), strict=True):
                with self.subTest(file=file.name):
                    self.assertEqual(text, file.with_suffix(".txt").read_text().rstrip("\n"))
        print(f"{len(files)} files compared", file=sys.stderr)

    def exported(self):
        for name, kernel, parameters in all_kernels():
            for version in PYTHON_VERSIONS:
                file = self.folder / f"{name}-{version}.tilebc"
                file.write_bytes(export(kernel, parameters, version))
                yield file

    def written_by_tw(self):
        """Our own kernels, with the checks that a launch leaves and with all of them."""
        for name in EXAMPLES:
            for checks in ("prove", "device"):
                file = self.folder / f"{name}-{checks}.tilebc"
                command = (TW, "dump", f"example:{name}", "--stage=checked", "--bytecode", file)
                done = run(*command, TILEWRIGHT_CHECKS=checks)
                self.assertEqual(done.returncode, 0, done.stderr)
                module = done.stdout[: done.stdout.index("\n// ")]
                file.with_suffix(".txt").write_text(module)
                yield file

    def compile(self, files, architecture):
        for file in files:
            with self.subTest(file=file.name):
                target = f"--gpu-name={architecture}"
                done = run(tool("tileiras"), target, "--lineinfo", "-o", os.devnull, file)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_disassembler_reads_every_op(self):
        done = run(MODULES, "samples", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        files = sorted(self.folder.glob("*.tilebc"))
        self.assertGreater(len(files), 400)
        self.compare(files)

    def test_text_of_the_disassembler_becomes_the_same_bytecode(self):
        if TW is None:
            self.skipTest("tw is not built")
        run(MODULES, "samples", self.folder)
        again = self.folder / "again"
        for file in sorted(self.folder.glob("*.tilebc")):
            with self.subTest(file=file.name):
                version = file.stem.rsplit("-", 1)[1]
                text = disassembled(file, "-g")
                done = run(TW, "as", "-", "--version", version, "-o", again, text=text)
                self.assertEqual(done.stderr, "")
                self.assertEqual(again.read_bytes(), file.read_bytes())

    def test_kernels_from_python_are_read_and_written(self):
        files = list(self.exported())
        done = run(MODULES, "rewrite", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.compare(files)
        for file in files:
            with self.subTest(file=file.name):  # what is written again, with its debug info
                again = disassembled(file.with_suffix(".again"), "-g")
                self.assertEqual(disassembled(file, "-g"), again)
                if TW is not None:
                    text = disassembled(file)
                    self.assertEqual(run(TW, "dis", "-", text=text).stdout.rstrip("\n"), text)

    @unittest.skipUnless(HAS_ASSEMBLER, NO_ASSEMBLER)
    def test_assembler_compiles_kernels_from_python(self):
        files = [file for file in self.exported() if file.name.endswith("-0-13.4.tilebc")]
        run(MODULES, "rewrite", self.folder)
        self.compile([file.with_suffix(".again") for file in files], "sm_100")

    def test_disassembler_reads_our_kernels(self):
        if TW is None:
            self.skipTest("tw is not built")
        self.compare(list(self.written_by_tw()))

    @unittest.skipUnless(HAS_ASSEMBLER, NO_ASSEMBLER)
    def test_assembler_compiles_our_kernels(self):
        if TW is None:
            self.skipTest("tw is not built")
        self.compile(self.written_by_tw(), "sm_90")

    def test_lost_signs_are_noticed(self):
        # cuTile Python 1.7 writes minus infinity, where the maximum of doubles starts, in 65 bits.
        file = self.folder / "largest.tilebc"
        file.write_bytes(export(largest_double, (array(ct.float64, 2), array(ct.float64)), "13.3"))
        done = run(MODULES, "rewrite", self.folder)
        self.assertIn("a number has more than 64 bits", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modules", type=Path, required=True)
    parser.add_argument("--tw", type=Path)
    options, rest = parser.parse_known_args()
    MODULES, TW = options.modules, options.tw
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
