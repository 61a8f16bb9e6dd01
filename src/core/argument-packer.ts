import { pointeeOf } from './element-check.ts';
import { ArgumentBlock, storeCode, storeNumber, writerFor, type PointerRules, type Slot, type Writer } from './pack.ts';

const POINTER = 0xff;

/**
 * Packs all arguments of one kernel. Pointers and plain numbers are written in one loop, which an engine compiles to
 * straight code; what is left goes to the writers, one function for each parameter.
 */
export class ArgumentPacker {
  readonly block: ArgumentBlock;
  /** Bytes of all arguments. */
  readonly byteLength: number;
  readonly #address: PointerRules['address'];
  readonly #elements: PointerRules['elements'];
  /** The tags of the memory that each parameter does not take. */
  readonly #refused: Uint16Array;
  readonly #codes: Uint8Array;
  readonly #offsets: Uint32Array;
  readonly #writers: readonly Writer[];

  constructor(slots: readonly Slot[], pointers: PointerRules) {
    this.byteLength = slots.reduce((most, slot) => Math.max(most, slot.byteOffset + slot.byteLength), 0);
    this.block = new ArgumentBlock(this.byteLength);
    this.#address = pointers.address;
    this.#elements = pointers.elements;
    this.#refused = Uint16Array.from(slots, ({ type }) => pointeeOf(type, pointers.dialect)?.refused ?? 0);
    this.#codes = Uint8Array.from(slots, (slot) => (slot.type?.kind === 'pointer' ? POINTER : storeCode(slot)));
    this.#offsets = Uint32Array.from(slots, (slot) => slot.byteOffset);
    this.#writers = slots.map((slot) => writerFor(slot, pointers));
  }

  /** How many arguments there are. */
  get arity(): number {
    return this.#writers.length;
  }

  /**
   * Check and write as many arguments as the kernel takes, from the start of `args`.
   *
   * @returns whether all are there; false where memory has to be made for some first
   */
  pack(args: readonly unknown[]): boolean {
    const { block } = this;
    const address = this.#address;
    const elements = this.#elements;
    const refused = this.#refused;
    const codes = this.#codes;
    const offsets = this.#offsets;
    block.waits = false;
    for (let i = 0; i < codes.length; i++) {
      const value = args[i];
      const code = codes[i] as number;
      const at = offsets[i] as number;
      if (code === POINTER) {
        const pointer = address(value);
        const wrong = refused[i] as number;
        if (pointer !== undefined && (wrong === 0 || (elements(value) & wrong) === 0)) {
          block.u64[at >> 3] = pointer;
          continue;
        }
      } else if (typeof value === 'number' && storeNumber(code, block, at, value)) continue;
      (this.#writers[i] as Writer)(block, value);
    }
    return !block.waits;
  }
}
