# SPDX-License-Identifier: Apache-2.0
"""Holds the verdicts of `tw verify` against those that NVIDIA's own tests expect, and rewrites the
bytecode beside them. The tests are in the folder that TILEWRIGHT_CUDA_TILE_TESTS names."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

SKIPPED = 77  # what CTest takes for a test that could not run
TOOL = "13.3"  # the release that the tests are of
BYTECODE = {".bc", ".tilebc", ".tileirbc"}
MAGIC = b"\x7fTileIR\0"

# Chunks that say nothing about a verdict of ours, by what their text says.
FOREIGN = {
    r"testing\$(?!func)": "ops for tests alone",
    r'"some\.op"': "ops of other dialects",
}
# What may refuse a chunk besides parsing and verifying, by the line that runs its file.
OTHER_JUDGES = {
    r"-W(err|unsupported)-hints": "hints as errors",
    r"not |-bytecode-version|-(canonicalize|synthesize|fuse|[a-z-]*symbol)": "another tool or pass",
}
KNOWN = {
    "invalid-134": "what a function that is no entry returns is not held",
    "invalid-135": "what a function that is no entry returns is not held",
    "types-0": "values that are pointers outside of tiles occur in no kernel",
}


class Chunk(NamedTuple):
    name: str
    text: str
    valid: bool


def reason_to_leave_out(file_text, chunk):
    heading = "\n".join(line for line in file_text.splitlines() if "RUN:" in line)
    may_be_refused = "expected-error" in chunk or "not " in heading
    rules = [(chunk, FOREIGN)] + [(heading, OTHER_JUDGES)] * may_be_refused
    for text, patterns in rules:
        for pattern, reason in patterns.items():
            if re.search(pattern, text):
                return reason
    return None


def chunks(folder, left_out):
    """The parts of the tests, split where the tests' own tool splits them."""
    for file in sorted(folder.rglob("*.mlir")):
        text = file.read_text(errors="replace")
        if "RUN:" not in text:
            continue
        parts = re.split(r"(?m)^// -----.*$", text) if "split-input-file" in text else [text]
        for number, part in enumerate(parts):
            if not re.sub(r"//.*", "", part).strip():
                continue
            if reason := reason_to_leave_out(text, part):
                left_out[reason] += 1
                continue
            yield Chunk(f"{file.stem}-{number}", part, "expected-error" not in part)


def run(*command, data=None):
    words = [str(part) for part in command]
    return subprocess.run(words, input=data, capture_output=True, check=False)


def disagreement(tw, chunk):
    done = run(tw, "verify", "--tool", TOOL, "--allow-functions", "-", data=chunk.text.encode())
    if done.returncode not in (0, 1):
        return f"{chunk.name}: tw ends with {done.returncode}"
    if (done.returncode == 0) == chunk.valid:
        return None
    messages = done.stderr.decode(errors="replace").splitlines()
    told = re.findall(r"expected-error\S*\s*(.*)", chunk.text)
    if chunk.valid:
        return f"{chunk.name}: valid, but tw says {messages[0] if messages else 'nothing'}"
    return f"{chunk.name}: accepted by tw, but expected is {told[0]}"


def rewritten(tw, file):
    """Whether text and back gives a file again, byte for byte; None if it is no valid one."""
    data = file.read_bytes()
    if run(tw, "verify", file).returncode != 0:
        return None
    text = run(tw, "dis", "-g", file)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        version = f"{data[8]}.{data[9]}"
        done = run(tw, "as", "-", "--bytecode-version", version, "-o", out, data=text.stdout)
        return done.returncode == 0 and out.read_bytes() == data


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tw", type=Path, required=True)
    tw = parser.parse_args().tw
    folder = os.environ.get("TILEWRIGHT_CUDA_TILE_TESTS")
    if not folder:
        print("TILEWRIGHT_CUDA_TILE_TESTS names no folder of tests")
        return SKIPPED
    left_out = Counter()
    cases = list(chunks(Path(folder), left_out))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(lambda each: disagreement(tw, each), cases) if text]
    files = [f for f in sorted(Path(folder).rglob("*")) if f.suffix in BYTECODE]
    files = [f for f in files if f.read_bytes().startswith(MAGIC)]
    answers = {file: rewritten(tw, file) for file in files}
    found += [f"{file.name}: comes back changed" for file, same in answers.items() if same is False]
    for text in found:
        name = text.split(":")[0]
        print(f"{text} (known: {KNOWN[name]})" if name in KNOWN else text)
    unknown = [text for text in found if text.split(":")[0] not in KNOWN]
    for reason, count in sorted(left_out.items()):
        print(f"{count} chunks left out: {reason}")
    refused = sum(answer is None for answer in answers.values())
    same = sum(answer is True for answer in answers.values())
    print(f"{len(cases)} chunks, {same} of {len(files)} files rewritten byte by byte, "
          f"{refused} refused; {len(found)} disagreements, {len(unknown)} of them new")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
