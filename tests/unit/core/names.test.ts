import { expect, test } from '@jest/globals';
import { camelCase } from '../../../src/core/names.ts';

test.each([
  ['WARP_SIZE', 'warpSize'],
  ['MAX_BLOCK_DIM_X', 'maxBlockDimX'],
  ['INTEGRATED', 'integrated'],
  ['GPU_DIRECT_RDMA_SUPPORTED', 'gpuDirectRdmaSupported'],
  ['MAXIMUM_SURFACE1D_WIDTH', 'maximumSurface1dWidth'],
  ['A_64_BIT', 'a64Bit'],
])('camelCase() makes %s %s', (name, expected) => {
  expect(camelCase(name)).toBe(expected);
});
