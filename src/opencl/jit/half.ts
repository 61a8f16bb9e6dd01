import { openclWords } from '../../jit/emit/words.ts';
import type { JitHalf } from '../../jit/jit-function.ts';
import { asarray, empty } from '../array/create.ts';
import { engineFor } from '../array/default-context.ts';
import type { ContextEngine } from '../array/memory.ts';

/** What kernels in TypeScript need of OpenCL. */
export const openclJit: JitHalf = {
  words: openclWords,
  engineFor: (options, args) =>
    engineFor(
      options,
      args.find((arg) => typeof arg === 'object' && arg !== null && 'context' in arg),
    ),
  creation: { asarray, empty },
  // The text turns contraction off; the engine's own options round divisions and roots correctly.
  exactOptions: [],
  hasLines: (engine) => (engine as unknown as ContextEngine).context.devices.some((device) => device.isEmbedded),
};
