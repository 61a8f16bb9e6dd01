import { cudaWords } from '../../jit/emit/words.ts';
import type { JitHalf } from '../../jit/jit-function.ts';
import { asarray, empty } from '../array/create.ts';
import { currentEngine } from '../array/engine.ts';
import { isEmbedded } from '../selection.ts';

/** What kernels in TypeScript need of CUDA. */
export const cudaJit: JitHalf = {
  words: cudaWords,
  engineFor: () => currentEngine(),
  creation: { asarray, empty },
  exactOptions: ['--fmad=false'],
  hasLines: () => isEmbedded(),
};
