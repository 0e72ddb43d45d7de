# SPDX-License-Identifier: Apache-2.0
"""What the parameters of the kernels are like."""

import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint


def array(dtype, ndim=1, index_dtype=ct.int32):
    """A contiguous array that overlaps no other."""
    return ArrayConstraint(
        dtype,
        ndim,
        index_dtype=index_dtype,
        stride_lower_bound_incl=0,
        alias_groups=(),
        may_alias_internally=False,
        stride_constant=(None,) * (ndim - 1) + (1,),
        base_addr_divisible_by=16,
    )
