import type { Kernel } from '../kernel/kernel.ts';

// Names that are asked of any object: by await, by printing, by test runners.
const PROBES = new Set([
  'then',
  'toJSON',
  'constructor',
  'toString',
  'valueOf',
  'asymmetricMatch',
  '$$typeof',
  'nodeType',
]);

/** A program's kernels as properties of an object. */
export function kernelsOf(program: { readonly kernelNames: readonly string[]; kernel(name: string): Kernel }): unknown {
  return new Proxy(Object.create(null) as object, {
    get: (_, name) => {
      if (typeof name !== 'string') return undefined;
      if (PROBES.has(name) && !program.kernelNames.includes(name)) return undefined;
      return program.kernel(name);
    },
    has: (_, name) => typeof name === 'string' && program.kernelNames.includes(name),
    ownKeys: () => [...program.kernelNames],
    getOwnPropertyDescriptor: (_, name) =>
      typeof name === 'string' && program.kernelNames.includes(name)
        ? { configurable: true, enumerable: true, value: program.kernel(name) }
        : undefined,
  });
}
