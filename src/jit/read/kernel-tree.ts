import type { FunctionTree } from '../tree.ts';
import { keyOf, type KernelType } from '../kernel-type.ts';
import { isTakenName } from './scope.ts';
import { readTree, type Program } from './function-reader.ts';
import { DEVICE, type DeviceText } from './reading.ts';
import type { Source } from './source.ts';

/** The functions of one kernel, each for the types that it is called with. */
class KernelProgram implements Program {
  readonly isWide: boolean;
  readonly #instances = new Map<Source, Map<string, FunctionTree>>();
  readonly #open = new Set<Source>();
  readonly #names = new Set<string>();

  constructor(isWide: boolean) {
    this.isWide = isWide;
  }

  readonly globalName = (name: string): string => {
    // A kernel's own name has been looked at: see `readKernel`.
    const legal = this.#names.size > 0 && isTakenName(name) ? `${name}_` : name;
    let text = legal;
    for (let i = 1; this.#names.has(text); i++) text = `${legal}_${i}`;
    this.#names.add(text);
    return text;
  };

  readonly instance = (
    device: DeviceText,
    types: readonly KernelType[],
    fail: (reason: string) => never,
  ): FunctionTree => {
    const source = device[DEVICE] as Source;
    const known = this.#instances.get(source) ?? new Map<string, FunctionTree>();
    this.#instances.set(source, known);
    const key = types.map(keyOf).join(';');
    const found = known.get(key);
    if (found) return found;
    if (this.#open.has(source)) return fail(`${source.text.name} calls itself: a device function cannot; write a loop`);
    this.#open.add(source);
    try {
      const tree = readTree(source, types, this);
      known.set(key, tree);
      return tree;
    } finally {
      this.#open.delete(source);
    }
  };
}

/** The typed tree of a kernel. */
export function readKernel(source: Source, types: readonly KernelType[], isWide: boolean): FunctionTree {
  const program = new KernelProgram(isWide);
  const { name } = source.text;
  const text = isTakenName(name) ? { ...source.text, name: `${name}_` } : source.text;
  return readTree({ ...source, text }, types, program);
}

/** The typed tree of a device function by itself. */
export function readDevice(source: Source, types: readonly KernelType[]): FunctionTree {
  return readTree(source, types, new KernelProgram(false));
}
