import type { ArrayKernel, Engine } from './engine.ts';
import { sourceOf, type KernelText } from './kernel/source.ts';

const built = new WeakMap<Engine, Map<string, ArrayKernel>>();

/**
 * The kernel of a key on an engine, built when it is first asked for.
 *
 * @param key - different for each text
 */
export function kernelFor(engine: Engine, key: string, make: () => KernelText): ArrayKernel {
  let kernels = built.get(engine);
  if (kernels === undefined) {
    kernels = new Map();
    built.set(engine, kernels);
  }
  const known = kernels.get(key);
  if (known) return known;
  const text = make();
  const kernel = engine.build(sourceOf([text], engine.dialect), text.name);
  kernels.set(key, kernel);
  return kernel;
}
