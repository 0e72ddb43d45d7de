# SPDX-License-Identifier: Apache-2.0
"""Compares the C++ tokenizer's ids with those of the Python package `tokenizers`."""

import argparse
import json
import subprocess
import sys
import unittest
from pathlib import Path

from tokenizers import Tokenizer

from model_files import MODEL, read_sentences
from odd_texts import BROKEN_UTF8, NASTY, random_sentences

PROGRAM: Path  # the C++ tokenizer, from the command line


def run(lines: list[bytes], *options: str) -> list[list[int]]:
    """The ids that the C++ tokenizer prints for each line."""
    command = [str(PROGRAM), str(MODEL / "vocab.txt"), *options]
    done = subprocess.run(
        command, input=b"\n".join(lines) + b"\n", stdout=subprocess.PIPE, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


class TokenizerTest(unittest.TestCase):
    reference: Tokenizer

    @classmethod
    def setUpClass(cls) -> None:
        cls.reference = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
        cls.reference.no_truncation()
        cls.reference.no_padding()

    def compare(self, texts: list[str]) -> None:
        actual = run([json.dumps(text).encode() for text in texts], "--json")
        self.assertEqual(len(actual), len(texts))
        expected = [encoding.ids for encoding in self.reference.encode_batch(texts)]
        wrong = [t for t, a, e in zip(texts, actual, expected, strict=True) if a != e]
        print(f"{len(texts)} texts compared, {len(wrong)} differ", file=sys.stderr)
        for text in wrong[:5]:
            i = texts.index(text)
            with self.subTest(text=ascii(text)):
                self.assertEqual(actual[i], expected[i])

    def test_sentences(self) -> None:
        sentences = read_sentences()
        self.assertGreaterEqual(len(sentences), 200)
        self.compare(sentences)

    def test_nasty_texts(self) -> None:
        self.compare(list(NASTY.values()))

    def test_random_mixtures(self) -> None:
        self.compare(random_sentences(5000, seed=1))

    def test_every_code_point(self) -> None:
        # Within a word and by itself: a difference in class or mapping shows in one or the other.
        every = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
        chunk = 64
        self.compare(
            [
                " ".join(f"a{c}b {c}" for c in every[i : i + chunk])
                for i in range(0, len(every), chunk)
            ]
        )

    def test_text_that_is_not_utf8(self) -> None:
        texts = [line.decode(errors="replace") for line in BROKEN_UTF8]
        expected = [encoding.ids for encoding in self.reference.encode_batch(texts)]
        self.assertEqual(run(BROKEN_UTF8), expected)

    def test_truncation(self) -> None:
        reference = Tokenizer.from_str(self.reference.to_str())
        reference.enable_truncation(256)
        texts = [NASTY["very long text"], "word " * 254, "word " * 255, "short"]
        expected = [encoding.ids for encoding in reference.encode_batch(texts)]
        self.assertEqual(run([t.encode() for t in texts], "--max-tokens", "256"), expected)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True, help="the C++ tokenizer")
    options, rest = parser.parse_known_args()
    PROGRAM = options.program.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
