# SPDX-License-Identifier: Apache-2.0
"""Compares the embeddings of the C++ program with those of the float64 reference."""

import argparse
import json
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

from model_files import MODEL, read_sentences
from reference import Array, Model

PROGRAM: Path  # the C++ program, from the command line
TOLERANCE = 1e-4


def run(texts: list[str]) -> Array:
    """The vectors that the C++ program prints for each line of its input, one a row."""
    text = "\n".join(texts) + "\n"
    command = [str(PROGRAM), "--json", str(MODEL)]
    done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True)
    return np.array([json.loads(line)["embedding"] for line in done.stdout.splitlines()])


class EmbeddingsTest(unittest.TestCase):
    actual: Array
    expected: Array

    @classmethod
    def setUpClass(cls) -> None:
        texts = read_sentences()
        model = Model()
        cls.expected = np.array([model.embed(model.tokens(text)) for text in texts])
        cls.actual = run(texts)

    def test_directions(self) -> None:
        self.assertEqual(self.actual.shape, self.expected.shape)
        cosines = (self.actual * self.expected).sum(axis=1)
        print(f"{len(cosines)} texts, smallest cosine {cosines.min():.9f}", file=sys.stderr)
        self.assertGreater(cosines.min(), 1 - TOLERANCE)

    def test_lengths(self) -> None:
        np.testing.assert_allclose(np.linalg.norm(self.actual, axis=1), 1, atol=TOLERANCE)

    def test_similarities(self) -> None:
        expected = self.expected @ self.expected.T
        np.testing.assert_allclose(self.actual @ self.actual.T, expected, atol=TOLERANCE)

    def test_like_meaning_is_near(self) -> None:
        # The first lines of sentences.txt.
        similarity = self.actual @ self.actual.T
        for a, b, other in [(0, 1, 3), (3, 4, 5), (5, 6, 7), (7, 8, 9)]:
            self.assertGreater(similarity[a, b], 0.6)
            self.assertLess(similarity[a, other], 0.3)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True, help="the C++ program")
    options, rest = parser.parse_known_args()
    PROGRAM = options.program.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
