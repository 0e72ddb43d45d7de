# SPDX-License-Identifier: Apache-2.0
"""Matrix products, and tiles cut, joined and turned."""

import cuda.tile as ct

from .arrays import array


@ct.kernel(occupancy=2, num_ctas=1)
def product(a, b, c):
    i, j = ct.bid(0), ct.bid(1)
    total = ct.zeros((64, 64), ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(64, 32))):
        left = ct.load(a, index=(i, k), shape=(64, 32), padding_mode=ct.PaddingMode.ZERO, latency=4)
        right = ct.load(b, index=(k, j), shape=(32, 64), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, index=(i, j), tile=ct.astype(total, c.dtype), allow_tma=False)


@ct.kernel
def shapes(x, y):
    i = ct.bid(0)
    t = ct.load(x, index=(i, 0), shape=(16, 8))
    t = ct.cat((t, ct.reshape(ct.permute(t, (1, 0)), (16, 8))), 1)
    half = ct.extract(t, index=(1, 0), shape=(8, 16))
    ct.store(y, index=(i, 0), tile=ct.broadcast_to(ct.sum(half, axis=0, keepdims=True), (8, 16)))


KERNELS = [
    (product, (array(ct.float16, 2),) * 3),
    (product, (array(ct.bfloat16, 2),) * 3),
    (shapes, (array(ct.float32, 2),) * 2),
]
