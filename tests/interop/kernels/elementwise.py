# SPDX-License-Identifier: Apache-2.0
"""One tile a block: sums, functions of floats, bits of integers, conversions, choices."""

import cuda.tile as ct

from .arrays import array


@ct.kernel
def add_arrays(x, y, z):
    i = ct.bid(0)
    ct.store(z, index=(i,), tile=ct.load(x, index=(i,), shape=(128,)) + ct.load(y, (i,), (128,)))


@ct.kernel
def functions(x, y):
    i = ct.bid(0)
    t = ct.load(x, index=(i,), shape=(64,), padding_mode=ct.PaddingMode.NEG_INF)
    t = ct.exp(t) + ct.exp2(t, flush_to_zero=True) * ct.sin(t) - ct.cos(t) / ct.tanh(t)
    t = ct.sqrt(ct.abs(t)) + ct.rsqrt(t) + ct.log(t) + ct.log2(t) + ct.floor(t) + ct.ceil(t)
    t = ct.where(ct.isnan(t), ct.maximum(t, 1.0), ct.minimum(t, -t, propagate_nan=True))
    ct.store(y, index=(i,), tile=t * ct.pow(t, 2.5) + ct.tan(t) + ct.sinh(t) + ct.cosh(t))


@ct.kernel
def bits(x, y):
    i = ct.bid(0)
    t = ct.load(x, index=(i,), shape=(64,))
    ct.store(y, index=(i,), tile=(t & 255) | (t << 3) ^ ct.where(t < 9, t >> 2, ~t))


@ct.kernel
def divisions(x, y):
    i = ct.bid(0)
    t = ct.load(x, index=(i,), shape=(64,))
    ct.store(y, index=(i,), tile=ct.where(t % 7 == 3, t // 5, ct.cdiv(t, 3)))


@ct.kernel
def conversions(x, y):
    i = ct.bid(0)
    t = ct.load(x, index=(i,), shape=(32,))
    n = ct.astype(t, ct.int16)
    f = ct.astype(ct.astype(n, ct.float64), ct.bfloat16)
    ct.store(y, index=(i,), tile=ct.bitcast(ct.astype(f, ct.float32), ct.int32))


KERNELS = [
    (add_arrays, (array(ct.float32),) * 3),
    (functions, (array(ct.float32),) * 2),
    (bits, (array(ct.int32),) * 2),
    (bits, (array(ct.uint64, index_dtype=ct.int64),) * 2),
    (divisions, (array(ct.int32),) * 2),
    (conversions, (array(ct.float16), array(ct.int32))),
]
