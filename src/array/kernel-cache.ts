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

/** Kernels by their keys, each built on an engine when it is first asked for. */
export class Kernels {
  readonly #options: readonly string[] | undefined;
  readonly #built = new PerEngine(() => new Map<string, ArrayKernel>());

  /** @param options - of the compiler, for what users have written */
  constructor(options?: readonly string[]) {
    this.#options = options;
  }

  /** @param key - different for each text */
  of(engine: Engine, key: string, make: () => KernelText): ArrayKernel {
    const kernels = this.#built.of(engine);
    const known = kernels.get(key);
    if (known) return known;
    const text = make();
    const kernel = engine.build(sourceOf([text], engine.dialect), text.name, this.#options);
    kernels.set(key, kernel);
    return kernel;
  }
}

const own = new Kernels();

/** The kernel of a key among those of the package. */
export function kernelFor(engine: Engine, key: string, make: () => KernelText): ArrayKernel {
  return own.of(engine, key, make);
}
