import { describe, test } from '@jest/globals';
import { needs, type Needs } from '../../helpers/require.ts';

/** NVRTC itself: where tests run on the embedded device, its compiler stands in NVRTC's place. */
export function nativeNvrtc(): Needs {
  if (process.env['RAWKERNEL_DEVICE'] !== 'cpu') return needs.nvrtc();
  return { describe: describe.skip, test: test.skip, missing: 'RAWKERNEL_DEVICE=cpu has a compiler of its own' };
}
