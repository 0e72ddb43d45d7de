# SPDX-License-Identifier: Apache-2.0
"""Texts that are likely to be tokenized wrongly."""

import random

# Each is a class of text that has tripped some tokenizer.
NASTY = {
    "nothing": "",
    "spaces only": " \t\n\r\u00a0\u2003\u3000 ",
    "controls only": "\x00\x01\x1b\x7f\x85\u200b\ufeff",
    "line ends": "one\ntwo\r\nthree\rfour\x0bfive\x0csix\x85seven\u2028eight\u2029nine",
    "nul inside a word": "nul\x00inside",
    "replacement character": "bad\ufffdbyte \ufffd \ufffd\ufffd",
    "zero width": "zero\u200bwidth\u200cjoin\u200der\u2060word\ufeffmark",
    "soft hyphen": "co\u00adoperate",
    "bidirectional controls": "\u202eright to left\u202c \u2066isolated\u2069",
    "accents, composed": "\u00c9t\u00e9 \u00c5ngstr\u00f6m na\u00efve \u1e69",
    "accents, decomposed": "E\u0301te\u0301 A\u030angstro\u0308m nai\u0308ve s\u0323\u0307",
    "accents, out of order": "s\u0307\u0323 a\u0301\u0323\u0328 q\u0307\u0323",
    "zalgo": "Z" + "\u0351\u036b\u0343\u036a\u0302" * 40 + "algo",
    "mark without a base": "\u0301 \u0301abc \u0301",
    "enclosing mark": "a\u20dd 1\ufe0f\u20e3",
    "marks newer than Unicode 8": "a\u1ac1b a\u0898b a\u1dfbb a\u1df6b \U0001e2ec",
    "punctuation newer than Unicode 8": "a\u2e52b a\u2e5db a\U00011f43b a\u061db",
    "formats newer than Unicode 8": "a\u08e2b a\u0890b a\U00013430b",
    "reclassified since Unicode 8": "a\u166db a\u1734b a\U000111c9b a\U0001171eb",
    "Turkish": "\u0130stanbul \u0130 i\u0307 \u0131s\u0131 I\u0307 ISI",
    "sharp s": "Stra\u00dfe STRA\u1e9eE \u1e9e",
    "final sigma": "\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3 \u03a3 \u0391\u03a3.",
    "title case digraphs": "\u01c4 \u01c5 \u01c6 \u01f1 \u1f88",
    "Georgian capitals": "\u1c90\u1c91 \u10d0\u10d1 \u10a0",
    "Cherokee": "\u13a0\u13b0 \uab70 \u13f8",
    "letters newer than utf8proc": "\ua7cb \ua7dc \U00010d50 \u1c89",
    "Hangul syllables": "\ud55c\uad6d\uc5b4 \uac00\uac01\ud7a3",
    "Hangul jamo": "\u1112\u1161\u11ab\u1100\u116e\u11a8 \u3131\u314f",
    "ideographs": "\u4e16\u754c\u60a8\u597d\uff0c\u4e16\u754c\u3002 x\u4e2dy \u3400\u9fff",
    "compatibility ideographs": "\uf900 \ufa0e \U0002f800 a\uf9d1b",
    "far ideographs": "\U00020000\U0002a6df\U0002a700\U0002b820\U0002b91f\U0002b920\U0002ceaf",
    "kana": "\u304b\u3099 \u304c \u30ab\uff9e \uff76\uff9e \u30fb",
    "full width": "\uff28\uff45\uff4c\uff4c\uff4f\uff0c\u3000\uff57\uff4f\uff52\uff4c\uff44\uff01",
    "Arabic": "\u0645\u064e\u0631\u0652\u062d\u064e\u0628\u064b\u0627\u061f \u0644\u0627 \ufefb",
    "Hebrew": "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd \u05be \ufb2a",
    "Devanagari": "\u0928\u092e\u0938\u094d\u0924\u0947 \u0958 \u0964",
    "Thai": "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0e4f",
    "Tibetan": "\u0f40\u0f71\u0f72 \u0f73 \u0f77 \u0f04",
    "emoji": "\U0001f600\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \u2764\ufe0f",
    "skin tones": "\U0001f44d\U0001f3fd ok\U0001f44d\U0001f3fdok",
    "variation selectors": "\u845b\U000e0100 \u2603\ufe0e g\ufe00",
    "tag characters": "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    "private use": "a\ue000b \uf8ff \U000f0000 x\U0010fffdy",
    "unassigned": "a\u0378b \U0001fbff \U000e0fff",
    "noncharacters": "a\ufffeb a\uffffb a\ufdd0b a\U0010ffffb",
    "ASCII symbols": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "other symbols": "\u20ac5 5\u00b0 x\u00b2 \u00bd \u2122 \u00ac \u221a2 a\u2248b",
    "quotes and dashes": "\u201cdon\u2019t\u201d \u00abnon\u00bb a\u2014b a\u2010b \u00bfqu\u00e9?",
    "letters of other cases": "\u00aa \u2160\u216f \u24b6 \U0001d400 \U0001d7d8 \u212b \u2126",
    "ligatures": "\ufb01n \ufb02ow o\ufb03ce \u0152uvre \u00c6on",
    "word of 100 letters": "a" * 100,
    "word of 101 letters": "a" * 101,
    "word of 100 once accents are gone": "e\u0301" * 100,
    "word of 51 ideographs": "\u4e2d" * 51,
    "word of 101 marks that are kept": "a" + "\u1df6" * 100,
    "very long word": "antidisestablishmentarianism" * 40,
    "very long text": "the quick brown fox, " * 200,
    "special tokens": "[CLS] a [MASK] b[SEP]c [PAD][UNK]d",
    "almost special tokens": "[cls] [ MASK ] [MASK [[MASK]] [MAS\u200bK] [unused0] [MASK\u0301]",
    "continuation marker": "##ing ## #hash a##b",
    "link": "https://example.org/a_b?c=1&d=%20#e f@g.hi C++20 3.14e-10 1,000.50",
}

