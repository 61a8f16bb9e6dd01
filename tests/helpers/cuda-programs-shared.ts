import * as cuda from '../../src/cuda/index.ts';

/** Bytes for a copy. */
export const host = (): Uint8Array => new Uint8Array(64);

/** Makes the context that is current now current again. */
export function comeBack(): Disposable {
  const { current } = cuda.Context;
  return {
    [Symbol.dispose]: () => {
      current?.makeCurrent();
    },
  };
}
