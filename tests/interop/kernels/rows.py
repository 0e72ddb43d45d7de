# SPDX-License-Identifier: Apache-2.0
"""Rows of matrices: reductions and scans."""

import cuda.tile as ct

from .arrays import array


@ct.kernel
def softmax(x, y):
    row = ct.bid(0)
    t = ct.load(x, index=(row, 0), shape=(1, 256), padding_mode=ct.PaddingMode.NEG_INF)
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(y, index=(row, 0), tile=e / ct.sum(e, axis=1, keepdims=True))


@ct.kernel
def sums(x, y, z):
    row = ct.bid(0)
    t = ct.load(x, index=(row, 0), shape=(4, 64))
    ct.store(y, index=(row, 0), tile=ct.cumsum(t, axis=1, reverse=True))
    ct.store(z, index=(row,), tile=ct.prod(t, axis=1))


@ct.kernel
def largest(x, y):
    row = ct.bid(0)
    t = ct.load(x, index=(row, 0), shape=(8, 32))
    ct.store(y, index=(row,), tile=ct.argmax(t, axis=1))


KERNELS = [
    (softmax, (array(ct.float32, 2), array(ct.float32, 2))),
    (softmax, (array(ct.float16, 2), array(ct.float16, 2))),
    (sums, (array(ct.float64, 2), array(ct.float64, 2), array(ct.float64))),
    (sums, (array(ct.int32, 2), array(ct.int32, 2), array(ct.int32))),
    (largest, (array(ct.float32, 2), array(ct.int32))),
]
