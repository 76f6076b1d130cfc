// SPDX-License-Identifier: Apache-2.0
// cub::BlockDiscontinuity
#pragma once
#include <cub/block/block_adjacent_difference.cuh>
