import {
  jitOf,
  reduceOf,
  stencilOf,
  vectorizeOf,
  type Jit,
  type MakeStencil,
  type Reduce,
  type Vectorize,
} from '../../jit/jit.ts';
import { openclJit } from './half.ts';

/** {@link Jit} */
export const jit: Jit = jitOf(openclJit);
/** {@link Vectorize} */
export const vectorize: Vectorize = vectorizeOf(openclJit);
/** {@link Reduce} */
export const reduce: Reduce = reduceOf(openclJit);
/** {@link MakeStencil} */
export const stencil: MakeStencil = stencilOf(openclJit);
