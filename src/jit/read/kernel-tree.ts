import type { FunctionTree } from '../tree.ts';
import { keyOf, type KernelType } from '../kernel-type.ts';
import { readTree, type Program, type Source } from './function-reader.ts';
import { DEVICE, type DeviceText } from './reading.ts';

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
    let text = name;
    for (let i = 1; this.#names.has(text); i++) text = `${name}_${i}`;
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

/** Names of the two languages that a kernel cannot have. */
const TAKEN =
  /^(?:main|kernel|half|double|float|int|long|short|char|void|min|max|abs|pow|sqrt|exp|log|step|select|dot|cross|add_sat)$/;

/** The typed tree of a kernel. */
export function readKernel(source: Source, types: readonly KernelType[], isWide: boolean): FunctionTree {
  const program = new KernelProgram(isWide);
  const { name } = source.text;
  const text = TAKEN.test(name) ? { ...source.text, name: `${name}_` } : source.text;
  return readTree({ ...source, text }, types, program);
}

/** The typed tree of a device function by itself. */
export function readDevice(source: Source, types: readonly KernelType[]): FunctionTree {
  return readTree(source, types, new KernelProgram(false));
}
