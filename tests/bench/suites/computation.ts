import type { CudaBench } from '../cuda.ts';
import type { Case } from '../harness.ts';

/** Kernels that compute, as a fraction of what the device can do. */
export function* computationSuite(_bench: CudaBench): Generator<Case> {}
