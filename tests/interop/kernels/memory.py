# SPDX-License-Identifier: Apache-2.0
"""Elements by index: gathers, scatters and atomic updates."""

import cuda.tile as ct

from .arrays import array


@ct.kernel
def moved(x, ids, y):
    i = ct.bid(0)
    places = ct.load(ids, index=(i,), shape=(32,))
    t = ct.gather(x, places, padding_value=-1)
    ct.scatter(y, ct.arange(32, dtype=ct.int32) + i * 32, t, mask=places != 0)


@ct.kernel
def counted(ids, counts, seen):
    places = ct.load(ids, index=(ct.bid(0),), shape=(32,))
    ct.atomic_add(counts, places, 1, memory_order=ct.MemoryOrder.RELAXED)
    ct.atomic_max(seen, places, ct.bid(0))
    ct.atomic_cas(seen, places, 0, 1, memory_order=ct.MemoryOrder.ACQ_REL)


KERNELS = [
    (moved, (array(ct.int32),) * 3),
    (moved, (array(ct.float32), array(ct.int32), array(ct.float32))),
    (counted, (array(ct.int32),) * 3),
]
