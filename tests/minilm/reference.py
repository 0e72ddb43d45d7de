# SPDX-License-Identifier: Apache-2.0
"""all-MiniLM-L6-v2 in float64 NumPy, written from the BERT paper and the model's configuration.

As a program it prints one JSON object a line of its input: {"ids": [...], "embedding": [...]}.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from model_files import MODEL

Array = NDArray[np.float64]

MAX_TOKENS = 256  # sentence_bert_config.json


def read_weights(path: Path) -> dict[str, Array]:
    """The float32 tensors of a safetensors file, widened."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in json.loads(data[8:start]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        first, last = entry["data_offsets"]
        values = np.frombuffer(data[start + first : start + last], "<f4")
        tensors[name] = values.astype(np.float64).reshape(entry["shape"])
    return tensors


def gelu(x: Array) -> Array:
    """x times the normal distribution function of x, by the exact error function."""
    erf = np.fromiter(map(math.erf, x.ravel() / math.sqrt(2)), np.float64, x.size)
    return 0.5 * x * (1 + erf.reshape(x.shape))


def softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


class Model:
    def __init__(self, folder: Path = MODEL) -> None:
        config = json.loads((folder / "config.json").read_text())
        self.layers = config["num_hidden_layers"]
        self.heads = config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]
        self.weights = read_weights(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)

    def tokens(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).ids

    def embed(self, ids: list[int]) -> Array:
        """The unit vector, of 384 elements, of one text's tokens."""
        hidden = self.embeddings(ids)
        for layer in range(self.layers):
            hidden = self.layer(f"encoder.layer.{layer}", hidden)
        mean = hidden.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def embeddings(self, ids: list[int]) -> Array:
        table = "embeddings.{}_embeddings.weight".format
        words = self.weights[table("word")][ids]
        positions = self.weights[table("position")][: len(ids)]
        return self.norm(
            "embeddings.LayerNorm", words + positions + self.weights[table("token_type")][0]
        )

    def layer(self, name: str, x: Array) -> Array:
        x = self.norm(
            f"{name}.attention.output.LayerNorm", x + self.attention(f"{name}.attention", x)
        )
        inner = gelu(self.linear(f"{name}.intermediate.dense", x))
        return self.norm(f"{name}.output.LayerNorm", x + self.linear(f"{name}.output.dense", inner))

    def attention(self, name: str, x: Array) -> Array:
        def split(role: str) -> Array:  # heads x tokens x head size
            y = self.linear(f"{name}.self.{role}", x)
            return y.reshape(len(x), self.heads, -1).swapaxes(0, 1)

        query, key, value = split("query"), split("key"), split("value")
        scores = query @ key.swapaxes(1, 2) / math.sqrt(query.shape[-1])
        mixed = softmax(scores) @ value
        return self.linear(f"{name}.output.dense", mixed.swapaxes(0, 1).reshape(x.shape))

    def linear(self, name: str, x: Array) -> Array:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, name: str, x: Array) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        variance = (centred**2).mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(variance + self.epsilon)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def main() -> None:
    model = Model()
    for line in sys.stdin.buffer:
        ids = model.tokens(line.decode(errors="replace").removesuffix("\n"))
        print(json.dumps({"ids": ids, "embedding": model.embed(ids).tolist()}))


if __name__ == "__main__":
    main()
