import { nameOf } from '../../core/check.ts';
import type { Declaration } from '../../core/signature.ts';
import { callError, type Routine } from '../call.ts';
import { describeEntries, entrySignature, findEntry, type KernelEntry } from '../compiler/kernel-entry.ts';
import { status } from '../sys/enums.ts';

const NOT_FOUND = status.CUDA_ERROR_NOT_FOUND[0];

/** The kernels of a module or a library, as far as they are known: from what it was made of, else from the driver. */
export class KernelList {
  readonly #read: () => readonly KernelEntry[];
  readonly #declarations: readonly Declaration[];
  #known: readonly KernelEntry[] | undefined;
  #listed = false;

  /**
   * @param read - tells the entries when they are first wanted; none where only the driver may know them
   * @param declarations - of the source, for the names of parameters
   */
  constructor(read: () => readonly KernelEntry[], declarations: readonly Declaration[]) {
    this.#read = read;
    this.#declarations = declarations;
  }

  get #entries(): readonly KernelEntry[] {
    if (this.#known) return this.#known;
    this.#known = this.#read();
    this.#listed = this.#known.length > 0;
    return this.#known;
  }

  /** All that are known; `symbols` asks the driver, which may not know. */
  all(symbols: () => readonly string[] | undefined): readonly KernelEntry[] {
    const entries = this.#entries;
    if (this.#listed) return entries;
    const found = symbols();
    if (!found) return entries;
    this.#listed = true;
    return (this.#known = describeEntries(
      found.map((symbol) => ({ symbol })),
      this.#declarations,
    ));
  }

  /** The kernel that a name means. A binary's symbols may be unknown; then the name counts as a symbol. */
  find(name: string, symbols: () => readonly string[] | undefined): KernelEntry | undefined {
    if (typeof name !== 'string') throw new TypeError(`A kernel's name must be a string, got ${nameOf(name)}`);
    const found = findEntry(this.all(symbols), name);
    if (found || this.#listed) return found;
    return { symbol: name, name, base: name, parameters: undefined, layout: undefined };
  }

  /** The error of a missing kernel. */
  missing(name: string, holder: string, routine: Routine): Error {
    const list = this.#entries.map(entrySignature);
    const there = list.length === 0 ? 'none is known' : list.join(', ');
    return callError(routine, NOT_FOUND, {
      reason: `The ${holder} has no kernel '${name}'; there is: ${there}`,
    });
  }
}
