import type { ArrayKernel, Engine } from './engine.ts';
import { sourceOf, type KernelText } from './kernel/source.ts';

/** Something that each engine has of its own: kernels by their keys, launches. It goes with the engine. */
export class PerEngine<T> {
  readonly #make: () => T;
  readonly #all = new WeakMap<Engine, T>();
  #engine: Engine | undefined;
  #last: T | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  of(engine: Engine): T {
    // The same engine as before, nearly always: the launch path looks here.
    if (this.#engine === engine && this.#last !== undefined) return this.#last;
    const found = this.#all.get(engine) ?? this.#make();
    this.#all.set(engine, found);
    this.#engine = engine;
    this.#last = found;
    return found;
  }
}

const built = new PerEngine(() => new Map<string, ArrayKernel>());

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