# Not UTF-8, each with the text that `bytes.decode(errors="replace")` makes of it.
BROKEN_UTF8 = [
    b"caf\xe9 latin-1",
    b"\xff\xfe",
    b"cut off \xe4\xb8",
    b"cut \xe4\xb8off",
    b"\xc0\xafoverlong \xe0\x80\xaf",
    b"surrogate \xed\xa0\x80 pair \xed\xa0\xbd\xed\xb8\x80",
    b"beyond \xf4\x90\x80\x80 unicode \xf8\x88\x80\x80\x80",
    b"lone \x80\xbf continuation",
    b"[MA\xffSK] \xff[MASK]\xff",
]


# Where the characters of random words come from: 96 code points from each of these on.
BLOCKS = [
    int(first, 16)
    for first in """
    20 60 a0 100 2b0 300 370 400 590 600 900 e00 1100 1e00 1f00 2000 20a0 2100 2190 2460 2600 3000
    3040 4e00 ac00 e000 f900 fb00 fe00 ff00 1d400 1f300 1f600 20000
    """.split()
]


def random_sentences(count: int, seed: int) -> list[str]:
    """Words that mix characters of a few random blocks with ASCII, joined by odd separators."""
    source = random.Random(seed)
    separators = [" ", " ", "", "\u00a0", "\t", "\u200b", "\u200d", "-", "\u3000"]

    def word() -> str:
        block = source.choice(BLOCKS)
        alphabet = "etaoinshrdlu"
        characters = (
            source.choice(alphabet) if source.random() < 0.5 else chr(block + source.randrange(96))
            for _ in range(source.randint(1, 12))
        )
        return "".join(characters)

    return [
        "".join(word() + source.choice(separators) for _ in range(source.randint(1, 20)))
        for _ in range(count)
    ]
