import { nameOf } from '../core/check.ts';
import { constants } from './constants.ts';
import { WebCLException } from './exception.ts';

/** The properties that a program may ask for: WebCL's names, and the answers that are WebCL objects. */
export interface Answers {
  /** The first words of the names: `DEVICE_`. */
  readonly prefix: RegExp;
  /** Answers that do not come from the driver. */
  readonly own?: Readonly<Record<number, () => unknown>>;
}

/** An object that is released on its own, or with its context. */
export interface Releasable {
  release(): void;
}

/** Objects that `releaseAll` releases. It does not keep dropped objects alive. */
export class Family<Member extends object = Releasable> {
  readonly #release: (member: Member) => void;
  #members = new Set<WeakRef<Member>>();
  #prune = 64;

  constructor(release: (member: Member) => void) {
    this.#release = release;
  }

  add(member: Member): void {
    this.#members.add(new WeakRef(member));
    if (this.#members.size < this.#prune) return;
    this.#members = new Set([...this.#members].filter((ref) => ref.deref()));
    this.#prune = Math.max(64, 2 * this.#members.size);
  }

  /** Release all, the newest first. */
  release(): void {
    const members = [...this.#members].reverse();
    this.#members.clear();
    for (const ref of members) {
      const member = ref.deref();
      if (member) this.#release(member);
    }
  }
}

/** Answer a `getInfo`: only WebCL's properties, 64-bit numbers as numbers. */
export function answer(name: number, { prefix, own }: Answers, ask: (name: number) => unknown): unknown {
  const known = Object.entries(constants).some(([key, value]) => value === name && prefix.test(key));
  if (!known) throw new WebCLException('INVALID_VALUE', `WebCL has no property ${nameOf(name)} here`);
  const mine = own?.[name];
  if (mine) return mine();
  const value = ask(name);
  return is64(name) ? number64(value as readonly [number, number]) : value;
}

/** A number from node-opencl's pair of 32 bits. */
export function number64([high, low]: readonly [number, number]): number {
  return high * 2 ** 32 + low;
}

const PAIRS: ReadonlySet<number> = new Set([
  constants.DEVICE_GLOBAL_MEM_CACHE_SIZE,
  constants.DEVICE_GLOBAL_MEM_SIZE,
  constants.DEVICE_LOCAL_MEM_SIZE,
  constants.DEVICE_MAX_CONSTANT_BUFFER_SIZE,
  constants.DEVICE_MAX_MEM_ALLOC_SIZE,
  constants.KERNEL_LOCAL_MEM_SIZE,
  constants.KERNEL_PRIVATE_MEM_SIZE,
]);

function is64(name: number): boolean {
  return PAIRS.has(name);
}

/** The extensions of a list of OpenCL's, by WebCL's names: `cl_khr_fp64` is `KHR_fp64`. */
export function extensionsOf(list: string): string[] {
  const names = list.split(' ').filter((name) => /^cl_khr_(?:fp16|fp64)$/.test(name));
  return names.map((name) => name.replace('cl_khr', 'KHR'));
}
