# SPDX-License-Identifier: Apache-2.0
"""Branches, loops, called functions, prints and assertions."""

import cuda.tile as ct
from cuda.tile.compilation import ScalarConstraint

from .arrays import array


def halved(t):
    return t * 0.5


@ct.kernel
def branches(x, y, n):
    i = ct.bid(0)
    t = ct.load(x, index=(i,), shape=(16,))
    if n > 3:
        t = halved(t) + 1.0
    elif i == 0:
        t = halved(halved(t))
    ct.store(y, index=(i,), tile=t)


@ct.kernel
def loops(x, y, n):
    total = ct.zeros((16,), ct.float32)
    for i in range(2, n, 3):
        total = total + ct.load(x, index=(i,), shape=(16,))
    count = n
    while count > 0:
        count = count // 2
        if count == 5:
            break
        total = halved(total)
    ct.store(y, index=(0,), tile=total)


@ct.kernel
def reports(x):
    t = ct.load(x, index=(ct.bid(0),), shape=(8,))
    ct.printf("block %d: %d\n", ct.bid(0), t)
    ct.assert_(t >= 0, "negative")


KERNELS = [
    (branches, (array(ct.float32), array(ct.float32), ScalarConstraint(ct.int32))),
    (loops, (array(ct.float32), array(ct.float32), ScalarConstraint(ct.int32))),
    (reports, (array(ct.int32),)),
]
