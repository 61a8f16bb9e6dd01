import type { ArrayKernel, Engine } from './engine.ts';
import { sourceOf, type KernelText } from './kernel/source.ts';

/** Kernels by a key, of each engine its own. They go with the engine. */
export class KernelsByEngine<Key> {
  readonly #all = new WeakMap<Engine, Map<Key, ArrayKernel>>();
  #engine: Engine | undefined;
  #kernels: Map<Key, ArrayKernel> | undefined;

  of(engine: Engine): Map<Key, ArrayKernel> {
    // The same engine as before, nearly always: the launch path looks here.
    if (this.#engine === engine && this.#kernels !== undefined) return this.#kernels;
    const kernels = this.#all.get(engine) ?? new Map<Key, ArrayKernel>();
    this.#all.set(engine, kernels);
    this.#engine = engine;
    this.#kernels = kernels;
    return kernels;
  }
}

const built = new KernelsByEngine<string>();

/**
 * The kernel of a key on an engine, built when it is first asked for.
 *
 * @param key - different for each text
 */
export function kernelFor(engine: Engine, key: string, make: () => KernelText): ArrayKernel {
  const kernels = built.of(engine);
  const known = kernels.get(key);
  if (known) return known;
  const text = make();
  const kernel = engine.build(sourceOf([text], engine.dialect), text.name);
  kernels.set(key, kernel);
  return kernel;
}
