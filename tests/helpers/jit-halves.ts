import { creationOf } from '../../src/array/creation/creation.ts';
import type { Engine } from '../../src/array/engine.ts';
import { cudaJit } from '../../src/cuda/jit/half.ts';
import type { JitHalf } from '../../src/jit/jit-function.ts';
import {
  jitOf,
  reduceOf,
  stencilOf,
  vectorizeOf,
  type Jit,
  type MakeStencil,
  type Reduce,
  type Vectorize,
} from '../../src/jit/jit.ts';
import { randomStatesOf, type RandomStates } from '../../src/jit/random/states.ts';
import { openclJit } from '../../src/opencl/jit/half.ts';
import { describeArrays, describeArraysEverywhere } from './array-halves.ts';

/** The names of `rawkernel/cuda/jit`, or of OpenCL's, on the engine of the test. */
export interface JitNames {
  readonly jit: Jit;
  readonly vectorize: Vectorize;
  readonly reduce: Reduce;
  readonly stencil: MakeStencil;
  readonly random: RandomStates;
  /** Of the test that runs. */
  readonly engine: () => Engine;
  readonly isCuda: () => boolean;
}

/** Tests of kernels in TypeScript, on CUDA and on the OpenCL devices of the file. */
export function describeJit(title: string, define: (names: JitNames) => void): void {
  describeArrays(title, definedWith(define));
}

/** The same on both halves in every run. */
export function describeJitEverywhere(title: string, define: (names: JitNames) => void): void {
  describeArraysEverywhere(title, definedWith(define));
}

function definedWith(define: (names: JitNames) => void): (engine: () => Engine) => void {
  return (engine) => {
    const isCuda = (): boolean => engine().dialect.name === 'cuda';
    const own = (): JitHalf => (isCuda() ? cudaJit : openclJit);
    const creation = creationOf(() => engine());
    const half: JitHalf = {
      get words() {
        return own().words;
      },
      get exactOptions() {
        return own().exactOptions;
      },
      engineFor: () => engine(),
      creation,
      hasLines: (of) => own().hasLines(of),
    };
    const [jit, vectorize, reduce, stencil] = [jitOf(half), vectorizeOf(half), reduceOf(half), stencilOf(half)];
    const random = randomStatesOf(creation);
    define({ jit, vectorize, reduce, stencil, random, engine, isCuda });
  };
}
