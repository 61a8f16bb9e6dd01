import { GRAPHS } from './kernels/graphs.ts';
import { IMAGES } from './kernels/images.ts';
import { INTEGERS } from './kernels/integers.ts';
import type { BenchKernel } from './kernels/kernel.ts';
import { LINEAR_ALGEBRA } from './kernels/linear-algebra.ts';
import { PHYSICS } from './kernels/physics.ts';
import { STENCILS } from './kernels/stencils.ts';
import { SUMS } from './kernels/sums.ts';

/** Kernels in the shapes that published programs have. */
export const KERNELS: readonly BenchKernel[] = [
  ...SUMS,
  ...LINEAR_ALGEBRA,
  ...STENCILS,
  ...GRAPHS,
  ...INTEGERS,
  ...PHYSICS,
  ...IMAGES,
];
