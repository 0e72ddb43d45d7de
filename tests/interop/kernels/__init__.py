# SPDX-License-Identifier: Apache-2.0
"""Kernels in cuTile Python. Each module has a list KERNELS of kernels and their parameters."""
