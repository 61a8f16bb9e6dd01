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
import { cudaJit } from './half.ts';

/** {@link Jit} */
export const jit: Jit = jitOf(cudaJit);
/** {@link Vectorize} */
export const vectorize: Vectorize = vectorizeOf(cudaJit);
/** {@link Reduce} */
export const reduce: Reduce = reduceOf(cudaJit);
/** {@link MakeStencil} */
export const stencil: MakeStencil = stencilOf(cudaJit);
