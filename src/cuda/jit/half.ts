import { cudaWords } from '../../jit/emit/words.ts';
import type { JitHalf } from '../../jit/jit-function.ts';
import { currentEngine } from '../array/engine.ts';
import { isEmbedded } from '../selection.ts';

/** What kernels in TypeScript need of CUDA. */
export const cudaJit: JitHalf = {
  words: cudaWords,
  engineFor: () => currentEngine(),
  exactOptions: ['--fmad=false'],
  hasLines: () => isEmbedded(),
};
