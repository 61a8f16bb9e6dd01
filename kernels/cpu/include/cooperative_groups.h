// Cooperative groups: blocks, tiles of a warp, coalesced threads.
#pragma once
#include "rawkernel_cuda.h"
#include "rawkernel/groups_block.h"
#include "rawkernel/groups_tile.h"
#include "rawkernel/groups_coalesced.h"
#include "rawkernel/groups_partition.h"
